// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune's tuned reductions beside CUB's and Thrust's, in one process, in turns on the same input.
// docs/how-to/compare_with_cub.md tells how to build and use it, also without CMake.
#include "bench/compare/program.hpp"

int main(int argc, char** argv) {
  return redtune::compare::run_program(argc, argv);
}
