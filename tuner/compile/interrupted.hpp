// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A person has ended the run before there was a result.
#pragma once

#include "redtune/error.hpp"

namespace redtune::tuner {

class Interrupted : public Error {
 public:
  using Error::Error;
};

/// At once: whatever was at work was ended as well.
class Stopped : public Interrupted {
 public:
  using Interrupted::Interrupted;
};

}  // namespace redtune::tuner
