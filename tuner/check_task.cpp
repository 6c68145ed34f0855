// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a task must be before it is worth a device, and whether a device has room for it.
#include <fmt/format.h>
#include <string_view>

#include "redtune/error.hpp"
#include "search/budget.hpp"
#include "search/registry.hpp"
#include "tuner/tuner.hpp"

namespace redtune::tuner {
namespace {

struct Memory {
  std::size_t bytes;
  std::string_view word;  ///< behind the number, for people
};

/// Throws UsageError when there is less than the problem needs.
void require(const Problem& problem, const DeviceIdentity& device, const Memory& memory) {
  const std::size_t bytes = kernels::family_of(problem).bytes_held(problem);
  if (bytes <= memory.bytes) return;
  constexpr double gib = 1 << 30;
  const std::string what =
      problem.op == Op::kernel
          ? fmt::format("the buffers of {}", describe(problem))
          : fmt::format("{} elements of {}", elements_of(problem), to_string(problem.in));
  throw UsageError(fmt::format("{} are {:.1f} GiB; {} has {:.1f} GiB {}", what,
                               static_cast<double>(bytes) / gib, device.name,
                               static_cast<double>(memory.bytes) / gib, memory.word));
}

}  // namespace

void check_task(const TuneTask& task) {
  (void)search::parse_budget(task.budget);
  const search::Space nowhere({});
  (void)search::make_strategy(task.strategy, nowhere, {});
}

void require_memory(const Problem& problem, const DeviceIdentity& device, std::size_t free_bytes) {
  require(problem, device, {free_bytes, "free"});
}

void require_fit(const Problem& problem, const DeviceIdentity& device) {
  const auto bytes = static_cast<std::size_t>(device.device_class.memory_bytes);
  if (bytes > 0) require(problem, device, {bytes, "of memory"});
}

}  // namespace redtune::tuner
