// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The types that launches of a problem are given.
#pragma once

#include "redtune/reducer.hpp"

namespace redtune::runtime {

[[nodiscard]] inline detail::LaunchTypes launch_types_of(const Problem& problem) {
  const ResultShape shape = shape_of_result(problem);
  const bool is_struct = shape == ResultShape::members;
  return {problem.in, is_struct ? DType::f32 : problem.out, shape, result_bytes(problem)};
}

}  // namespace redtune::runtime
