// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where the segments of a cell begin and end, or which element belongs to which: as those that
// redtune tunes for, or as rows of sparse matrices.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "bench/compare/degrees.hpp"
#include "redtune/problem.hpp"

namespace redtune::compare {

/// As they lie behind the elements of each copy of an input: one more than there are segments.
[[nodiscard]] std::vector<std::byte> offsets_in_memory(const Shape& shape,
                                                       std::optional<Degrees> degrees);

struct Keys {
  std::vector<std::byte> bytes;
  std::int64_t groups = 0;
};
/// A key for each element, the number of its segment; segments of nothing have none.
[[nodiscard]] Keys keys_in_memory(const Shape& shape, std::optional<Degrees> degrees);

}  // namespace redtune::compare
