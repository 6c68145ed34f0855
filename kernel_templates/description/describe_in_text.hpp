// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Parts of a description as people write them.
#pragma once

#include <string>

#include "kernel_templates/description/kernel_description.hpp"

namespace redtune::kernels {

/// "zero", "uniform(-1, 1)"; empty for what has none.
[[nodiscard]] std::string to_string(const Fill& fill);
/// "in", "out", "inout", "scratch".
[[nodiscard]] std::string_view to_string(Access access);
/// "exact", "within 1e-05 or 1e-06 relative".
[[nodiscard]] std::string to_string(const Tolerance& tolerance);
/// "out within 1e-05 of default".
[[nodiscard]] std::string to_string(const KernelDescription& description, const OutputCheck& check);

}  // namespace redtune::kernels
