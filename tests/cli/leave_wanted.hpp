// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What applications have asked for and nobody has tuned, as their processes leave it behind.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cache/exchange/wanted.hpp"
#include "kernel_templates/family/family.hpp"
#include "runtime/space_key.hpp"
#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {

/// What is asked for by who sums so many on a device.
[[nodiscard]] inline cache::Question sum_asked(std::int64_t count, const DeviceIdentity& device) {
  const Problem problem = make_problem(Op::sum, DType::f32, count);
  const kernels::Family& family = kernels::family_of(problem);
  return {.family = std::string(family.name()),
          .space_key = runtime::space_key(family),
          .problem = problem,
          .device_class = device.device_class,
          .toolchain = device.toolchain};
}

/// As a process leaves it that asked for sums of so many on a device, with so many launches.
inline void leave_wanted(const Home& home, const std::string& process,
                         const std::vector<std::pair<std::int64_t, std::uint64_t>>& asked,
                         const DeviceIdentity& device) {
  std::vector<cache::Asked> questions;
  for (const auto& [count, launches] : asked) {
    questions.push_back({sum_asked(count, device), device.name, Match::fallback, launches});
  }
  std::filesystem::create_directories(home / "data/redtune");
  cache::write_wanted(home / "data/redtune/wanted-v1" / process, questions);
}

}  // namespace redtune::cli
