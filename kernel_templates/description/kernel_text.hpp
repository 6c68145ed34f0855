// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A user's kernel file as run-time compilers take it.
#pragma once

#include <string>

#include "kernel_templates/description/kernel_description.hpp"
#include "redtune/limits.hpp"
#include "search/point.hpp"

namespace redtune::kernels {

/// Whether a compiler knows the words of kernels, or is a C++ compiler that has to be told.
enum class KernelWords { known, told };

/// The file with the files that it includes in quotation marks, and marks of their lines. The
/// vendors' own headers are left out: run-time compilers have what is in them. Throws UsageError
/// with file and line where an included file cannot be read.
[[nodiscard]] std::string text_with_includes(const std::string& path);

/// The whole program of a config: what defines its tunables, and the text.
[[nodiscard]] std::string program_of(const KernelDescription& description, const std::string& text,
                                     const search::Point& config, KernelWords words,
                                     const Limits& limits);

}  // namespace redtune::kernels
