// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a Kernel has prepared, by sizes: looked at by many threads without a lock while one of them
// adds to it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "device/device.hpp"
#include "redtune/find_best.hpp"

namespace redtune::runtime {

/// Where a launch's argument comes from: the arguments of the caller, or the description.
struct ArgumentSource {
  std::size_t given = none;  ///< number of the caller's
  std::uint64_t bits = 0;    ///< else this

  static constexpr auto none = static_cast<std::size_t>(-1);
};

struct PreparedLaunch {
  device::Launch launch;  ///< without arguments
  std::vector<ArgumentSource> arguments;
};

struct PreparedSizes {
  std::vector<std::int64_t> sizes;
  Answer answer;
  std::vector<std::int64_t> amounts;  ///< of the description's arguments, see KernelPlan
  std::vector<PreparedLaunch> launches;
};

class PreparedTable {
 public:
  PreparedTable();

  /// Null where the sizes were not prepared. From any thread.
  [[nodiscard]] const PreparedSizes* find(std::span<const std::int64_t> sizes) const noexcept;
  /// Of sizes that are not there. One thread at a time.
  const PreparedSizes& add(std::unique_ptr<const PreparedSizes> prepared);

 private:
  using Slot = std::atomic<const PreparedSizes*>;
  /// Half empty at least; sizes lie at their hash, or in the next free place behind it.
  struct Slots {
    explicit Slots(std::size_t count) : mask(count - 1), all(new Slot[count]()) {}
    std::size_t mask;  // of a power of two
    std::unique_ptr<Slot[]> all;
  };

  static void put(const Slots& slots, const PreparedSizes& prepared);

  std::vector<std::unique_ptr<const PreparedSizes>> prepared_;
  std::vector<std::unique_ptr<const Slots>> slots_;  // the last counts; others may be in use yet
  std::atomic<const Slots*> current_;
};

}  // namespace redtune::runtime
