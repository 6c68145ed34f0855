// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/border_text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace redtune::cli {
namespace {

/// The borders on both sides of a result; null: not measured.
struct Sides {
  const cache::StoredBorder* below = nullptr;
  const cache::StoredBorder* above = nullptr;
};

Sides sides_of(const cache::Snapshot& answers, const cache::StoredBest& result) {
  Sides sides;
  const bool does_answer = std::ranges::any_of(
      answers.entries, [&](const auto& entry) { return entry.generation == result.generation; });
  if (!does_answer) return sides;
  for (const cache::StoredBorder& border : answers.borders) {
    if (border.question == result.question) sides.above = &border;
    cache::Question larger = border.question;
    larger.problem.count = border.border.above;
    if (larger == result.question) sides.below = &border;
  }
  return sides;
}

}  // namespace

std::vector<std::string> border_lines(const cache::Snapshot& answers,
                                      const cache::StoredBest& result) {
  const auto [below, above] = sides_of(answers, result);
  std::vector<std::string> lines;
  if (below != nullptr) {
    const cache::Border& border = below->border;
    lines.push_back(fmt::format(
        "from count {} on, before that the winner of {} (measured between "
        "{} and {})",
        border.first, below->question.problem.count, border.still_below, border.first_above));
  }
  if (above != nullptr) {
    const cache::Border& border = above->border;
    lines.push_back(
        fmt::format("up to count {}, then the winner of {} (measured between {} and "
                    "{})",
                    border.first - 1, border.above, border.still_below, border.first_above));
  }
  return lines;
}

tuner::Json borders_json(const cache::Snapshot& answers, const cache::StoredBest& result) {
  const auto [below, above] = sides_of(answers, result);
  const auto json_of = [](const cache::StoredBorder& border) {
    return tuner::Json{{"below", border.question.problem.count},
                       {"above", border.border.above},
                       {"first", border.border.first},
                       {"still_below", border.border.still_below},
                       {"first_above", border.border.first_above},
                       {"at", border.at}};
  };
  tuner::Json rows = tuner::Json::array();
  for (const auto* border : {below, above}) {
    if (border != nullptr) rows.push_back(json_of(*border));
  }
  return rows;
}

}  // namespace redtune::cli
