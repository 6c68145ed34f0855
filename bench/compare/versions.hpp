// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Versions, as each vendor writes them. Defined once in each program.
#pragma once

#include <string>

namespace redtune::compare {

/// Of a driver or runtime.
[[nodiscard]] std::string version_text(int number);
[[nodiscard]] std::string library_version();
/// Of the compiler that compiled the library's templates.
[[nodiscard]] std::string compiler_version();

}  // namespace redtune::compare
