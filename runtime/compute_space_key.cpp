// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/compute_space_key.hpp"

#include <string>

#include "cache/keys/key.hpp"
#include "runtime/protocol_version.hpp"

namespace redtune::runtime {

std::string compute_space_key(const kernels::Family& family) {
  cache::Fields fields{{"family", std::string(family.name())},
                       {"device_text", family.device_text(Problem{})},
                       {"protocol", std::to_string(protocol_version)}};
  for (const kernels::TunableInfo& tunable : family.tunables()) {
    std::string values;
    for (const std::string& value : tunable.values) values += value + ' ';
    fields.push_back({"tunable " + tunable.name, values});
  }
  return cache::make_key("space", std::move(fields)).hash;
}

}  // namespace redtune::runtime
