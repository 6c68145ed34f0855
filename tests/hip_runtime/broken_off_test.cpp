// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Launches of which the driver refuses a kernel, on a fictional AMD GPU: the kernels before it have
// ended when memory that they use is cleared; in a graph they have not begun, and are not waited
// for. Whatever ran before that launch may run on, so that memory is cleared behind it.
#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>
#include <string>
#include <vector>

#include "redtune/reduce_by_key.hpp"
#include "tests/hip_runtime/application.hpp"
#include "tests/runtime/published.hpp"

namespace redtune {
namespace {

using testing_runtime::calls;
using testing_runtime::DeviceArray;
using Names = std::vector<std::string>;

constexpr std::int64_t most = 5000;
constexpr std::int64_t segments = 50;
constexpr std::int64_t each = most / segments;

/// Launches, and what waits for them.
Names telling(std::size_t before) {
  Names names = calls(before);
  std::erase_if(names, [](const std::string& name) {
    return name != "hipModuleLaunchKernel" && name != "hipStreamSynchronize";
  });
  return names;
}

/// What a launch calls that breaks off, at its second kernel.
Names refused(const std::function<void()>& launch) {
  const std::size_t before = calls().size();
  EXPECT_THROW(launch(), DeviceError);
  return telling(before);
}

const Names not_waited_for{"hipModuleLaunchKernel", "hipModuleLaunchKernel"};
const Names waited_for{"hipModuleLaunchKernel", "hipModuleLaunchKernel", "hipStreamSynchronize"};

std::vector<std::int32_t> in_steps(std::int64_t count, std::int32_t step) {
  std::vector<std::int32_t> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<std::int32_t>(i) * step);
  return values;
}

class BrokenOff : public testing::Test {
 protected:
  BrokenOff() {
    EXPECT_EQ(hipStreamCreate(&stream_), hipSuccess);
    values_.write(std::vector<std::int32_t>(most, 2), stream_);
    keys_.write(keys_of_groups(), stream_);
  }
  ~BrokenOff() override { (void)hipStreamDestroy(stream_); }

  static ReducerOptions options(const testing_runtime::ResultsFile& results) {
    return {.device = "hip:0", .lookup = results.options(Match::fallback)};
  }
  /// What it queues, in order, or waits for; all of it on the stream.
  [[nodiscard]] Names queued_by(const std::function<void()>& launch) const {
    const std::size_t before = calls().size();
    launch();
    Names names;
    for (const std::string& record : testing_runtime::records(before)) {
      const std::string name = record.substr(0, record.find('\t'));
      if (name != "hipModuleLaunchKernel" && name != "hipMemsetAsync" &&
          name != "hipStreamSynchronize") {
        continue;
      }
      names.push_back(name);
      EXPECT_NE(record.find(fmt::format("stream={}", fmt::ptr(stream_))), std::string::npos)
          << record;
    }
    return names;
  }
  /// What a launch calls that breaks off while its stream is captured.
  [[nodiscard]] Names refused_in_a_capture(const std::function<void()>& launch) const {
    hipGraph_t graph = nullptr;
    EXPECT_EQ(hipStreamBeginCapture(stream_, hipStreamCaptureModeGlobal), hipSuccess);
    const Names names = refused(launch);
    EXPECT_EQ(hipStreamEndCapture(stream_, &graph), hipSuccess) << "the capture was disturbed";
    EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
    return names;
  }
  static std::vector<std::int32_t> keys_of_groups() {
    std::vector<std::int32_t> keys(most);
    for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::int32_t>(i) / each;
    return keys;
  }
  void expect_sums(std::int64_t many, std::int64_t sum) const {
    for (const std::int64_t got : out_.read(static_cast<std::size_t>(many), stream_)) {
      EXPECT_EQ(got, sum);
    }
  }

