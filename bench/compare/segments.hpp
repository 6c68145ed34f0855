// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where the segments of a cell begin and end: as those that redtune tunes for.
#pragma once

#include <cstddef>
#include <vector>

#include "redtune/problem.hpp"

namespace redtune::compare {

/// As they lie behind the elements of each copy of an input: one more than there are segments.
[[nodiscard]] std::vector<std::byte> offsets_in_memory(const Shape& shape);

}  // namespace redtune::compare
