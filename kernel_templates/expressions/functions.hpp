// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The functions of expressions, a row each.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "kernel_templates/expressions/value.hpp"

namespace redtune::kernels {

/// A function's value, or why there is none.
struct FunctionResult {
  Value value;
  std::string why_not = {};
};

struct Function {
  std::string_view name;
  bool takes_several = false;  ///< one operand or more; else one
  FunctionResult (*apply)(std::span<const Value> operands) = nullptr;
};

[[nodiscard]] std::span<const Function> expression_functions();

}  // namespace redtune::kernels
