// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A climbed ladder for people, as JSON and as a chart.
#pragma once

#include <string>

#include "cli/names.hpp"
#include "tuner/ladder/climb.hpp"
#include "tuner/text/json.hpp"

namespace redtune::cli {

/// A row for each step; then the launch shapes of steps that tried several, and notes.
[[nodiscard]] std::string text_of(const LadderResult& result, const DeviceIdentity& device);
[[nodiscard]] Json json_of(const LadderResult& result, const DeviceIdentity& device);
/// An SVG document: a bar for the kernel time of each step that ran.
[[nodiscard]] std::string chart_of(const LadderResult& result, const DeviceIdentity& device);

}  // namespace redtune::cli
