// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tests/compile_matrix/matrix_target.hpp"

#include <fmt/format.h>

#include "cache/keys/sha256.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/error.hpp"
#include "runtime/resolve.hpp"
#include "tests/kernels/kernel_configs.hpp"

namespace redtune::checks {

Target parse_target(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) {
    throw UsageError(
        fmt::format("'{}' is not a target; write PLATFORM:ARCH, e.g. hip:gfx90a", text));
  }
  device::Platform& platform = runtime::registry().platform(text.substr(0, colon));
  const std::string arch = text.substr(colon + 1);
  const std::string program = kernels::find_family("reduce").device_text(Problem{});
  return {text, std::string(platform.name()), arch, with_units(platform.limits_of(arch)),
          program + platform.compiler().version()};
}

std::vector<tuner::CompileUnit> units_of(const Target& target, const Problem& problem) {
  const kernels::Family& family = kernels::find_family("reduce");
  std::vector<tuner::CompileUnit> units;
  for (const kernels::ReduceConfig& config : kernel_configs(problem, target.limits)) {
    units.push_back(
        family.name_expressions(kernels::settings_of(config), problem, target.limits.wave_size));
  }
  return units;
}

std::string key_of(const Target& target, const Cell& cell) {
  std::string all = target.version;
  for (const tuner::CompileUnit& unit : units_of(target, cell.problem)) {
    for (const std::string& name : unit) all += '\n' + name;
  }
  return fmt::format("{},{},{}", target.text, cell.name(), cache::sha256_hex(all).substr(0, 12));
}

}  // namespace redtune::checks
