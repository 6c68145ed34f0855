// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "redtune/suggest.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>
#include <vector>

namespace redtune {
namespace {

/// Letters to add, to take away, to replace, or neighbours to swap: the commonest slip is one edit.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);  // of two letters less, then of one less
  std::vector<std::size_t> above(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::vector<std::size_t> row{i + 1};
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = above[j] + (a[i] == b[j] ? 0 : 1);
      row.push_back(std::min({replaced, row[j] + 1, above[j + 1] + 1}));
      const bool is_swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (is_swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
    before = std::move(above);
    above = std::move(row);
  }
  return above[b.size()];
}

}  // namespace

std::string suggest(std::string_view wrong, std::span<const std::string_view> known) {
  std::size_t best = 3;
  std::string_view name;
  for (const std::string_view candidate : known) {
    const std::size_t allowed = (candidate.size() + 2) / 3;
    const std::size_t distance = edit_distance(wrong, candidate);
    if (distance < best && distance <= allowed) {
      best = distance;
      name = candidate;
    }
  }
  return name.empty() ? std::string{} : fmt::format(" (did you mean '{}'?)", name);
}

std::string join(std::span<const std::string_view> names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace redtune
