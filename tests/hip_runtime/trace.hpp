// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The record of all calls, in the folder that REDTUNE_TEST_HIP_TRACE names: one file for each
// process, one line for each call, its fields separated by tabs:
//
//   call  number  result  +made or -given back or .  what mattered
//
// A call that hangs, or that a fault makes late, has a line of its own before anything else
// happens, with that as its result. The first line of a process is "process" and its command line;
// "end" is written when it ends by itself, so a file without it is that of a process that was
// killed.
#pragma once

#include <string>
#include <string_view>

namespace redtune::testing::hip {

/// Empty: nothing is recorded.
[[nodiscard]] const std::string& trace_folder();

void write_trace(std::string_view line);

}  // namespace redtune::testing::hip
