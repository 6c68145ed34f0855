// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What compare_cub shows: tables and a summary for people, JSON for programs.
#pragma once

#include <string>
#include <vector>

#include "bench/compare/findings.hpp"
#include "bench/compare/options.hpp"

namespace redtune::compare {

struct Findings {
  Options options;
  Machine machine;
  std::vector<Cell> cells;
};

/// The machine, what was compared and how, and what a reader of the numbers must know.
[[nodiscard]] std::string head_of(const Findings& findings);

/// One row for each cell, in one mode.
[[nodiscard]] std::string table_of(const Findings& findings, Mode mode);

[[nodiscard]] std::string summary_of(const Findings& findings);

/// Everything, the samples of every round included.
[[nodiscard]] std::string json_of(const Findings& findings);

}  // namespace redtune::compare
