// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Operators that users bring as text: what is refused at sight, the device program with them in
// it, and what a compiler has to say about them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redtune/problem.hpp"

namespace redtune::kernels {

/// Throws UsageError, one line with the place, for a text that cannot be an operator or would not
/// stay where it is put: empty, no `custom` in it, open brackets, an #include.
void require_operator_text(const CustomOp& op);

/// A kernel file with everything it includes, the user's text in a namespace of its own, and the
/// kernels that check it. Throws as require_operator_text().
[[nodiscard]] std::string custom_program(std::string_view kernel_file, const Problem& problem);

/// What a failed compile means to the author of an operator: "abs_sum.hpp:3: use of undeclared
/// identifier 'y'", and the lines of the text it is about. Nothing when the log tells of none.
[[nodiscard]] std::optional<std::string> explain_operator_log(const CustomOp& op,
                                                              std::string_view log);

/// The instantiations of check_operator.hip.h for a problem, as name expressions.
enum class CheckKernel { check_triples, combine_triples, fold_runs, join_runs, leave_all };
/// Threads of their blocks: whole waves of any device.
inline constexpr int check_block_size = 64;
[[nodiscard]] std::vector<std::string> check_kernel_names(const Problem& problem);

}  // namespace redtune::kernels
