// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Runs while redtune is built: prints a source with the keys of all spaces.
#include <cstdio>
#include <string>

#include "runtime/compute_space_key.hpp"

int main() {
  std::puts("#include \"runtime/compute_space_key.hpp\"\n");
  std::puts("namespace redtune::runtime {\n\nstd::span<const SpaceKey> built_space_keys() {");
  std::puts("  static constexpr SpaceKey keys[] = {");
  for (const redtune::kernels::Family* family : redtune::kernels::all_families()) {
    std::printf("      {\"%s\", \"%s\"},\n", std::string(family->name()).c_str(),
                redtune::runtime::compute_space_key(*family).c_str());
  }
  std::puts("  };\n  return keys;\n}\n\n}  // namespace redtune::runtime");
}
