// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// From a file that describes a kernel to a family that is looked up and tuned like any other.
#pragma once

#include <string>
#include <string_view>

#include "kernel_templates/description/described_family.hpp"
#include "redtune/limits.hpp"

namespace redtune::runtime {

/// Reads a description and its kernel's text, and makes the family known to find_family() and
/// family_of(), for as long as the process lives; once, however often it is asked to. platform:
/// whose compiler will take the text. Throws UsageError: one line with file, line and column.
const kernels::DescribedFamily& adopt_kernel(const std::string& path, std::string_view platform,
                                             const Limits& limits);

}  // namespace redtune::runtime
