// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How long a search may go on: evaluations, wall time, or whichever is spent first; and whether it
// ends before that once it is settled.
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
  bool until_settled = false;  ///< ends once nothing better is found for long, see Settled
  bool is_brief = false;       ///< and soon, and timed no more closely than half a percent needs

  bool operator==(const Budget&) const = default;

  [[nodiscard]] bool spent(std::size_t evaluated, std::chrono::nanoseconds elapsed) const;

  /// How many more evaluations the limit on evaluations allows, whatever the time; the largest
  /// number there is when it is not limited. Meant for bounding the next ask().
  [[nodiscard]] std::size_t remaining_evaluations(std::size_t evaluated) const;
};

/// When a search may end before its budget is spent: hears of all costs, in order. It is settled
/// after 32 evaluations, once so many in a row brought nothing that is better than the best before
/// them by 0.2 %: 24 where problems like this one guide the search, else 64. A brief one after 12,
/// once 12 brought nothing, else 32.
class Settled {
 public:
  explicit Settled(bool is_guided, bool is_brief = false);

  /// Nothing: it cannot run, or failed.
  void add(const std::optional<double>& cost);
  /// How near it is to being settled, from 0; at 1 it is. A better one brings it back.
  [[nodiscard]] double share() const;

 private:
  std::size_t least_evaluations_;
  std::size_t patience_;
  std::size_t evaluations_ = 0;
  std::size_t since_better_ = 0;
  std::optional<double> best_ = {};  ///< that others must be clearly better than
};

/// Reads "200" (evaluations), "500ms", "30s", "2m", "1h" (wall time), one of each with a comma
/// between ("200,30s"), "unlimited", "auto": what is enough for a space of redtune's own, or
/// "brief": likewise, for one problem of many. Throws UsageError that says what is accepted.
[[nodiscard]] Budget parse_budget(std::string_view text);

/// The text that parse_budget reads back; a time that is no whole number of milliseconds is rounded
/// up to one.
[[nodiscard]] std::string to_string(const Budget& budget);

}  // namespace redtune::search
