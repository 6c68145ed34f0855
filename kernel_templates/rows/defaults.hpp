// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is known of 'reduce_rows' before anything is tuned: a config for every length, and others
// that are worth trying first.
#pragma once

#include <vector>

#include "kernel_templates/rows/config.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

/// The built-in default for a problem; always valid.
[[nodiscard]] RowsConfig default_rows(const Problem& problem, const Limits& limits);

/// Configs worth trying first; all in the space.
[[nodiscard]] std::vector<RowsConfig> known_rows(const Problem& problem, const Limits& limits);

/// Lengths that are powers of two and half-way between, and one element longer, so that rows begin
/// within vectors: of arrays that a cache holds, of such that none does, and of few rows. The
/// default of the nearest of a regime does for a shape.
[[nodiscard]] std::vector<Shape> typical_rows(const Limits& limits);

}  // namespace redtune::kernels
