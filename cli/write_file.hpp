// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Files that a person named; others are replaced at once or not at all, see cache/files/files.hpp.
#pragma once

#include <string>

namespace redtune::cli {

/// With the modes of a file to give away, and into a pipe too. Throws IoError.
void write_file(const std::string& file, const std::string& bytes);

}  // namespace redtune::cli
