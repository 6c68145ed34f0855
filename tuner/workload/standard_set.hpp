// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The standard set: what is tuned where nobody says what. docs/reference/workloads.md shows it.
#pragma once

#include <span>
#include <string_view>

#include "redtune/device_identity.hpp"
#include "tuner/workload/workload.hpp"

namespace redtune::tuner {

/// Problems as people write them on the command line.
struct StandardRow {
  std::string_view ops;
  std::string_view types;
  std::string_view counts;       ///< of whole arrays, or of those that segments lie in; or
  std::string_view row_lengths;  ///< of rows with a total, or
  std::string_view total;
  std::string_view arrays;  ///< of which an axis is reduced
  std::string_view axis;
  CacheMode cache_mode;
  std::string_view segments = {};  ///< of each count, so many
  Skew skew = Skew::uniform;
};

struct StandardTable {
  std::string_view name;
  std::string_view budget;  ///< of each problem; empty: the run's
  std::span<const StandardRow> rows;
};

/// The table of a platform: the host has its own, all GPUs one.
[[nodiscard]] const StandardTable& standard_table(std::string_view platform);

[[nodiscard]] ListedProblems problems_of(const StandardRow& row);

/// Of a device: without inputs that take more than a quarter of its memory.
[[nodiscard]] Workload standard_set(const DeviceClass& device_class);

}  // namespace redtune::tuner
