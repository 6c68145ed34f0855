// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a search is guided by: the trials of problems like the one that is tuned.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cache/keys/records.hpp"
#include "cache/store/store.hpp"
#include "kernel_templates/family/family.hpp"
#include "search/strategy.hpp"
#include "tuner/session/journal.hpp"

namespace redtune::tuner {

inline constexpr std::size_t most_sources = 6;

/// The trials of a search for another question; nothing where distance() sees no neighbour, or
/// where fewer than eight of its configs ran. Settings that this version does not know are left
/// out.
[[nodiscard]] std::optional<search::SourceTask> source_of(const cache::Question& asked,
                                                          const cache::Question& other,
                                                          std::span<const cache::Trial> trials,
                                                          const kernels::Family& family);

/// Of what ships: as if it had never been recorded.
using LeftOut = std::function<bool(const cache::Question& shipped)>;

/// What ships with redtune of problems like the one that is asked.
[[nodiscard]] std::vector<search::SourceTask> shipped_sources(const cache::Question& asked,
                                                              const kernels::Family& family,
                                                              const LeftOut& is_left_out = {});

/// Leaves at most most_sources, the nearest first.
void keep_nearest(std::vector<search::SourceTask>& sources);

/// Of what ships with redtune and of the runs that had ended when the journal's began, the latest
/// for each of the questions nearest to the one that is asked; at most most_sources, the nearest
/// first.
[[nodiscard]] std::vector<search::SourceTask> sources_for(const cache::Store& store,
                                                          const Journal& journal,
                                                          const kernels::Family& family);

/// The same of a question whose run has not begun: of all runs that have ended, and of the one that
/// is about to end, where there is one.
[[nodiscard]] std::vector<search::SourceTask> sources_ahead(const cache::Store& store,
                                                            const cache::Question& asked,
                                                            std::optional<cache::RunId> ending,
                                                            const kernels::Family& family);

/// One line for people: of how much they tell; sources must not be empty.
[[nodiscard]] std::string describe(std::span<const search::SourceTask> sources);

}  // namespace redtune::tuner
