// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What handover_stress has found, for people and for programs.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "bench/handover_stress/stress.hpp"

namespace redtune::bench {

/// What ran.
enum class Kind { stream, pair, broken_off, groups };
[[nodiscard]] std::string_view to_string(Kind kind);

struct Finding {
  Kind kind = Kind::stream;
  StressCase what;
  Tally tally;  ///< of broken_off: once the workspace was cleared
  // Of broken_off, before it was:
  std::int64_t launches_before = 0;
  std::int64_t wrong_before = 0;
};

[[nodiscard]] std::string table_head();
/// One line, and another where something is wrong.
[[nodiscard]] std::string row_of(const Finding& finding);
/// The last lines, about all.
[[nodiscard]] std::string verdict_of(std::span<const Finding> findings);
[[nodiscard]] std::string json_of(std::span<const Finding> findings, std::string_view device);
[[nodiscard]] bool is_all_right(std::span<const Finding> findings);

}  // namespace redtune::bench
