// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where each argument of a kernel lies in the block of memory that a launch hands over, as C lays
// out a struct of them: what GPUs of every vendor read.
#pragma once

#include <string_view>
#include <vector>

#include "kernel_templates/family/launch_plan.hpp"

namespace redtune::kernels {

struct PlacedArgument {
  Argument argument = Argument::in;
  int offset = 0;  ///< bytes
  int bytes = 0;   ///< also its alignment
};

/// In order.
[[nodiscard]] std::vector<PlacedArgument> layout_of(const KernelCall& call, const Scalars& scalars);

/// What to hand over, for people who write a launcher of their own.
[[nodiscard]] std::string_view meaning_of(Argument argument, const Scalars& scalars);

}  // namespace redtune::kernels
