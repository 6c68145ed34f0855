// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// One of many results: its problem, and what is told of it.
#pragma once

#include <cstddef>
#include <fmt/format.h>
#include <string>

#include "redtune/problem.hpp"

namespace redtune::tuner {

/// The problem of one result.
[[nodiscard]] inline Problem one_of(Problem problem, const Shape& shape) {
  static_cast<Shape&>(problem) = {.count = elements_of_result(shape)};
  return problem;
}

/// "expected 1, got 2", of one result or of one of many.
[[nodiscard]] inline std::string with_number(std::string why, std::size_t number, std::size_t all) {
  if (why.empty() || all == 1) return why;
  return fmt::format("result {} of {}: {}", number, all, why);
}

}  // namespace redtune::tuner
