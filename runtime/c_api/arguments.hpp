// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The structs of redtune.h as the library's own.
#pragma once

#include "redtune.h"
#include "redtune/problem.hpp"
#include "redtune/reducer.hpp"

namespace redtune::c_api {

/// Both throw UsageError.
[[nodiscard]] Problem problem_of(const redtune_problem* given);
[[nodiscard]] ReducerOptions options_of(const redtune_options* given);

}  // namespace redtune::c_api