  static ByKeyReducer in_tiles() {
    return {make_problem(Op::sum, DType::i32, Shape::segments(most, segments)),
            32,
            options(testing_runtime::ResultsFile()),
            {.way = ByKeyWay::tiles, .tiles = parse_settings("block_size=64")}};
  }
  void launch_by_key(ByKeyReducer& sums) const {
    sums.launch(keys_.data(), values_.data(), most, nullptr, out_.data(), groups_.data(), stream_);
  }
  /// What the last launch found by key; the next one has to find it again.
  void expect_groups() const {
    EXPECT_EQ(groups_.first(stream_), segments);
    expect_sums(segments, 2 * each);
    groups_.write({-1}, stream_);
  }

  hipStream_t stream_ = nullptr;
  DeviceArray<std::int32_t> keys_{most};
  DeviceArray<std::int64_t> groups_{1};
  DeviceArray<std::int32_t> values_{most};
  DeviceArray<std::int64_t> out_{most};
};

// By their numbers, REDTUNE_TEST_HIP_FAULTS refuses the kernels of which tests below say so.

/// By two kernels.
TEST_F(BrokenOff, ReductionsAreWaitedForUnlessTheyAreCaptured) {
  testing_runtime::ResultsFile results;
  const Problem problem = make_problem(Op::sum, DType::i32, most);
  results.publish(
      problem, identify_device("hip:0"),
      parse_settings(
          "finish=second_pass block_size=64 items_per_thread=4 vector_width=4 "
          "blocks_per_unit=1 tile_order=strided load=cached fence=full cluster_size=1 "
          "early_start=off slot_stride=8 slot_reader=wave slot_wait=all exact_tiles=off"));
  Reducer sum(problem, options(results));
  ASSERT_EQ(sum.answer().match, Match::exact);
  const auto launch = [&] { sum.launch(values_.data(), most, out_.data(), stream_); };
  EXPECT_EQ(refused(launch), waited_for);
  launch();
  expect_sums(1, 2 * most);

  EXPECT_EQ(refused_in_a_capture(launch), not_waited_for);
  launch();
  expect_sums(1, 2 * most);
}

TEST_F(BrokenOff, ReductionsByKeyAreWaitedFor) {
  ByKeyReducer sums(make_problem(Op::sum, DType::i32, Shape::segments(most, segments)), 32,
                    options(testing_runtime::ResultsFile()), {.way = ByKeyWay::segments});
  const auto launch = [&] { launch_by_key(sums); };
  EXPECT_EQ(refused(launch), waited_for);
  launch();
  expect_groups();
}

/// Nothing says that a launch before the one that was refused has ended: where that one was
/// captured nobody waited. So zeros are queued on the stream of the next launch, behind what runs
/// there.
TEST_F(BrokenOff, TilesAreClearedBehindWhatRunsOnTheStream) {
  ByKeyReducer sums = in_tiles();
  const auto launch = [&] { launch_by_key(sums); };
  launch();
  (void)refused_in_a_capture(launch);
  EXPECT_EQ(queued_by(launch), (Names{"hipMemsetAsync", "hipModuleLaunchKernel"}));
  expect_groups();
  EXPECT_EQ(queued_by(launch), Names{"hipModuleLaunchKernel"}) << "once is enough";
  expect_groups();
}

/// What clears them in a graph runs with the graph, and the next launch may come before that.
TEST_F(BrokenOff, TilesAreClearedInAGraphAndBeforeIt) {
  ByKeyReducer sums = in_tiles();
  const auto launch = [&] { launch_by_key(sums); };
  EXPECT_THROW(launch(), DeviceError);
  hipGraph_t graph = nullptr;
  hipGraphExec_t ready = nullptr;
  ASSERT_EQ(hipStreamBeginCapture(stream_, hipStreamCaptureModeGlobal), hipSuccess);
  EXPECT_EQ(queued_by(launch), (Names{"hipMemsetAsync", "hipModuleLaunchKernel"}));
  ASSERT_EQ(hipStreamEndCapture(stream_, &graph), hipSuccess) << "the capture was disturbed";
  ASSERT_EQ(hipGraphInstantiate(&ready, graph, nullptr, nullptr, 0), hipSuccess);
  EXPECT_EQ(queued_by(launch), (Names{"hipMemsetAsync", "hipModuleLaunchKernel"}));
  for (int i = 0; i < 3; ++i) {
    expect_groups();
    ASSERT_EQ(hipGraphLaunch(ready, stream_), hipSuccess);
  }
  expect_groups();
  EXPECT_EQ(hipGraphExecDestroy(ready), hipSuccess);
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
}

/// By slots, which must be zero as well.
TEST_F(BrokenOff, SlotsAreClearedBehindWhatRunsOnTheStream) {
  testing_runtime::ResultsFile results;
  const Problem problem = make_problem(Op::sum, DType::i32, most);
  results.publish(
      problem, identify_device("hip:0"),
      parse_settings("finish=slots block_size=64 items_per_thread=4 vector_width=4 "
                     "blocks_per_unit=1 tile_order=strided load=cached fence=full cluster_size=1 "
                     "early_start=off slot_stride=8 slot_reader=wave slot_wait=all "
                     "exact_tiles=off"));
  Reducer sum(problem, options(results));
  ASSERT_EQ(sum.answer().match, Match::exact);
  const auto launch = [&] { sum.launch(values_.data(), most, out_.data(), stream_); };
  launch();
  (void)refused_in_a_capture(launch);
  EXPECT_EQ(queued_by(launch), (Names{"hipMemsetAsync", "hipModuleLaunchKernel"}));
  expect_sums(1, 2 * most);
}

TEST_F(BrokenOff, PlansAreMadeAgainInAGraphAndBeforeIt) {
  const Reducer sums(make_problem(Op::sum, DType::i32, Shape::segments(most, segments)),
                     options(testing_runtime::ResultsFile()));
  const DeviceArray<std::int32_t> offsets(segments + 1);
  offsets.write(in_steps(segments + 1, each), stream_);
  SegmentPlan plan = sums.plan_segments(most, segments_at(offsets.data(), segments),
                                        {.way = PlanWay::bins}, stream_);
  const auto launch = [&] { sums.launch(values_.data(), plan, out_.data(), stream_); };
  const Names made_and_used(4, "hipModuleLaunchKernel");
  EXPECT_THROW(launch(), DeviceError);
  hipGraph_t graph = nullptr;
  ASSERT_EQ(hipStreamBeginCapture(stream_, hipStreamCaptureModeGlobal), hipSuccess);
  EXPECT_EQ(queued_by(launch), made_and_used);
  ASSERT_EQ(hipStreamEndCapture(stream_, &graph), hipSuccess);
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
  EXPECT_EQ(queued_by(launch), made_and_used);
  expect_sums(segments, 2 * each);
  EXPECT_EQ(queued_by(launch), Names{"hipModuleLaunchKernel"});
  expect_sums(segments, 2 * each);
}

TEST_F(BrokenOff, PlansAreWaitedForAndMadeAgain) {
  const Reducer sums(make_problem(Op::sum, DType::i32, Shape::segments(most, segments)),
                     options(testing_runtime::ResultsFile()));
  const DeviceArray<std::int32_t> offsets(segments + 1);
  offsets.write(in_steps(segments + 1, each), stream_);
  const SegmentOffsets known = segments_at(offsets.data(), segments);
  const SegmentPlanOptions bins{.way = PlanWay::bins};
  EXPECT_EQ(refused([&] { (void)sums.plan_segments(most, known, bins, stream_); }), waited_for);
  SegmentPlan plan = sums.plan_segments(most, known, bins, stream_);
  EXPECT_EQ(refused([&] { plan.update(known, stream_); }), waited_for);
  sums.launch(values_.data(), plan, out_.data(), stream_);
  expect_sums(segments, 2 * each);
}

}  // namespace
}  // namespace redtune
