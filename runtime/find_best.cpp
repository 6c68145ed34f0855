// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "redtune/find_best.hpp"

#include <fmt/format.h>
#include <optional>
#include <vector>

#include "redtune/error.hpp"
#include "redtune/suggest.hpp"
#include "runtime/resolve.hpp"
#include "runtime/wanted.hpp"

namespace redtune {

std::string value_of(const Settings& settings, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Setting& setting : settings) {
    if (setting.name == name) return setting.value;
    names.push_back(setting.name);
  }
  throw UsageError(
      fmt::format("no setting '{}'{}; there are {}", name, suggest(name, names), join(names)));
}

DeviceIdentity identify_device(std::string_view device) {
  return device::open(runtime::registry().select(device))->identity();
}

Answer find_best(const Problem& problem, const DeviceIdentity& device,
                 const LookupOptions& options) {
  std::optional<LookupOptions> place;
  const LookupOptions& lookup = runtime::completed(options, place);
  Answer answer = runtime::resolve_any(problem, device, runtime::limits_of(device), lookup).answer;
  runtime::want(answer, device);
  runtime::require_match(answer, lookup);
  return answer;
}

}  // namespace redtune
