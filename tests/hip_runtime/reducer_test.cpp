// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The library on a fictional AMD GPU, called as an application calls it: on streams and in
// graphs of its own. What a launch asks of the driver is read from the record of calls.
#include "redtune/reducer.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "redtune/kernel.hpp"
#include "redtune/reduce_by_key.hpp"
#include "tests/hip_runtime/application.hpp"
#include "tests/runtime/published.hpp"

namespace redtune {
namespace {

using testing_runtime::calls;
using testing_runtime::DeviceArray;

constexpr std::int64_t most = 5000;

/// Launches, and asking which device is current, so that it can be left as it was.
const std::set<std::string> may_be_called{"hipModuleLaunchKernel", "hipGetDevice", "hipSetDevice"};

class OnAFictionalGpu : public testing::Test {
 protected:
  OnAFictionalGpu() {
    const DeviceIdentity device = identify_device("hip:0");
    publish(device, 100, "64", "single_block");
    publish(device, 1000, "64", "second_pass");
    publish(device, most, "64", "last_block");
    EXPECT_EQ(hipStreamCreate(&stream_), hipSuccess);
    values_.write(std::vector<std::int32_t>(most, 2), stream_);
  }
  ~OnAFictionalGpu() override { (void)hipStreamDestroy(stream_); }

  [[nodiscard]] Reducer reducer() const {
    return Reducer(problem(1000), {.device = "hip:0", .lookup = results_.options()});
  }
  static Problem problem(std::int64_t count) { return make_problem(Op::sum, DType::i32, count); }

  hipStream_t stream_ = nullptr;
  DeviceArray<std::int32_t> values_{most};
  DeviceArray<std::int64_t> out_{1};

 private:
  void publish(const DeviceIdentity& device, std::int64_t count, const char* block,
               const char* finish) {
    Settings settings = parse_settings(
        "finish=? block_size=? items_per_thread=4 vector_width=4 blocks_per_unit=1 "
        "tile_order=strided load=cached fence=full cluster_size=1 early_start=off "
        "slot_stride=8 slot_reader=wave slot_wait=all exact_tiles=off");
    settings[0].value = finish;
    settings[1].value = block;
    if (std::string_view(finish) == "single_block") settings[4].value = "0";
    results_.publish(problem(count), device, settings);
  }

  testing_runtime::ResultsFile results_;
};

TEST_F(OnAFictionalGpu, LaunchesOnTheCallersStream) {
  Reducer sum = reducer();
  EXPECT_EQ(sum.answer().match, Match::exact);
  for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{100}, most}) {
    sum.launch(values_.data(), count, out_.data(), stream_);
    EXPECT_EQ(out_.first(stream_), 2 * count);
  }
}

TEST_F(OnAFictionalGpu, ALaunchCallsNothingButLaunches) {
  const Reducer sum = reducer();
  Workspace workspace = sum.make_workspace();
  const std::size_t before = calls().size();
  ASSERT_GT(before, 0U);
  for (const SizeClass& one : sum.size_classes()) {
    if (one.first <= most) sum.launch(values_.data(), one.first, out_.data(), workspace, stream_);
  }
  const std::vector<std::string> made = calls(before);
  EXPECT_TRUE(std::ranges::find(made, "hipModuleLaunchKernel") != made.end());
  EXPECT_EQ(made.front(), "hipGetDevice");  // no stream of HIP's stands for it
  for (const std::string& name : made) EXPECT_TRUE(may_be_called.contains(name)) << name;
  EXPECT_EQ(hipStreamSynchronize(stream_), hipSuccess);
}

/// Made in memory that is there, made again, and used: by launches, and nothing else is called.
TEST_F(OnAFictionalGpu, APlanOfSegmentsIsMadeAndUsedByLaunchesAlone) {
  constexpr std::int64_t segments = 100;
  const Reducer sums(
      make_problem(Op::sum, DType::i32, Shape::segments(most, segments, 32, Skew::giant)),
      {.device = "hip:0", .lookup = testing_runtime::ResultsFile().options(Match::fallback)});
  std::vector<std::int32_t> offsets(segments + 1);
  for (std::size_t i = 1; i < offsets.size(); ++i) {
    offsets[i] = offsets[i - 1] + (i == 50 ? 3000 : static_cast<std::int32_t>(i % 40));
  }
  const DeviceArray<std::int32_t> there(offsets.size());
  const DeviceArray<std::int64_t> out(segments);
  there.write(offsets, stream_);
  const SegmentOffsets known = segments_at(there.data(), segments);
  for (const PlanWay way : {PlanWay::shares, PlanWay::bins}) {
    SegmentPlan plan = sums.plan_segments(most, known, {.way = way}, stream_);
    const std::size_t before = calls().size();
    plan.update(known, stream_);
    sums.launch(values_.data(), plan, out.data(), stream_);
    const std::vector<std::string> made = calls(before);
    EXPECT_GE(std::ranges::count(made, "hipModuleLaunchKernel"), 3);
    for (const std::string& name : made) EXPECT_TRUE(may_be_called.contains(name)) << name;
    const std::vector<std::int64_t> results = out.read(segments, stream_);
    for (std::size_t i = 0; i < results.size(); ++i) {
      EXPECT_EQ(results[i], 2 * (offsets[i + 1] - offsets[i])) << i;
    }
  }
}

