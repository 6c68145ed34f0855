// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What types and operators are called in kernels' text.
#pragma once

#include <string>
#include <string_view>

#include "redtune/dtype.hpp"
#include "redtune/op.hpp"
#include "redtune/problem.hpp"

namespace redtune::kernels {

/// A type by its canonical name: hipRTC 5.2 does not find instantiations by a typedef's name.
[[nodiscard]] std::string_view device_type(DType dtype);
/// "redtune::sum", "redtune::custom_operator".
[[nodiscard]] std::string device_operator(Op op);
/// The operator, and the types of elements, accumulators and results: what every kernel takes
/// first.
[[nodiscard]] std::string device_operation(const Operation& operation);

}  // namespace redtune::kernels
