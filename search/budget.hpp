// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How long a search may go on: evaluations, wall time, or whichever is spent first.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace redtune::search {

/// Has no clock: the loop says how much time went by. Without a limit it is never spent.
struct Budget {
  std::optional<std::size_t> evaluations = std::nullopt;
  std::optional<std::chrono::nanoseconds> time = std::nullopt;

  bool operator==(const Budget&) const = default;

  [[nodiscard]] bool spent(std::size_t evaluated, std::chrono::nanoseconds elapsed) const;

  /// How many more evaluations the limit on evaluations allows, whatever the time; the largest
  /// number there is when it is not limited. Meant for bounding the next ask().
  [[nodiscard]] std::size_t remaining_evaluations(std::size_t evaluated) const;
};

/// Reads "200" (evaluations), "500ms", "30s", "2m", "1h" (wall time), one of each with a comma
/// between ("200,30s"), or "unlimited". Throws UsageError that says what is accepted.
[[nodiscard]] Budget parse_budget(std::string_view text);

/// The text that parse_budget reads back; a time that is no whole number of milliseconds is rounded
/// up to one.
[[nodiscard]] std::string to_string(const Budget& budget);

}  // namespace redtune::search
