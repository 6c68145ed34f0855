// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Which of many cells a run of tests takes: ./dev test a sample in which every two values of two
// axes that may meet do meet, and so every value occurs; ./dev test full all of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace redtune::checks {

/// ./dev test full sets REDTUNE_TEST_FULL=1. What a test is called must not depend on it, for tests
/// are listed when they are built: see every_pair() and all_but().
[[nodiscard]] inline bool is_full_run() {
  const char* const full = std::getenv("REDTUNE_TEST_FULL");
  return full != nullptr && std::string_view(full) == "1";
}

/// What a cell has on each axis, in words: {"sum", "f32", "wave64"}. As many for each cell.
using Axes = std::vector<std::string>;

/// The fewest cells that are easily found, in their order, in which all pairs of values occur that
/// occur in any cell. Always the same for the same cells. For some ten thousand cells at most.
template <class Cell, class AxesOf>
[[nodiscard]] std::vector<Cell> every_pair(const std::vector<Cell>& cells, const AxesOf& axes_of) {
  // Pairs by number: which cells hold them, and which pairs a cell holds.
  std::map<std::pair<std::pair<std::size_t, std::string>, std::pair<std::size_t, std::string>>,
           std::size_t>
      numbers;
  std::vector<std::vector<std::size_t>> pairs(cells.size());
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    const Axes axes = axes_of(cells[cell]);
    for (std::size_t a = 0; a < axes.size(); ++a) {
      // With itself where it is alone: a single axis has every value.
      for (std::size_t b = axes.size() == 1 ? a : a + 1; b < axes.size(); ++b) {
        const auto next = numbers.size();
        const auto pair = std::pair{std::pair{a, axes[a]}, std::pair{b, axes[b]}};
        pairs[cell].push_back(numbers.try_emplace(pair, next).first->second);
      }
    }
  }
  std::vector<bool> is_missing(numbers.size(), true);
  std::vector<bool> is_taken(cells.size(), false);
  const auto gain = [&](std::size_t cell) {
    return std::ranges::count_if(pairs[cell], [&](std::size_t pair) { return is_missing[pair]; });
  };
  for (;;) {
    std::size_t best = 0;
    std::ptrdiff_t most = 0;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      const std::ptrdiff_t now = is_taken[cell] ? 0 : gain(cell);
      if (now > most) {
        most = now;
        best = cell;
      }
    }
    if (most == 0) break;
    is_taken[best] = true;
    for (const std::size_t pair : pairs[best]) is_missing[pair] = false;
  }
  std::vector<Cell> found;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    if (is_taken[cell]) found.push_back(cells[cell]);
  }
  return found;
}

/// The cells that every_pair() leaves out: for INSTANTIATE_TEST_SUITE_P(Full, ...), since tests
/// whose names begin with Full are those that only ./dev test full runs.
template <class Cell, class AxesOf>
[[nodiscard]] std::vector<Cell> all_but(const std::vector<Cell>& taken,
                                        const std::vector<Cell>& cells, const AxesOf& axes_of) {
  std::vector<Cell> rest;
  std::ranges::copy_if(cells, std::back_inserter(rest), [&](const Cell& cell) {
    return std::ranges::none_of(taken,
                                [&](const Cell& one) { return axes_of(one) == axes_of(cell); });
  });
  return rest;
}

/// For a test that walks cells itself: all in a full run, else every pair.
template <class Cell, class AxesOf>
[[nodiscard]] std::vector<Cell> sampled(const std::vector<Cell>& cells, const AxesOf& axes_of) {
  return is_full_run() ? cells : every_pair(cells, axes_of);
}

/// Every n-th of them, from number % n on; all in a full run.
template <class Value>
[[nodiscard]] std::vector<Value> every_nth(const std::vector<Value>& values, std::size_t n,
                                           std::size_t number = 0) {
  if (is_full_run()) return values;
  std::vector<Value> some;
  for (std::size_t i = number % n; i < values.size(); i += n) some.push_back(values[i]);
  return some;
}

}  // namespace redtune::checks
