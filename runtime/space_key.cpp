// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/space_key.hpp"

#include "runtime/compute_space_key.hpp"

namespace redtune::runtime {

std::string space_key(const kernels::Family& family) {
  for (const SpaceKey& row : built_space_keys()) {
    if (row.family == family.name()) return std::string(row.key);
  }
  return compute_space_key(family);
}

}  // namespace redtune::runtime
