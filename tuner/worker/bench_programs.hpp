// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a bench compiles of its own, whichever configs it measures: to be had before it is set up.
// A custom operator's own programs are not among them: they are compiled to see what it is.
#pragma once

#include <cstdint>
#include <vector>

#include "redtune/limits.hpp"
#include "redtune/problem.hpp"
#include "tuner/compile/config_programs.hpp"

namespace redtune::tuner {

/// seed: of the input.
[[nodiscard]] std::vector<ConfigProgram> bench_programs(const Problem& problem, std::uint64_t seed,
                                                        const Limits& limits);

}  // namespace redtune::tuner
