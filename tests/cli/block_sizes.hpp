// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A whole space is compiled in parts, one for each block size that GPUs run.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "kernel_templates/family/family.hpp"

namespace redtune::cli {

[[nodiscard]] inline std::vector<std::string> block_sizes_of_gpus() {
  std::vector<std::string> sizes;
  for (const auto& tunable : kernels::find_family("reduce").tunables()) {
    if (tunable.name != "block_size") continue;
    std::ranges::copy_if(tunable.values, std::back_inserter(sizes),
                         [](const std::string& value) { return std::stoi(value) >= 64; });
  }
  return sizes;
}

}  // namespace redtune::cli