/// How many groups there are is found, and used, without the host.
TEST_F(OnAFictionalGpu, AReductionByKeyCallsNothingButLaunches) {
  for (const ByKeyWay way : {ByKeyWay::tiles, ByKeyWay::segments}) {
    ByKeyReducer sums(
        make_problem(Op::sum, DType::i32, Shape::segments(most, 100)), 32,
        {.device = "hip:0", .lookup = testing_runtime::ResultsFile().options(Match::fallback)},
        {.way = way});
    std::vector<std::int32_t> keys(most);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::int32_t>(i / 50);
    const DeviceArray<std::int32_t> there(keys.size());
    const DeviceArray<std::int64_t> out(keys.size());
    const DeviceArray<std::int64_t> groups(1);
    there.write(keys, stream_);
    const std::size_t before = calls().size();
    sums.launch(there.data(), values_.data(), most, nullptr, out.data(), groups.data(), stream_);
    const std::vector<std::string> made = calls(before);
    EXPECT_EQ(std::ranges::count(made, "hipModuleLaunchKernel"), way == ByKeyWay::tiles ? 1 : 3);
    for (const std::string& name : made) EXPECT_TRUE(may_be_called.contains(name)) << name;
    EXPECT_EQ(groups.first(stream_), 100);
    EXPECT_EQ(out.first(stream_), 100);
  }
}

/// What a launch in tiles leaves to the next one is in the device's memory, so that a graph may be
/// launched again and again.
TEST_F(OnAFictionalGpu, AReductionByKeyInTilesCanBeCaptured) {
  ByKeyReducer sums(
      make_problem(Op::sum, DType::i32, Shape::segments(most, 100)), 32,
      {.device = "hip:0", .lookup = testing_runtime::ResultsFile().options(Match::fallback)},
      {.way = ByKeyWay::tiles, .tiles = parse_settings("block_size=64 items_per_thread=1")});
  std::vector<std::int32_t> keys(most);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::int32_t>(i / 50);
  const DeviceArray<std::int32_t> there(keys.size());
  const DeviceArray<std::int64_t> out(keys.size());
  const DeviceArray<std::int64_t> groups(1);
  there.write(keys, stream_);
  hipGraph_t graph = nullptr;
  hipGraphExec_t ready = nullptr;
  ASSERT_EQ(hipStreamBeginCapture(stream_, hipStreamCaptureModeGlobal), hipSuccess);
  sums.launch(there.data(), values_.data(), most, nullptr, out.data(), groups.data(), stream_);
  ASSERT_EQ(hipStreamEndCapture(stream_, &graph), hipSuccess);
  ASSERT_EQ(hipGraphInstantiate(&ready, graph, nullptr, nullptr, 0), hipSuccess);
  for (int each = 1; each < 5; ++each) {
    values_.write(std::vector<std::int32_t>(most, each), stream_);
    ASSERT_EQ(hipGraphLaunch(ready, stream_), hipSuccess);
    EXPECT_EQ(groups.first(stream_), 100);
    EXPECT_EQ(out.first(stream_), 50 * each);
  }
  EXPECT_EQ(hipGraphExecDestroy(ready), hipSuccess);
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
}

TEST_F(OnAFictionalGpu, TheFirstLaunchOfEveryClassCanBeCaptured) {
  const Reducer sum = reducer();
  for (const std::int64_t count : {std::int64_t{100}, std::int64_t{1000}, most}) {
    Workspace workspace = sum.make_workspace();
    hipGraph_t graph = nullptr;
    hipGraphExec_t ready = nullptr;
    ASSERT_EQ(hipStreamBeginCapture(stream_, hipStreamCaptureModeGlobal), hipSuccess);
    sum.launch(values_.data(), count, out_.data(), workspace, stream_);
    ASSERT_EQ(hipStreamEndCapture(stream_, &graph), hipSuccess);
    ASSERT_EQ(hipGraphInstantiate(&ready, graph, nullptr, nullptr, 0), hipSuccess);
    for (int each = 1; each < 4; ++each) {
      values_.write(std::vector<std::int32_t>(most, each), stream_);
      ASSERT_EQ(hipGraphLaunch(ready, stream_), hipSuccess);
      EXPECT_EQ(out_.first(stream_), each * count);
    }
    EXPECT_EQ(hipGraphExecDestroy(ready), hipSuccess);
    EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
  }
}

