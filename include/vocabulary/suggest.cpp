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

/// Levenshtein distance, one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
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
