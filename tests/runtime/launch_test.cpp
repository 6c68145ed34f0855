// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a launch costs a program beside the driver's work: nothing is taken from the heap.
#include <array>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "bench/null_api.hpp"
#include "device/gpu/device.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/reducer.hpp"
#include "runtime/loaded_config.hpp"
#include "tests/runtime/count_allocations.hpp"

namespace redtune {
namespace {

using testing_runtime::allocations_of;
using NullDevice = device::gpu::GpuDevice<bench::NullApi>;

TEST(Allocations, AreCounted) {
  EXPECT_EQ(allocations_of([] {}), 0);
  EXPECT_EQ(allocations_of([] { std::vector<int>(100).front() = 1; }), 1);
  struct alignas(64) Line {
    char bytes[64];
  };
  EXPECT_EQ(allocations_of([] { std::vector<Line> lines(3); }), 1);
}

/// Counts around every border of a plan.
constexpr std::array<std::int64_t, 8> counts{
    0, 1, 4095, 4097, 65'543, 1 << 24, std::int64_t{1} << 32, std::int64_t{1} << 40};

TEST(Launch, OnAGpuTakesNothingFromTheHeapInAnyConfig) {
  const Limits limits{.wave_size = 32, .compute_units = 132};
  const std::unique_ptr<device::Device> device =
      std::make_unique<NullDevice>(0, device::gpu::Facts{.identity = {}, .limits = limits});
  const Problem problem = make_problem(Op::sum, DType::f32, std::int64_t{1} << 24);
  for (const kernels::Family* family : kernels::all_families()) {
    const search::Space space = family->space(problem, limits);
    for (std::size_t rank = 0; rank < space.size(); rank += 13) {
      const Settings settings = family->settings_at(space[rank]);
      const runtime::LoadedConfig config({family, problem, settings, limits}, nullptr,
                                         std::vector<device::Kernel>(kernels::most_calls));
      const runtime::Workspace workspace = config.make_workspace(*device);
      float out = 0;
      for (const std::int64_t count : counts) {
        ASSERT_EQ(allocations_of([&] {
                    device->launch(config.launches({&out, {.count = count}, &out}, workspace), {});
                  }),
                  0)
            << to_string(settings) << " for " << count;
      }
    }
  }
}

TEST(Launch, ThroughAReducerTakesNothingFromTheHeap) {
  Reducer reducer(make_problem(Op::sum, DType::f32, 100'000),
                  {.device = "host", .lookup = {.cache_file = "/nonexistent/redtune.db"}});
  const std::vector<float> values(100'000, 1.0F);
  float out = 0;
  reducer.launch(values.data(), 1, &out);  // the host's lanes get their stacks
  for (const std::int64_t count : {100'000, 0, 1, 4097, 99'999}) {
    EXPECT_EQ(allocations_of([&] { reducer.launch(values.data(), count, &out); }), 0) << count;
    reducer.synchronize();
    EXPECT_EQ(out, static_cast<float>(count));
  }
}

TEST(Launch, OfEveryClassTakesNothingFromTheHeapFromTheFirstTimeOn) {
  const Reducer reducer(make_problem(Op::sum, DType::f32, 100'000),
                        {.device = "host", .lookup = {.cache_file = "/nonexistent/redtune.db"}});
  Workspace workspace = reducer.make_workspace();
  const std::vector<float> values(1 << 20, 1.0F);
  float out = 0;
  ASSERT_GT(reducer.size_classes().size(), 1U);
  for (const SizeClass& one : reducer.size_classes()) {
    const std::int64_t count = one.first;
    if (count > (1 << 20)) continue;
    const auto launch = [&] { reducer.launch(values.data(), count, &out, workspace); };
    if (one.first == 0) launch();  // the host's lanes get their stacks
    EXPECT_EQ(allocations_of(launch), 0) << count;
    EXPECT_EQ(out, static_cast<float>(count));
  }
}

TEST(Launch, OfRowsOfAnyExtentsTakesNothingFromTheHeap) {
  const std::string text = R"(struct custom {
  static accumulator identity() { return 0; }
  static accumulator combine(accumulator a, accumulator b) { return a + b; }
  static accumulator transform(element x) { return x; }  // so long that a copy is on the heap
};
)";
  Reducer reducer(make_problem(CustomOp{"plain_sum", text}, DType::f32, Shape::rows(300, 100)),
                  {.device = "host", .lookup = {.cache_file = "/nonexistent/redtune.db"}});
  const std::vector<float> values(30'000, 1.0F);
  std::vector<float> out(300);
  reducer.launch(values.data(), Shape::rows(300, 100), out.data());  // lanes get their stacks
  for (const Shape& shape :
       {Shape::rows(300, 100), Shape::rows(3, 1000), Shape::rows(30, 70, 71), Shape::rows(0, 5)}) {
    EXPECT_EQ(allocations_of([&] { reducer.launch(values.data(), shape, out.data()); }), 0)
        << describe_shape(shape);
    reducer.synchronize();
  }
}

}  // namespace
}  // namespace redtune