/// A kernel of a user's, with a variable in constant memory.
class OwnKernelOnAFictionalGpu : public OnAFictionalGpu {
 protected:
  OwnKernelOnAFictionalGpu() {
    cache::testing::write_text(folder_ / "weighted.hip.cpp", R"(// redtune: kernel  weighted<BLOCK>
// redtune: tune    BLOCK = 64, 128  default 64
// redtune: size    n = 1000
// redtune: launch  block = BLOCK  grid = ceil(n / BLOCK)
// redtune: arg     int out[n] out
// redtune: arg     const int in[n] counting
// redtune: arg     constant int weights[2] counting
// redtune: arg     int n
// redtune: arg     int block = BLOCK
__constant__ int weights[2];
template <int BLOCK>
__global__ void weighted(int* out, const int* in, int n, int block) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) out[i] = in[i] * weights[0] + weights[1] * block;
}
)");
  }
  [[nodiscard]] Kernel kernel() const {
    Kernel made((folder_ / "weighted.hip.cpp").string(),
                {.device = "hip:0", .lookup = kernel_results_.options()});
    const std::int32_t weights[] = {10, 1};
    made.set_constant("weights", weights, sizeof(weights));
    return made;
  }

  cache::testing::ScratchFolder folder_;
  testing_runtime::ResultsFile kernel_results_;
};

TEST_F(OwnKernelOnAFictionalGpu, IsLaunchedOnTheCallersStreamWithWhatWasTuned) {
  kernel_results_.publish(kernel().answer({4000}).problem, identify_device("hip:0"),
                          parse_settings("BLOCK=128"));
  Kernel kernel = this->kernel();
  const DeviceArray<std::int32_t> out(most);
  kernel.launch(stream_, {4000}, out.data(), values_.data(), 4000);
  EXPECT_EQ(out.first(stream_), 148);
  kernel.launch(stream_, {10}, out.data(), values_.data(), 10);
  EXPECT_EQ(out.first(stream_), 84);
  const std::int32_t weights[] = {1, 2};
  kernel.set_constant("weights", weights, sizeof(weights));
  kernel.launch(stream_, {4000}, out.data(), values_.data(), 4000);
  EXPECT_EQ(out.first(stream_), 258);
}

TEST_F(OwnKernelOnAFictionalGpu, OfPreparedSizesCallsNothingButLaunchesAndCanBeCaptured) {
  const Kernel kernel = this->kernel();
  const DeviceArray<std::int32_t> out(most);
  kernel.prepare({1000});
  const std::size_t before = calls().size();
  ASSERT_GT(before, 0U);
  hipGraph_t graph = nullptr;
  hipGraphExec_t ready = nullptr;
  ASSERT_EQ(hipStreamBeginCapture(stream_, hipStreamCaptureModeGlobal), hipSuccess);
  kernel.launch(stream_, {1000}, out.data(), values_.data(), 1000);
  ASSERT_EQ(hipStreamEndCapture(stream_, &graph), hipSuccess);
  std::vector<std::string> made = calls();
  made.erase(made.begin(), made.begin() + static_cast<std::ptrdiff_t>(before));
  EXPECT_EQ(std::ranges::count(made, "hipModuleLaunchKernel"), 1);
  ASSERT_EQ(made.front(), "hipStreamBeginCapture");
  ASSERT_EQ(made.back(), "hipStreamEndCapture");
  for (std::size_t i = 1; i + 1 < made.size(); ++i) {
    EXPECT_TRUE(may_be_called.contains(made[i])) << made[i];
  }
  ASSERT_EQ(hipGraphInstantiate(&ready, graph, nullptr, nullptr, 0), hipSuccess);
  for (int each = 1; each < 4; ++each) {
    values_.write(std::vector<std::int32_t>(most, each), stream_);
    ASSERT_EQ(hipGraphLaunch(ready, stream_), hipSuccess);
    EXPECT_EQ(out.first(stream_), 10 * each + 64);
  }
  EXPECT_EQ(hipGraphExecDestroy(ready), hipSuccess);
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
}

TEST_F(OwnKernelOnAFictionalGpu, IsSharedByThreadsWithStreamsOfTheirOwn) {
  const Kernel kernel = this->kernel();
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      hipStream_t stream = nullptr;
      EXPECT_EQ(hipStreamCreate(&stream), hipSuccess);
      {
        const DeviceArray<std::int32_t> out(most);
        for (int n = 1 + t; n < most; n += 500) {
          kernel.launch(stream, {n}, out.data(), values_.data(), n);
          EXPECT_EQ(out.first(stream), 84);
        }
      }
      EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(OnAFictionalGpu, SeveralStreamsShareAReducer) {
  const Reducer sum = reducer();
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      hipStream_t stream = nullptr;
      EXPECT_EQ(hipStreamCreate(&stream), hipSuccess);
      {
        const DeviceArray<std::int64_t> out(1);
        Workspace workspace = sum.make_workspace();
        for (std::int64_t count = 50 + t; count < most; count += 700) {
          sum.launch(values_.data(), count, out.data(), workspace, stream);
          EXPECT_EQ(out.first(stream), 2 * count);
        }
      }
      EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace redtune
