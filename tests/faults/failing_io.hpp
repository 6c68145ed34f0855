// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The environment variables that tell the preloaded failing_io which call is to fail.
#pragma once

namespace redtune::testing_faults {

inline constexpr const char* folder_variable = "REDTUNE_FAIL_UNDER";  ///< only files below count
inline constexpr const char* calls_variable = "REDTUNE_FAIL_CALLS";   ///< write sync truncate ...
inline constexpr const char* at_variable = "REDTUNE_FAIL_AT";         ///< the first is 1
inline constexpr const char* error_variable = "REDTUNE_FAIL_ERRNO";
inline constexpr const char* lasting_variable = "REDTUNE_FAIL_LASTING";  ///< 1: and all after it
inline constexpr const char* report_variable = "REDTUNE_FAIL_REPORT";    ///< a line per failure

}  // namespace redtune::testing_faults
