// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The options of in_context.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "redtune/problem.hpp"

namespace redtune::bench {

struct Options {
  std::string device = "auto";
  std::string op = "sum";
  std::string type = "f32";
  std::vector<std::int64_t> counts;
  std::size_t configs = 32;
  std::size_t rounds = 21;
  std::uint64_t seed = 1;
  int jobs = 0;  ///< 0: one for each processor
  std::string cache_file;
  bool is_json = false;

  /// One for each count.
  [[nodiscard]] std::vector<Problem> problems() const;
};

/// Nothing: help was asked for and printed. Throws UsageError.
[[nodiscard]] std::optional<Options> read_options(int argc, const char* const* argv);

}  // namespace redtune::bench
