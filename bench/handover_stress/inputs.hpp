// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Random inputs whose reductions are known to the last bit, in whatever order they are added; made
// to be used in turn, so that a value of the launch before shows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "redtune/problem.hpp"

namespace redtune::bench {

/// Bytes from one result to the next: enough for any.
inline constexpr std::size_t result_stride = 16;
using ExactResult = std::array<std::byte, result_stride>;

struct ExactInput {
  std::vector<std::byte> elements;
  std::int64_t count = 0;
  ExactResult result{};
};

/// Inputs that take turns; no batch is a multiple of it.
inline constexpr int inputs_in_turn = 7;

/// Throws UsageError for a problem whose results cannot be known to the bit here: another operator,
/// or a sum of floats of so many elements that it would round.
void require_exact(const Problem& problem);

/// Every other one is shorter than problem.count, so that grids differ from launch to launch. In
/// minima and maxima any value of the input before comes first.
[[nodiscard]] std::vector<ExactInput> exact_inputs(const Problem& problem, std::uint64_t seed);

/// Whether bytes at an output are the result; what lies between a value and its index is nothing.
[[nodiscard]] bool is_result(const Problem& problem, std::span<const std::byte> output,
                             const ExactResult& result);

}  // namespace redtune::bench
