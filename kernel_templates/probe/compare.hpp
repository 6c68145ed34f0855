// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernels that compare results with what is expected of them: their text, names and grid.
#pragma once

#include <cstdint>
#include <string>

#include "redtune/limits.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

/// What a result that rounds is compared with, as near_value of compare.hip.h.
struct alignas(16) NearValue {
  double value = 0;
  float rest = 0;
  float reach = 0;
};

/// The whole device program, for a run-time compiler.
[[nodiscard]] const std::string& compare_text();
/// The instantiations for a problem's results, as name expressions. Arguments of the first: the
/// results, how many, what is expected (likewise), where to report, and room for how many numbers
/// there; all 64 bits. Of the second, of floats: the results, how many, NearValues, where to
/// report, room, and what of each value and of its reach a result may be off; all 64 bits.
[[nodiscard]] std::string compare_same_name(const Problem& problem, const Limits& limits);
[[nodiscard]] std::string compare_near_name(const Problem& problem, const Limits& limits);

/// Threads per block, and blocks for so many results; at least 1.
[[nodiscard]] int compare_block(const Limits& limits);
[[nodiscard]] std::int64_t compare_grid(std::int64_t results, const Limits& limits);

}  // namespace redtune::kernels
