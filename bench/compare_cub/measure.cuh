// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// One cell from its problem to its times.
#pragma once

#include "bench/compare_cub/cuda.cuh"
#include "bench/compare_cub/findings.hpp"
#include "bench/compare_cub/options.hpp"

namespace redtune::compare {

/// The device that is measured, as redtune names it; for CUDA's runtime it is device 0.
inline constexpr const char* device_name = "cuda:0";

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
