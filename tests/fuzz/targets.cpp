// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tests/fuzz/targets.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace redtune::fuzz {

std::span<const Target> targets() {
  static constexpr std::array all{
#define REDTUNE_FUZZ_TARGET(name) Target{#name, read_##name, name##_samples},
#include "tests/fuzz/targets.def"
#undef REDTUNE_FUZZ_TARGET
  };
  return all;
}

void promise(bool kept, const char* what) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

}  // namespace redtune::fuzz
