// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Configs of a family as compilers take them: those whose program is the same stand together.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kernel_templates/family/family.hpp"
#include "tuner/compile/compile_pool.hpp"

namespace redtune::tuner {

struct ConfigProgram {
  std::string text;
  std::vector<CompileUnit> units;
  std::vector<std::size_t> owners;  ///< of the units: which of the configs
};

[[nodiscard]] std::vector<ConfigProgram> programs_of(const kernels::Family& family,
                                                     const Problem& problem, const Limits& limits,
                                                     std::span<const Settings> configs);

/// One result for each config, in order. compiler: for any text; its compilers are shared among the
/// programs. Throws as CompilePool::compile().
[[nodiscard]] std::vector<UnitResult> compile_all(const CompilePool& compiler,
                                                  std::span<const ConfigProgram> programs);

}  // namespace redtune::tuner
