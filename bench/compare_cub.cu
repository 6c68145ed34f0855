// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune's tuned reductions beside CUB's and Thrust's, in one process, in turns on the same input.
// Needs libredtune.so and its headers and nothing else of redtune. Without CMake, from the root of
// the source, with redtune installed in $REDTUNE (one line):
//
//   nvcc -std=c++20 -O2 -arch=native -t 0 -I. -I$REDTUNE/include -o compare_cub
//     bench/compare_cub.cu bench/compare/*.cu bench/compare/*.cpp
//     bench/compare_cub/*.cu bench/compare_cub/*.cpp
//     -L$REDTUNE/lib -lredtune -Xlinker -rpath=$REDTUNE/lib
//
// docs/how-to/compare_with_cub.md tells how to use it.
#include "bench/compare/program.hpp"

int main(int argc, char** argv) {
  return redtune::compare::run_program(argc, argv);
}
