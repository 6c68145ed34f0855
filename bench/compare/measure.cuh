// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// One cell from its problem to its times.
#pragma once

#include "bench/compare/contest.hpp"
#include "bench/compare/findings.hpp"
#include "bench/compare/gpu.cuh"
#include "bench/compare/options.hpp"

namespace redtune::compare {

/// Throws NoSuchDevice where there is none. Makes the device current.
[[nodiscard]] Machine open_machine();

/// A problem, and how many elements off its alignment its input starts.
struct Task {
  Problem problem;
  std::int64_t offset = 0;
};

/// Throws UnmetMatch for the first problem whose configuration is worse than the options demand.
void require_matches(const std::vector<Problem>& problems, const Options& options);

/// Never throws because of what happens to the cell: that is its state and its note.
[[nodiscard]] Cell measure(const Task& task, const Options& options, const Machine& machine);

}  // namespace redtune::compare
