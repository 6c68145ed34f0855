// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A loaded config with what it needs to run: what is verified and timed.
#pragma once

#include <utility>
#include <vector>

#include "runtime/loaded_config.hpp"
#include "tuner/verify/places.hpp"

namespace redtune::tuner {

/// How many a batch goes through on this device: where a launch is over when it returns there is
/// one site.
[[nodiscard]] inline std::size_t most_places_on(const device::Device& device) {
  return device.batching() == device::Batching::graph ? most_places : most_places_at_a_site;
}

struct Runnable {
  runtime::LoadedConfig config;
  std::vector<runtime::Workspace> workspaces;  ///< in several places where they are small

  [[nodiscard]] const runtime::Workspace& workspace() const { return workspaces.front(); }
};

/// Throws OutOfMemory, DeviceError.
[[nodiscard]] inline Runnable runnable_of(runtime::LoadedConfig config, device::Device& device) {
  constexpr std::size_t most_bytes = std::size_t{1} << 20;
  std::vector<runtime::Workspace> workspaces;
  do {
    workspaces.push_back(config.make_workspace(device));
  } while (workspaces.size() <
           places_of(workspaces.front().bytes(), most_bytes, most_places_on(device)));
  return {std::move(config), std::move(workspaces)};
}

}  // namespace redtune::tuner
