// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The device memory a reduction needs beside its input and output: a ticket counter and the
// partials of its blocks. One for each stream that reduces at the same time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/device.hpp"

namespace redtune::runtime {

class Workspace {
 public:
  Workspace() = default;
  /// Room for the partials of a launch plan. Throws OutOfMemory.
  Workspace(device::Device& device, std::int64_t partial_count, std::size_t accumulator_bytes);

  [[nodiscard]] void* counter() const { return memory_.data(); }
  [[nodiscard]] void* partials() const {
    return static_cast<std::byte*>(memory_.data()) + counter_bytes;
  }
  [[nodiscard]] std::size_t bytes() const { return memory_.bytes(); }

  /// Bytes before the partials; keeps them aligned and on another cache line than the counter.
  static constexpr std::size_t counter_bytes = 256;

 private:
  device::Buffer memory_;
};

}  // namespace redtune::runtime
