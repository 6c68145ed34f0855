// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// An architecture that the matrix is compiled for, the kernels of a cell for it, and the key by
// which the file of results knows them.
#pragma once

#include <string>
#include <vector>

#include "kernel_templates/family/family.hpp"
#include "redtune/limits.hpp"
#include "tests/kernels/contract_cells.hpp"
#include "tuner/compile/compile_pool.hpp"

namespace redtune::checks {

struct Target {
  std::string text;
  std::string platform;
  std::string arch;
  Limits limits;
  std::string version;  ///< of the compiler
};

/// An operation as one of the families reduces with it.
struct MatrixCell {
  std::size_t number = 0;
  const kernels::Family* family = nullptr;
  Cell operation;
  std::size_t sample = 0;  ///< kernels that are drawn from all; 0: all
  std::size_t seed = 0;    ///< of the draw, with the number

  /// "reduce_rows/sum_f32".
  [[nodiscard]] std::string name() const {
    return std::string(family->name()) + "/" + operation.name();
  }
};

/// Every operator and type of every family that there is, one family after another.
[[nodiscard]] std::vector<MatrixCell> matrix_cells();

/// Of "hip:gfx90a". Throws UsageError.
[[nodiscard]] Target parse_target(const std::string& text);

/// The kernels of each config of a cell, or of its sample.
[[nodiscard]] std::vector<tuner::CompileUnit> units_of(const Target& target,
                                                       const MatrixCell& cell);

/// "hip:gfx90a,reduce_rows/sum_f32,1b2c...": another text, compiler or set of kernels makes another
/// key.
[[nodiscard]] std::string key_of(const Target& target, const MatrixCell& cell);

}  // namespace redtune::checks
