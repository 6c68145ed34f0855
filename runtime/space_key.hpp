// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What makes two search spaces the same: the kernel text and the tunables with their values.
#pragma once

#include <string>

#include "kernel_templates/family/family.hpp"

namespace redtune::runtime {

[[nodiscard]] std::string space_key(const kernels::Family& family);

}  // namespace redtune::runtime
