// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The targets that the compiler of the HIP runtime for tests takes.
#pragma once

#include <span>
#include <string_view>

namespace redtune::testing::hip {

struct Target {
  std::string_view processor;
  std::string_view features;  ///< those it can be asked for, each between spaces
};
[[nodiscard]] std::span<const Target> all_targets();

/// "gfx90a", or with each of its features at most once: "gfx90a:sramecc+:xnack-".
[[nodiscard]] bool is_target(std::string_view isa);

[[nodiscard]] int wave_size_of(std::string_view isa);

}  // namespace redtune::testing::hip
