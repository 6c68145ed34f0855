// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Configurations timed side by side in one process, by the tuner's own parts: own shares, batches
// of one size, rounds in random order, as in its final, but nobody drops out.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "device/registry.hpp"
#include "redtune/find_best.hpp"
#include "redtune/problem.hpp"
#include "redtune/settings.hpp"
#include "tuner/measure/rounds.hpp"

namespace redtune::bench {

struct Timing {
  std::string device;              ///< its name
  std::vector<Settings> settings;  ///< the family's default first, each once
  tuner::Rounds rounds;            ///< microseconds, of all in every round
  std::size_t executions = 1;      ///< of a batch
  std::vector<std::string> warnings;

  bool operator==(const Timing&) const = default;
};

/// The device that winners are timed on, and what compiles for it.
class TimingSite {
 public:
  /// Opens the device and takes its lease, as a tune does. compile_worker: the command of one.
  /// Throws UsageError, DeviceError, tuner::Busy.
  TimingSite(const std::string& device, std::vector<std::string> compile_worker, int jobs);
  ~TimingSite();
  TimingSite(const TimingSite&) = delete;
  TimingSite& operator=(const TimingSite&) = delete;

  /// What programs get from a store: it knows the problem, another one near it, or nothing.
  [[nodiscard]] Answer answer(const Problem& problem, const std::filesystem::path& store) const;

  /// Times these and the default; at least two rounds. Throws DeviceError, and Error where a result
  /// is wrong.
  [[nodiscard]] Timing time(const Problem& problem, const std::vector<Settings>& winners,
                            int rounds);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

void keep(const Timing& timing, const std::filesystem::path& file);
/// Nothing where none is kept, or one of other settings or another number of rounds.
[[nodiscard]] std::optional<Timing> kept_timing(const std::filesystem::path& file,
                                                const std::vector<Settings>& winners, int rounds);

}  // namespace redtune::bench
