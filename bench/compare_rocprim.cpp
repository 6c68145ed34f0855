// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune's tuned reductions beside rocPRIM's, in one process, in turns on the same input. Needs
// libredtune.so and its headers and nothing else of redtune. Without CMake, from the root of the
// source, with redtune installed in $REDTUNE (one line):
//
//   hipcc -std=c++20 -O2 -x hip -I. -I$REDTUNE/include -o compare_rocprim
//     bench/compare_rocprim.cpp bench/compare/*.cu bench/compare/*.cpp
//     bench/compare_rocprim/*.cu bench/compare_rocprim/*.cpp
//     -L$REDTUNE/lib -lredtune -Wl,-rpath,$REDTUNE/lib
//
// docs/how-to/compare_with_rocprim.md tells how to use it.
#include "bench/compare/program.hpp"

int main(int argc, char** argv) {
  return redtune::compare::run_program(argc, argv);
}
