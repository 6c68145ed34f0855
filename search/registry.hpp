// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// All strategies by name. To add one: its file in strategies/, a line in strategies/make.hpp and
// one row in registry.cpp.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "search/space.hpp"
#include "search/strategy.hpp"

namespace redtune::search {

struct StrategyRow {
  std::string_view name;     ///< as typed by people
  std::string_view summary;  ///< one line for help texts
  std::unique_ptr<Strategy> (*make)(const Space& space, const StrategyOptions& options);
  bool learns = true;  ///< false: what it is told changes nothing; ask it for as many as you like
  bool uses_sources = false;  ///< StrategyOptions::sources guide it
};

/// Every strategy, in the order in which to show them.
[[nodiscard]] std::span<const StrategyRow> strategies();

/// Throws UsageError, listing the names, for an unknown one.
[[nodiscard]] const StrategyRow& find_strategy(std::string_view name);

/// The space must outlive the strategy. Throws UsageError, listing the names, for an unknown one.
[[nodiscard]] std::unique_ptr<Strategy> make_strategy(std::string_view name, const Space& space,
                                                      const StrategyOptions& options);
std::unique_ptr<Strategy> make_strategy(std::string_view name, Space&& temporary,
                                        const StrategyOptions& options) = delete;

}  // namespace redtune::search
