// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The three ways of summing the same floats that host_read compares, and what it found.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "redtune/find_best.hpp"

namespace redtune::bench {

struct Options {
  std::int64_t count = 0;
  int rounds = 0;
  int executions = 0;  ///< of a contestant in a round, each on another buffer
  std::uint64_t seed = 0;
  std::string cache_file;
  std::string json_file;
};

/// One contestant and its times.
struct Row {
  std::string name;
  std::string settings;          ///< empty for the plain loop
  double value = 0;              ///< the sum it found
  std::string why_wrong;         ///< empty when the value is right
  std::vector<double> times_us;  ///< of one execution, one for each round
};

/// Rows are always in this order.
enum Contestant : std::size_t { plain_loop, family_default, tuned };

struct Findings {
  Options options;
  DeviceIdentity device;
  Answer answer;
  std::size_t buffers = 0;
  double expected = 0;
  std::vector<Row> rows;
};

/// The table, the verdict on the sums, and a warning where nothing is tuned.
[[nodiscard]] std::string table_of(const Findings& findings);

/// Everything, times of every round included, as one JSON object.
[[nodiscard]] std::string json_of(const Findings& findings);

}  // namespace redtune::bench
