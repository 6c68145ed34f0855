// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A loaded config with what it needs to run: what is verified and timed.
#pragma once

#include "runtime/loaded_config.hpp"

namespace redtune::tuner {

struct Runnable {
  runtime::LoadedConfig config;
  runtime::Workspace workspace;
};

}  // namespace redtune::tuner
