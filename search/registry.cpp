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
#include "search/strategies/annealing.hpp"
#include "search/strategies/genetic.hpp"
#include "search/strategies/grid.hpp"
#include "search/strategies/hill_climbing.hpp"
#include "search/strategies/random.hpp"
#include "search/strategies/surrogate.hpp"

namespace redtune::search {
namespace {

template <typename S>
std::unique_ptr<Strategy> make(const Space& space, const StrategyOptions& options) {
  return std::make_unique<S>(space, options);
}

/// Where everything can be tried, the order hardly matters, and there is nothing to learn from.
constexpr std::size_t small_space = 64;

std::unique_ptr<Strategy> make_auto(const Space& space, const StrategyOptions& options) {
  return space.size() <= small_space ? make<Grid>(space, options) : make<Surrogate>(space, options);
}

constexpr std::array rows{
    StrategyRow{"auto", "surrogate; grid where there are at most 64 points", make_auto, true, true},
    StrategyRow{"grid", "every point, in shuffled order", make<Grid>, false},
    StrategyRow{"random", "random points without replacement", make<Random>, false},
    StrategyRow{"hill_climbing", "first cheaper neighbour, restarting at random points",
                make<HillClimbing>},
    StrategyRow{"annealing", "simulated annealing over points with one axis changed",
                make<Annealing>},
    StrategyRow{"genetic", "children of the cheapest points, slightly changed", make<Genetic>},
    StrategyRow{"surrogate", "the most promising by a model of what was seen", make<Surrogate>,
                true, true},
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
