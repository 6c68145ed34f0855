// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The machine, what reading alone gives on it, and one cell from its problem to its times.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/compare/contest.hpp"
#include "bench/compare/findings.hpp"
#include "bench/compare/gpu.cuh"
#include "bench/compare/options.hpp"

namespace redtune::compare {

/// Throws NoSuchDevice where there is none. Makes the device current.
[[nodiscard]] Machine open_machine();

/// What reading alone gives in this run, as `redtune probe` measures it: the best of its kernels on
/// a buffer far larger than the cache. Without room for it nothing is measured, and the shape says
/// so. Throws DeviceError.
[[nodiscard]] ReadPeak measure_read_peak(std::int64_t cache_bytes);

/// 10^9 bytes per second of a plain kernel that reads and writes far more than the cache holds, so
/// much of it written; the best of a few. 0 without room for it. Throws DeviceError.
[[nodiscard]] double measure_mix_peak(double written_share);

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
