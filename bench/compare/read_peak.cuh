// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What reading alone gives in this run, as `redtune probe` measures it.
#pragma once

#include <cstdint>

#include "bench/compare/findings.hpp"

namespace redtune::compare {

/// The best of the probe's kernels on a buffer far larger than the cache. Without room for it
/// nothing is measured, and the shape says so. Throws DeviceError.
[[nodiscard]] ReadPeak measure_read_peak(std::int64_t cache_bytes);

}  // namespace redtune::compare
