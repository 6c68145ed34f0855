// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A comparing program from its command line to its exit code.
#pragma once

namespace redtune::compare {

[[nodiscard]] int run_program(int argc, char** argv);

}  // namespace redtune::compare
