// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A described kernel with its sizes as a problem, so that it is looked up, kept and tuned as any
// other. Its first three sizes are the extents of the problem's shape, which tell how near two
// problems are; those behind them, and what the kernel is, stand in the problem's CustomOp.
#pragma once

#include <string>

#include "kernel_templates/description/kernel_plan.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

/// What results of a kernel depend on: the tokens of its code; how it is launched, on which data,
/// and when it is right. Not the values that tunables and sizes have, nor which of them may run:
/// those may change, and results stay. text: with what it includes.
[[nodiscard]] std::string meaning_of(const KernelDescription& description, const std::string& text);
/// Likewise, as it was when blanks between tokens told codes apart. docs/decisions/0072.
[[nodiscard]] std::string former_meaning_of(const KernelDescription& description,
                                            const std::string& text);

/// key: of what the kernel means. Throws UsageError for sizes below 1, or too large together.
[[nodiscard]] Problem kernel_problem(const KernelDescription& description, const std::string& key,
                                     const SizeValues& sizes, CacheMode cache_mode);

/// Backwards. Throws UsageError for a problem of another kernel.
[[nodiscard]] SizeValues sizes_of(const KernelDescription& description, const Problem& problem);

}  // namespace redtune::kernels
