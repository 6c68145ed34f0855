// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What agreement is asked: which problems, how many seeds, and which of its two steps.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/problem.hpp"

namespace redtune::bench {

/// Both, or one of them with a folder that holds what the other one needs or leaves.
enum class Steps { tune_and_time, tune, time };

struct AgreementOptions {
  std::string device;
  std::vector<Problem> problems;
  std::uint64_t seeds = 5;        ///< 1 to this
  std::string budget;             ///< of a tune; empty: the program's own
  int jobs = 0;                   ///< of a tune; 0: the program's own
  std::filesystem::path program;  ///< redtune
  std::filesystem::path keep;     ///< empty: a folder that goes away
  std::filesystem::path store;    ///< whose answers are timed as well; empty: none
  int rounds = 121;               ///< of timing winners side by side
  Steps steps = Steps::tune_and_time;
  bool times_anew = false;  ///< also where a timing of the same winners is kept
  bool is_json = false;
};

/// "sum f32 2^18 warm", as describe() writes it; cold without a word. Throws UsageError.
[[nodiscard]] Problem parse_problem(std::string_view text);

/// Twelve problems of several operators and types, from one block to a gibibyte.
[[nodiscard]] std::vector<Problem> default_problems();

/// Nothing: help was asked for and printed. Throws UsageError and boost::program_options::error.
[[nodiscard]] std::optional<AgreementOptions> read_options(int argc, const char* const* argv);

}  // namespace redtune::bench
