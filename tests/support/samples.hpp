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
#include <set>
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

/// Few of the cells, in their order, in which every term occurs that occurs in any: one after the
/// other the first that brings most. Always the same; for some ten thousand cells at most.
template <class Cell, class TermsOf>
[[nodiscard]] std::vector<Cell> covering_cells(const std::vector<Cell>& cells,
                                               const TermsOf& terms_of) {
  struct Term {
    bool is_missing = true;
    std::vector<std::size_t> cells;
  };
  std::map<std::string, Term> terms;
  std::vector<std::vector<Term*>> of_cells(cells.size());
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    for (const std::string& name : terms_of(cells[cell])) {
      Term& term = terms[name];
      term.cells.push_back(cell);
      of_cells[cell].push_back(&term);
    }
  }
  std::vector<std::size_t> gains;
  for (const auto& of_cell : of_cells) gains.push_back(of_cell.size());
  std::vector<std::size_t> taken;
  for (std::size_t missing = terms.size(); missing > 0;) {
    const auto best = static_cast<std::size_t>(std::ranges::max_element(gains) - gains.begin());
    for (Term* const term : of_cells[best]) {
      if (!std::exchange(term->is_missing, false)) continue;
      for (const std::size_t cell : term->cells) --gains[cell];
      --missing;
    }
    taken.push_back(best);
  }
  std::ranges::sort(taken);
  std::vector<Cell> found;
  for (const std::size_t cell : taken) found.push_back(cells[cell]);
  return found;
}

/// In which every value of every axis occurs: where there are two axes, pairs would be everything.
template <class Cell, class AxesOf>
[[nodiscard]] std::vector<Cell> every_value(const std::vector<Cell>& cells, const AxesOf& axes_of) {
  return covering_cells(cells, [&](const Cell& cell) {
    Axes values = axes_of(cell);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += '\n' + std::to_string(i);
    return values;
  });
}

/// In which all pairs of values occur that occur in any cell; and so every value.
template <class Cell, class AxesOf>
[[nodiscard]] std::vector<Cell> every_pair(const std::vector<Cell>& cells, const AxesOf& axes_of) {
  return covering_cells(cells, [&](const Cell& cell) {
    const Axes axes = axes_of(cell);
    std::vector<std::string> pairs;
    for (std::size_t b = 0; b < axes.size(); ++b) {
      // A single axis has pairs with itself.
      for (std::size_t a = 0; a < std::max<std::size_t>(b, axes.size() == 1); ++a) {
        pairs.push_back(std::to_string(a) + '\n' + std::to_string(b) + '\n' + axes[a] + '\n' +
                        axes[b]);
      }
    }
    return pairs;
  });
}

/// The cells that a sample leaves out: for INSTANTIATE_TEST_SUITE_P(Full, ...), since tests
/// whose names begin with Full are those that only ./dev test full runs. No two cells have the same
/// axes.
template <class Cell, class AxesOf>
[[nodiscard]] std::vector<Cell> all_but(const std::vector<Cell>& taken,
                                        const std::vector<Cell>& cells, const AxesOf& axes_of) {
  std::set<Axes> axes_of_taken;
  for (const Cell& cell : taken) axes_of_taken.insert(axes_of(cell));
  std::vector<Cell> rest;
  std::ranges::copy_if(cells, std::back_inserter(rest),
                       [&](const Cell& cell) { return !axes_of_taken.contains(axes_of(cell)); });
  return rest;
}

/// For a test that walks cells itself: all in a full run, else every pair.
template <class Cell, class AxesOf>
[[nodiscard]] std::vector<Cell> sampled(const std::vector<Cell>& cells, const AxesOf& axes_of) {
  return is_full_run() ? cells : every_pair(cells, axes_of);
}

/// Every n-th of them, from number % n on, but never none of some; all in a full run.
template <class Value>
[[nodiscard]] std::vector<Value> every_nth(const std::vector<Value>& values, std::size_t n,
                                           std::size_t number = 0) {
  if (is_full_run()) return values;
  n = std::clamp<std::size_t>(values.size(), 1, n);
  std::vector<Value> some;
  for (std::size_t i = number % n; i < values.size(); i += n) some.push_back(values[i]);
  return some;
}

}  // namespace redtune::checks
