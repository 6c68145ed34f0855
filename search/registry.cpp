// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The list of strategies and the look-up by name.
#include "search/registry.hpp"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

#include "redtune/error.hpp"
#include "redtune/suggest.hpp"
#include "search/strategies/make.hpp"

namespace redtune::search {
namespace {

/// Where everything can be tried, the order hardly matters, and there is nothing to learn from.
constexpr std::size_t small_space = 64;

std::unique_ptr<Strategy> make_auto(const Space& space, const StrategyOptions& options) {
  return space.size() <= small_space ? make_grid(space, options) : make_surrogate(space, options);
}

constexpr std::array rows{
    StrategyRow{"auto", "surrogate; grid where there are at most 64 points", make_auto, true, true},
    StrategyRow{"grid", "every point, in shuffled order", make_grid, false},
    StrategyRow{"random", "random points without replacement", make_random, false},
    StrategyRow{"hill_climbing", "first cheaper neighbour, restarting at random points",
                make_hill_climbing},
    StrategyRow{"annealing", "simulated annealing over points with one axis changed",
                make_annealing},
    StrategyRow{"genetic", "children of the cheapest points, slightly changed", make_genetic},
    StrategyRow{"surrogate", "the most promising by a model of what was seen", make_surrogate, true,
                true},
};

[[noreturn]] void refuse_strategy(std::string_view name) {
  std::vector<std::string_view> known;
  for (const StrategyRow& row : rows) known.push_back(row.name);
  throw UsageError(fmt::format("unknown strategy '{}'{}; known: {}", name, suggest(name, known),
                               fmt::join(known, ", ")));
}

}  // namespace

std::span<const StrategyRow> strategies() {
  return rows;
}

const StrategyRow& find_strategy(std::string_view name) {
  const auto row = std::ranges::find(rows, name, &StrategyRow::name);
  if (row == rows.end()) refuse_strategy(name);
  return *row;
}

std::unique_ptr<Strategy> make_strategy(std::string_view name, const Space& space,
                                        const StrategyOptions& options) {
  return find_strategy(name).make(space, options);
}

}  // namespace redtune::search
