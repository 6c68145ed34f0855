// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A process of its own: prints the bits that a pinned Reducer gives with this results file.
#include "tests/runtime/pinned_bits.hpp"

#include <cstdlib>

int main(int argc, char** argv) try {
  using namespace redtune::testing_runtime;
  const redtune::Reducer reducer = pinned_reducer(argc > 1 ? argv[1] : "");
  redtune::Workspace workspace = reducer.make_workspace();
  fmt::print("{}", bits_of(reducer, workspace));
} catch (const redtune::Error& error) {
  fmt::print("{}", error.what());
  return EXIT_FAILURE;
}
