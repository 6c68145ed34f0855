// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Rows of text as an aligned table.
#pragma once

#include <string>
#include <vector>

namespace redtune::tuner {

/// The first row is the header. Columns whose cells below the header all start with a digit, a sign
/// or a dash are aligned to the right. Cells are printable() first.
[[nodiscard]] std::string table(std::vector<std::vector<std::string>> rows);

}  // namespace redtune::tuner
