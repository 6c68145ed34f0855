// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Measurements that cannot be believed: all of a session, or one sample.
#pragma once

#include "redtune/error.hpp"

namespace redtune::tuner {

class UntrustworthyMeasurement : public Error {
 public:
  using Error::Error;
};

/// No time of this session would mean anything.
class UntrustworthySession : public UntrustworthyMeasurement {
 public:
  using UntrustworthyMeasurement::UntrustworthyMeasurement;
};

/// A sample whose time cannot be true, taken again and again.
class ImplausibleSample : public UntrustworthyMeasurement {
 public:
  using UntrustworthyMeasurement::UntrustworthyMeasurement;
};

}  // namespace redtune::tuner
