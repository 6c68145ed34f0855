// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// An architecture that the matrix is compiled for, the kernels of a cell for it, and the key by
// which the file of results knows them.
#pragma once

#include <string>
#include <vector>

#include "redtune/limits.hpp"
#include "tests/kernels/contract_cells.hpp"
#include "tuner/compile/compile_pool.hpp"

namespace redtune::checks {

struct Target {
  std::string text;
  std::string platform;
  std::string arch;
  Limits limits;
  std::string version;  ///< kernel text and compiler
};

/// Of "hip:gfx90a". Throws UsageError.
[[nodiscard]] Target parse_target(const std::string& text);

/// The kernels of each config of a problem.
[[nodiscard]] std::vector<tuner::CompileUnit> units_of(const Target& target,
                                                       const Problem& problem);

/// "hip:gfx90a,sum_f32,1b2c...": another text, compiler or set of kernels makes another key.
[[nodiscard]] std::string key_of(const Target& target, const Cell& cell);

}  // namespace redtune::checks
