// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Operators from files: reading them, and finding out that they are what reductions need.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cli/names.hpp"
#include "cli/question.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/op.hpp"
#include "tuner/verify/operator_program.hpp"

namespace redtune::cli {

/// The operator of a file, named as the file. Throws UsageError for what cannot be read, and as
/// kernels::require_operator_text().
[[nodiscard]] CustomOp read_operator(const std::string& path);

/// Compiles a custom operator and tries it on samples; nothing for a built-in one. Throws
/// UsageError when it does not compile or breaks a promise.
[[nodiscard]] std::unique_ptr<const OperatorProgram> checked_operator(const OpenDevice& opened,
                                                                      const kernels::Family& family,
                                                                      const Problem& problem);

}  // namespace redtune::cli
