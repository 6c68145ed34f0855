// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The architectures that kernels are compiled and inspected for, as far as the installed HIP knows
// them: 5.2 ends before gfx942 and gfx1100.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "device/hip/hip_arch.hpp"

namespace redtune::device::hip::testing {

using Architectures = std::vector<std::string>;

/// One of each kind of compute unit, and the two ways in which a driver writes gfx90a.
[[nodiscard]] inline Architectures architectures_of_every_hip() {
  return {"gfx900",  "gfx906",  "gfx908",  "gfx90a",  "gfx90a:sramecc+:xnack-",
          "gfx942",  "gfx950",  "gfx1010", "gfx1030", "gfx1031",
          "gfx1100", "gfx1101", "gfx1200", "gfx1201"};
}

/// Of these, what the installed HIP knows.
[[nodiscard]] inline Architectures architectures() {
  Architectures found = architectures_of_every_hip();
  std::erase_if(found, [](const std::string& arch) {
    return std::ranges::count(known_processors(), processor_of(arch)) == 0;
  });
  return found;
}

/// Two architectures whose kernels are the same but for the name, so that what is shown of the
/// first one's is shown of the other's.
struct Twins {
  std::string first;
  std::string other;
};

[[nodiscard]] inline std::vector<Twins> twins() {
  std::vector<Twins> found;
  const Architectures known = architectures();
  for (const auto& [first, other] : {Twins{"gfx1030", "gfx1031"}, Twins{"gfx1201", "gfx1200"}}) {
    if (std::ranges::count(known, first) + std::ranges::count(known, other) == 2) {
      found.push_back({first, other});
    }
  }
  return found;
}

/// "gfx90a_sramecc_on_xnack_off"; for INSTANTIATE_TEST_SUITE_P.
[[nodiscard]] inline std::string name_of(std::string arch) {
  for (const auto& [sign, word] : {std::pair{'+', "_on"}, {'-', "_off"}, {':', "_"}}) {
    for (auto at = arch.find(sign); at != std::string::npos; at = arch.find(sign)) {
      arch.replace(at, 1, word);
    }
  }
  return arch;
}
inline const auto architecture_name = [](const auto& test) { return name_of(test.param); };

}  // namespace redtune::device::hip::testing
