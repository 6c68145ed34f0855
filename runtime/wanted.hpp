// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Writes down what this process asked for and was not tuned: docs/decisions/0078. Whatever goes
// wrong there is nobody's business.
#pragma once

#include "redtune/device_identity.hpp"
#include "redtune/find_best.hpp"
#include "runtime/hits.hpp"

namespace redtune::runtime {

/// An answer that an application got. From any thread; exact ones are left at once.
void want(const Answer& answer, const DeviceIdentity& device) noexcept;

/// Launches of one Reducer, which count for what it wanted: while it lives, and afterwards.
class WantedLaunches {
 public:
  WantedLaunches() = default;
  WantedLaunches(const WantedLaunches&) = delete;
  WantedLaunches& operator=(const WantedLaunches&) = delete;
  ~WantedLaunches();

  /// As want(). hits: outlive this.
  void begin(const Answer& answer, const DeviceIdentity& device, const HitTotals& hits) noexcept;

 private:
  const HitTotals* hits_ = nullptr;  // null: nothing is counted
};

}  // namespace redtune::runtime
