// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A measurement that cannot be believed: as a whole, or of one candidate.
#pragma once

#include "redtune/error.hpp"

namespace redtune::tuner {

/// No time of this session would mean anything.
class Untrustworthy : public Error {
 public:
  using Error::Error;
  [[nodiscard]] ExitCode exit_code() const noexcept override { return ExitCode::untrustworthy; }
};

/// A sample that cannot be true, taken again and again.
class ImplausibleTime : public Error {
 public:
  using Error::Error;
  [[nodiscard]] ExitCode exit_code() const noexcept override { return ExitCode::untrustworthy; }
};

}  // namespace redtune::tuner
