// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/choices.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "device/registry.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/match.hpp"

namespace redtune::cli {

Choices names_in(const std::vector<DType>& types) {
  Choices names;
  for (const DType type : types) names.emplace_back(to_string(type));
  return names;
}

Choices match_names() {
  Choices names;
  for (const Match match : all_matches) names.emplace_back(to_string(match));
  return names;
}

Choices device_names() {
  Choices names{"auto", "host"};
  for (const int wave : {1, 32, 64}) names.push_back(fmt::format("host:wave{}", wave));
  for (const std::string_view platform : device::platform_names()) {
    if (platform != "host") names.push_back(fmt::format("{}:0", platform));
  }
  return names;
}

Choices family_names() {
  Choices names;
  for (const kernels::Family* family : kernels::all_families()) names.emplace_back(family->name());
  return names;
}

Choices every_setting() {
  Choices settings;
  for (const kernels::Family* family : kernels::all_families()) {
    for (const kernels::TunableInfo& tunable : family->tunables()) {
      for (const std::string& value : tunable.values) {
        settings.push_back(fmt::format("{}={}", tunable.name, value));
      }
    }
  }
  std::ranges::sort(settings);
  const auto repeated = std::ranges::unique(settings);
  settings.erase(repeated.begin(), repeated.end());
  return settings;
}

}  // namespace redtune::cli
