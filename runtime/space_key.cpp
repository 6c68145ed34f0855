// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/space_key.hpp"

#include "cache/keys/key.hpp"
#include "kernel_templates/description/described_family.hpp"
#include "runtime/compute_space_key.hpp"
#include "runtime/protocol_version.hpp"

namespace redtune::runtime {

std::string space_key(const kernels::Family& family) {
  for (const SpaceKey& row : built_space_keys()) {
    if (row.family == family.name()) return std::string(row.key);
  }
  // The name of a user's kernel says what its configs mean; which there are may change.
  if (kernels::as_described(family) != nullptr) {
    return cache::make_key("space", {{"family", std::string(family.name())},
                                     {"protocol", std::to_string(protocol_version)}})
        .hash;
  }
  return compute_space_key(family);
}

}  // namespace redtune::runtime
