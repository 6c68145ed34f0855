// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is known of 'reduce_columns' before anything is tuned: a config for every shape, and others
// that are worth trying first.
#pragma once

#include <vector>

#include "kernel_templates/columns/config.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

/// The built-in default for a problem; always valid.
[[nodiscard]] ColumnsConfig default_columns(const Problem& problem, const Limits& limits);

/// Configs worth trying first; all in the space.
[[nodiscard]] std::vector<ColumnsConfig> known_columns(const Problem& problem,
                                                       const Limits& limits);

}  // namespace redtune::kernels
