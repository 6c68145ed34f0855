// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The keys of spaces, from their families' texts: half a millisecond each, paid when redtune is
// built.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "kernel_templates/family/family.hpp"

namespace redtune::runtime {

[[nodiscard]] std::string compute_space_key(const kernels::Family& family);

struct SpaceKey {
  std::string_view family;
  std::string_view key;
};

/// Of all families, in a source that write_space_keys.cpp wrote.
[[nodiscard]] std::span<const SpaceKey> built_space_keys();

}  // namespace redtune::runtime
