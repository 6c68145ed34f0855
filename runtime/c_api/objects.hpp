// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What stands behind the handles of redtune.h.
#pragma once

#include <string>
#include <vector>

#include "redtune.h"
#include "redtune/kernel.hpp"
#include "redtune/launch_shape.hpp"
#include "redtune/reduce_by_key.hpp"
#include "redtune/reducer.hpp"

struct redtune_answer {
  redtune::Answer answer;
  redtune::DeviceIdentity device;
  std::string match = std::string(to_string(answer.match));
  std::string settings = to_string(answer.settings);
};

struct redtune_by_key {
  redtune::ByKeyReducer reducer;
  std::string device;
};

struct redtune_kernel {
  redtune::Kernel kernel;
  std::string device;
  std::vector<std::string> sizes = kernel.size_names();
  std::vector<redtune::LaunchArgument> arguments = kernel.arguments();
  std::vector<std::string> types = types_of(arguments);

  [[nodiscard]] static std::vector<std::string> types_of(
      const std::vector<redtune::LaunchArgument>& arguments);
};

struct redtune_plan {
  redtune::SegmentPlan plan;
  redtune::DeviceIdentity device;
};

struct redtune_shape {
  redtune::LaunchShape shape;
};

struct redtune_reducer {
  redtune::Reducer reducer;
  std::string device;
};

struct redtune_workspace {
  redtune::Workspace workspace;
};
