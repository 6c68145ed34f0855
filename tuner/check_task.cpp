// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a task must be before it is worth a device, and whether a device has room for it.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
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

double good_enough_us(const std::string& text, const Problem& problem) {
  struct Unit {
    std::string_view name;
    double us;  ///< 0: a speed
  };
  constexpr Unit units[] = {{"ns", 1e-3}, {"us", 1}, {"ms", 1e3}, {"GB/s", 0}, {"s", 1e6}};
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  const std::string_view name(rest, static_cast<std::size_t>(end - rest));
  const auto unit = std::ranges::find(units, name, &Unit::name);
  if (error != std::errc{} || unit == std::end(units) || !std::isfinite(value) || value <= 0) {
    throw UsageError(fmt::format(
        "what is good enough is '{}'; write a time or a speed: 25us, 1.5ms, 3000GB/s", text));
  }
  if (unit->us > 0) return value * unit->us;
  return kernels::family_of(problem).bytes_moved(problem) / value / 1e3;
}

void check_task(const TuneTask& task) {
  if (!task.good_enough.empty())
    (void)good_enough_us(task.good_enough, make_problem(Op::sum, DType::f32, 1));
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
