// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// In which order a workload is tuned: so that each problem begins with the trials of its neighbour;
// and when the next one is thought of.
#pragma once

#include <cstdint>
#include <vector>

#include "tuner/workload/workload.hpp"

namespace redtune::tuner {

/// Problems of one kernel family that differ in their shape alone stand together, where the first
/// of them stood. Among them the first is the smallest whose input is four times the last-level
/// cache or more, so that memory bounds it, or the largest where none is; of several that are about
/// as large, as rows of one total are, the one in the middle by its count. The others follow by
/// their distance from it, of two as far away the one with the smaller count first.
/// Operators with an index take compilers several times as long as others: their problems are dealt
/// among those that would stand behind the first of them, of problems of one kernel family that
/// follow one another.
[[nodiscard]] std::vector<WorkloadItem> in_order_of_tuning(const std::vector<WorkloadItem>& items,
                                                           std::int64_t last_level_cache_bytes);

/// How much of a search, from 0 to 1, is over when the programs of the next problem are asked for:
/// most, where the next differs in its shape alone, since this one tells of it. Else as soon as
/// what this one asked for at first is compiled.
[[nodiscard]] double share_before_next(const Problem& problem, const Problem& next);

}  // namespace redtune::tuner
