// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What redtune adds to a driver's launch, in nanoseconds on this host: planning, binding, and the
// way through the device. The driver itself does nothing here, so no GPU is needed; that is also
// why this bench goes beneath the public API, behind which there is always a real device.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <memory>
#include <vector>

#include "bench/null_api.hpp"
#include "device/gpu/device.hpp"
#include "kernel_templates/family.hpp"
#include "redtune/error.hpp"
#include "runtime/loaded_config.hpp"

namespace redtune::bench {
namespace {

using NullDevice = device::gpu::GpuDevice<NullApi>;

constexpr int rounds = 101;
constexpr int launches_per_round = 10'000;
constexpr std::int64_t smallest_count = std::int64_t{1} << 20;

/// Makes the compiler believe that the value is used.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

/// Median nanoseconds of one action; it is told a count that is never the one before.
template <class Action>
double nanoseconds(const Action& action) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    const auto begin = Clock::now();
    for (int i = 0; i < launches_per_round; ++i) action(smallest_count + 1000 * i);
    const std::chrono::duration<double, std::nano> spent = Clock::now() - begin;
    times.push_back(spent.count() / launches_per_round);
  }
  std::ranges::nth_element(times, times.begin() + rounds / 2);
  return times[rounds / 2];
}

/// What a program pays that fills the driver's arguments by hand for a grid it knows.
void launch_bare(const void* in, std::int64_t count, void* out) {
  std::array<void*, 3> arguments{static_cast<void*>(&in), &count, static_cast<void*>(&out)};
  (void)NullApi::launch(nullptr, {1024, 256}, nullptr, arguments.data());
}

struct Row {
  const char* name;
  const char* settings;
};

constexpr Row table[] = {
    {"strided", "finish=last_block tile_order=strided blocks_per_unit=4"},
    {"chunked", "finish=last_block tile_order=chunked blocks_per_unit=4"},
    {"second pass", "finish=second_pass tile_order=strided blocks_per_unit=4"},
};

/// A GPU of ordinary size. Its kernels are none, so that nothing is compiled.
runtime::LoadedConfig config_of(const Row& row, const Limits& limits) {
  return runtime::LoadedConfig(
      {&kernels::find_family("reduce"), make_problem(Op::sum, DType::f32, smallest_count),
       parse_settings(row.settings), limits},
      nullptr, std::vector<device::Kernel>(kernels::most_calls));
}

void run() {
  const Limits limits{.wave_size = 32, .compute_units = 132};
  const std::unique_ptr<device::Device> device =
      std::make_unique<NullDevice>(0, device::gpu::Facts{.identity = {}, .limits = limits});
  float in = 0;
  float out = 0;
  const double bare = nanoseconds([&](std::int64_t count) { launch_bare(&in, count, &out); });
  fmt::print("nanoseconds, median of {} rounds\n", rounds);
  fmt::print("bare launch       {:6.1f}\n\n", bare);
  fmt::print("{:<12} {:>18} {:>10} {:>11}\n", "", "plan and bind", "in all", "above bare");
  for (const Row& row : table) {
    const runtime::LoadedConfig config = config_of(row, limits);
    const runtime::Workspace workspace = config.make_workspace(*device);
    const double planned = nanoseconds([&](std::int64_t count) {
      keep(config.launches({&in, count, &out}, workspace));
    });
    const double all = nanoseconds([&](std::int64_t count) {
      device->launch(config.launches({&in, count, &out}, workspace), {});
    });
    fmt::print("{:<12} {:>18.1f} {:>10.1f} {:>11.1f}\n", row.name, planned, all, all - bare);
  }
}

}  // namespace
}  // namespace redtune::bench

int main() try { redtune::bench::run(); } catch (const redtune::Error& error) {
  fmt::print(stderr, "launch_overhead: {}\n", error.what());
  return static_cast<int>(error.exit_code());
}
