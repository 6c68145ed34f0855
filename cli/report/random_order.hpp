// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a search without any sense would have been expected to find: the trials of a run, tried in
// random order.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace redtune::cli {

struct ExpectedBest {
  std::size_t trials = 0;
  double time_us = 0;
};

/// The expectation of the smallest of so many times drawn without replacement, on the condition
/// that one of them is a time; none: a trial without one. Exact: of N trials, m with times
/// t_1 <= … <= t_m, the smallest of n is t_k with the probability C(N-k, n-1) / C(N, n), for one of
/// the n is k and the others come from the N-k behind it. For at most about so many n, from 1 to N.
[[nodiscard]] std::vector<ExpectedBest> expected_best(
    const std::vector<std::optional<double>>& times, std::size_t most);

}  // namespace redtune::cli
