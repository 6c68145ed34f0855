// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a store knows of devices as one HTML page, as page_of() a run, and as rows.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/report/device_story.hpp"
#include "cli/report/peer_times.hpp"
#include "tuner/text/json.hpp"

namespace redtune::cli {

struct DevicesReport {
  std::vector<DeviceStory> devices;
  cache::Snapshot answers;
  std::vector<PeerTimes> peers;
};

[[nodiscard]] std::string page_of(const DevicesReport& report);

/// One row a result; by RFC 4180, but lines end in a line feed alone.
[[nodiscard]] std::string csv_of(const DevicesReport& report);
[[nodiscard]] Json json_of(const DevicesReport& report);

}  // namespace redtune::cli
