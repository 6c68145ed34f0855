// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Counts the trials whose worker was lost, and says when there are too many to be the configs' own
// fault.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "redtune/error.hpp"
#include "redtune/settings.hpp"

namespace redtune::tuner {

/// The device, or what drives it, cannot be tuned on now; later it may be.
class DeviceUnhealthy : public Error {
 public:
  using Error::Error;
};

class LostWorkers {
 public:
  /// A trial that a worker survived, or did not. Throws DeviceUnhealthy, with what those configs
  /// have in common, after five deaths in a row, or when more than a tenth of twenty trials or more
  /// died.
  void survived(const Settings& settings);
  void died(const Settings& settings);

  [[nodiscard]] std::size_t deaths() const { return dead_.size(); }
  /// What all of the dead have and not all of the others: "finish=cluster, block_size=1024"; empty:
  /// nothing.
  [[nodiscard]] std::string in_common() const;

 private:
  void check() const;

  std::vector<Settings> dead_;
  std::vector<Settings> alive_;
  std::size_t in_a_row_ = 0;
};

}  // namespace redtune::tuner
