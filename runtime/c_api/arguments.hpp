// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The structs of redtune.h as the library's own.
#pragma once

#include "redtune.h"
#include "redtune/problem.hpp"
#include "redtune/reducer.hpp"

namespace redtune::c_api {

/// All throw UsageError.
[[nodiscard]] Shape shape_of(const redtune_array* given);
[[nodiscard]] Problem problem_of(const redtune_problem* given);
[[nodiscard]] ReducerOptions options_of(const redtune_options* given);

[[nodiscard]] SegmentOffsets segments_of(const redtune_segments* given);
/// May be null.
[[nodiscard]] SegmentPlanOptions plan_options_of(const redtune_plan_options* given);
/// The lengths must have a size.
void fill(redtune_lengths& lengths, const SegmentLengths& found);

/// As redtune_result has it: "value".
[[nodiscard]] const char* name_of(ResultShape shape);

/// What a problem gives; the result must have a size.
void fill(redtune_result& result, const Problem& problem);

/// Writes the extents and pitches of a shape; the array must have a size.
void fill(redtune_array& array, const Shape& shape);

}  // namespace redtune::c_api
