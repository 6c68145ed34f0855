// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How many elements rows of sparse matrices have, of kinds that everybody meets: segments that are
// spread in other ways than the tuner's. Formulas and their sources:
// docs/how-to/compare_with_cub.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "redtune/problem.hpp"

namespace redtune::compare {

/// equal: all the same. rmat: links of pages and people, by a power law. mesh: neighbours in a
/// grid. lognormal: ratings of users. half_empty: half of the rows, here and there, have nothing.
enum class Degrees { equal, rmat, mesh, lognormal, half_empty };
[[nodiscard]] std::string_view to_string(Degrees degrees);
[[nodiscard]] std::span<const Degrees> all_degrees();

/// The class of lengths that comes nearest, for whoever looks for what was tuned.
[[nodiscard]] Skew usual_skew(Degrees degrees);
/// Elements that so many rows have where nobody says how many; nothing where there is no usual
/// number.
[[nodiscard]] std::optional<std::int64_t> usual_elements(Degrees degrees, std::int64_t rows);

/// Where each of the segments begins that share all elements of a shape in these ratios, and where
/// the last ends. A function of its arguments alone.
[[nodiscard]] std::vector<std::int64_t> offsets_of_degrees(Degrees degrees, const Shape& shape);

/// Rows that have the elements of these segments, where all of them are as long.
[[nodiscard]] std::optional<Shape> rows_beside(const Shape& shape, std::optional<Degrees> degrees);

}  // namespace redtune::compare
