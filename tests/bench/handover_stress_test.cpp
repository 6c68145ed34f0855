// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// That the stress of hand-overs knows its results, covers what it says, and notices what is wrong.
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

#include "bench/handover_stress/groups.hpp"
#include "bench/handover_stress/load.hpp"
#include "bench/handover_stress/report.hpp"
#include "redtune/error.hpp"
#include "runtime/load_config.hpp"
#include "runtime/resolve.hpp"

namespace redtune::bench {
namespace {

using testing::HasSubstr;

/// Of a GPU with large blocks and early starts.
const Limits gpu{.compute_units = 132, .early_start = EarlyStart::present};

template <class T>
std::vector<T> values_of(const ExactInput& input) {
  std::vector<T> values(input.elements.size() / sizeof(T));
  std::memcpy(values.data(), input.elements.data(), input.elements.size());
  return values;
}
template <class T>
T value_at(const ExactInput& input, std::size_t offset = 0) {
  T value;
  std::memcpy(&value, input.result.data() + offset, sizeof(T));
  return value;
}

TEST(ExactInputs, SumsAreExactInAnyOrder) {
  for (const ExactInput& input : exact_inputs(make_problem(Op::sum, DType::f32, 5000), 3)) {
    const auto values = values_of<float>(input);
    ASSERT_EQ(static_cast<std::int64_t>(values.size()), input.count);
    float forward = 0;
    float backward = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      forward += values[i];
      backward += values[values.size() - 1 - i];
    }
    EXPECT_EQ(forward, value_at<float>(input));
    EXPECT_EQ(backward, value_at<float>(input));
  }
}

TEST(ExactInputs, SumsOfIntegersWrap) {
  for (const ExactInput& input : exact_inputs(make_problem(Op::sum, DType::i64, 1000), 3)) {
    std::uint64_t sum = 0;
    for (const auto value : values_of<std::uint64_t>(input)) sum += value;
    EXPECT_EQ(sum, value_at<std::uint64_t>(input));
  }
}

TEST(ExactInputs, AStaleMinimumWouldBeTheResult) {
  for (const DType type : {DType::u8, DType::i8, DType::f32, DType::f64, DType::i64}) {
    const auto inputs = exact_inputs(make_problem(Op::min, type, 1000), 1);
    visit_dtype(type, [&]<class T>(std::type_identity<T>) {
      for (std::size_t i = 1; i < inputs.size(); ++i) {
        for (const T before : values_of<T>(inputs[i - 1])) {
          ASSERT_LT(static_cast<double>(before), static_cast<double>(value_at<T>(inputs[i])));
        }
      }
    });
  }
}

TEST(ExactInputs, AnIndexIsThatOfTheFirstOfEquals) {
  for (const ExactInput& input : exact_inputs(make_problem(Op::argmax, DType::u8, 4000), 1)) {
    const auto values = values_of<std::uint8_t>(input);
    const auto first = std::ranges::max_element(values);
    EXPECT_EQ(value_at<std::uint8_t>(input), *first);
    EXPECT_EQ(value_at<std::int64_t>(input, 8), first - values.begin());
  }
}

TEST(ExactInputs, AreOfSeveralCountsAndContents) {
  const auto inputs = exact_inputs(make_problem(Op::sum, DType::u8, 1 << 16), 1);
  std::set<std::int64_t> counts;
  std::set<std::int64_t> results;
  for (const ExactInput& input : inputs) {
    counts.insert(input.count);
    results.insert(value_at<std::int64_t>(input));
  }
  EXPECT_GE(counts.size(), 4);
  EXPECT_EQ(results.size(), inputs.size());
  EXPECT_NE(batch_launches % inputs_in_turn, 0);
}

TEST(ExactInputs, RefusesWhatWouldRound) {
  EXPECT_THROW((void)exact_inputs(make_problem(Op::sum, DType::f32, (1 << 24) + 1), 1), UsageError);
  EXPECT_THROW(require_exact(make_problem(Op::l2_norm, DType::f32, 100)), UsageError);
  EXPECT_NO_THROW(require_exact(make_problem(Op::sum, DType::f32, 1 << 24)));
  EXPECT_NO_THROW(require_exact(make_problem(Op::argmin, DType::f32, 1 << 28)));
}

TEST(StressCases, CoverEveryWayOfHandingOver) {
  std::set<std::string> seen;
  std::set<std::size_t> words;
  std::int64_t most_threads = 0;
  for (const StressCase& one : cases_of(StressOptions{}, gpu)) {
    for (const Setting& setting : one.settings) seen.insert(setting.name + '=' + setting.value);
    words.insert((accumulator_bytes(one.problem) + 3) / 4);
    most_threads =
        std::max(most_threads, one.blocks * std::stol(value_of(one.settings, "block_size")));
    EXPECT_GT(one.blocks, 1);
  }
  for (const char* value :
       {"finish=slots", "finish=counted", "slot_stride=8", "slot_stride=32", "slot_stride=128",
        "slot_reader=wave", "slot_reader=block", "slot_wait=all", "slot_wait=missing",
        "early_start=on", "blocks_per_unit=0", "blocks_per_unit=16"}) {
    EXPECT_TRUE(seen.contains(value)) << value;
  }
  EXPECT_GE(words.size(), 3);
  EXPECT_GT(most_threads, 4 * 2048 * gpu.compute_units) << "more than there are places for";
}

TEST(StressCases, AreThoseThatADeviceCanRun) {
  Limits no_early = gpu;
  no_early.early_start = EarlyStart::absent;
  const Problem problem = make_problem(Op::sum, DType::f32, 1 << 16);
  EXPECT_LT(cases_of(problem, Extent::every_way, no_early).size(),
            cases_of(problem, Extent::every_way, gpu).size());
  StressOptions options{.problem = problem, .settings = {parse_settings("finish=counted")}};
  EXPECT_THROW((void)cases_of(options, gpu), UsageError) << "floats are not counted";
  options.settings = {parse_settings("finish=slots block_size=96")};
  EXPECT_THROW((void)cases_of(options, gpu), UsageError);
  options = {.problem = make_problem(Op::sum, DType::f32, 10)};
  EXPECT_THROW((void)cases_of(options, gpu), UsageError) << "one block";
}

/// On the host device, where hand-overs are right: what is wrong must be made so.
class Stress : public testing::Test {
 protected:
  /// A grid of twenty blocks or so.
  [[nodiscard]] runtime::LoadedConfig loaded(const Problem& problem,
                                             const std::string& finish) const {
    const kernels::Family& family = kernels::family_of(problem);
    Settings all = family.default_settings(problem, device_->limits());
    for (const Setting& one : parse_settings("block_size=4 items_per_thread=4 vector_width=2 "
                                             "blocks_per_unit=0 finish=" +
                                             finish)) {
      std::ranges::find(all, one.name, &Setting::name)->value = one.value;
    }
    return runtime::load_config(*selection_.platform, *device_,
                                {&family, problem, all, device_->limits()});
  }

  device::Selection selection_ = runtime::registry().select("host");
  std::unique_ptr<device::Device> device_ = device::open(selection_);
  Watchdog watchdog_{std::chrono::seconds(60)};
};

TEST_F(Stress, CountsLaunchesAndFindsThemRight) {
  const Load load(selection_);
  const Problem problem = make_problem(Op::argmin, DType::f32, 300);
  const auto config = loaded(problem, "slots");
  const auto inputs = exact_inputs(problem, 1);
  const Tally tally = Stressed(*device_, config, inputs, watchdog_).run({.launches = 2300});
  EXPECT_EQ(tally.launches, 2300);
  EXPECT_TRUE(tally.is_right()) << tally.first_wrong;
  EXPECT_GT(tally.seconds, 0);
  load.require_running();
}

TEST_F(Stress, NoticesEveryWrongResult) {
  const Problem problem = make_problem(Op::sum, DType::i32, 300);
  const auto config = loaded(problem, "counted");
  auto inputs = exact_inputs(problem, 1);
  inputs[2].result[0] ^= std::byte{1};  // as if the kernel had been off by one
  const Tally tally = Stressed(*device_, config, inputs, watchdog_).run({.launches = 70});
  EXPECT_EQ(tally.wrong, 10);
  EXPECT_THAT(tally.first_wrong, HasSubstr("launch 2: "));
  EXPECT_FALSE(tally.is_right());
}

TEST_F(Stress, EndsInTime) {
  const Problem problem = make_problem(Op::sum, DType::i32, 300);
  const auto config = loaded(problem, "counted");
  const auto inputs = exact_inputs(problem, 1);
  const Tally tally =
      Stressed(*device_, config, inputs, watchdog_)
          .run({.launches = 1'000'000'000'000, .most_time = std::chrono::duration<double>(0.01)});
  EXPECT_GE(tally.launches, batch_launches);
}

TEST_F(Stress, ABrokenOffWorkspaceIsWrongUntilItIsCleared) {
  const Problem problem = make_problem(Op::sum, DType::u8, 300);
  const auto config = loaded(problem, "counted");
  const auto inputs = exact_inputs(problem, 1);
  const BrokenOff found = Stressed(*device_, config, inputs, watchdog_).run_in_broken_off(50);
  EXPECT_EQ(found.launches_before, 1);
  EXPECT_EQ(found.wrong_before, 1);
  EXPECT_EQ(found.after.launches, 50);
  EXPECT_TRUE(found.after.is_right()) << found.after.first_wrong;
}

TEST(StressWatchdog, EndsAProgramThatWaitsForEver) {
  EXPECT_EXIT(
      {
        Watchdog watchdog(std::chrono::seconds(1));
        watchdog.expect("some case");
        std::this_thread::sleep_for(std::chrono::seconds(30));
      },
      testing::ExitedWithCode(1), "a block waits for ever: some case");
}

TEST(StressReport, TellsWhatIsWrong) {
  std::vector<Finding> all(2);
  all[0].what = {make_problem(Op::sum, DType::f32, 1 << 16),
                 parse_settings("finish=slots block_size=64 load=cached"), 256};
  all[0].tally = {.launches = 2000, .seconds = 0.5};
  EXPECT_TRUE(is_all_right(std::span(all).first(1)));
  EXPECT_THAT(row_of(all[0]), HasSubstr("4000  sum f32 2^16 cold, 256 blocks, finish=slots "
                                        "block_size=64\n"))
      << "without what is as usual";
  all[1] = all[0];
  all[1].tally.wrong = 3;
  all[1].tally.first_wrong = "launch 7: 00 instead of 01";
  EXPECT_THAT(row_of(all[1]), HasSubstr("WRONG: launch 7: 00 instead of 01"));
  EXPECT_FALSE(is_all_right(all));
  EXPECT_THAT(verdict_of(all), HasSubstr("4000 launches: 3 wrong"));
  const auto document = nlohmann::json::parse(json_of(all, "some device"));
  EXPECT_EQ(document["all_right"], false);
  EXPECT_EQ(document["cases"][1]["wrong"], 3);
}

TEST(GroupsByKey, AreLaunchedInTilesAndCompared) {
  const auto device = device::open(runtime::registry().select("host:wave32"));
  const auto cases = cases_of_groups(device->limits());
  ASSERT_EQ(cases.size(), 3U);
  for (const StressCase& one : cases) {
    EXPECT_GT(one.blocks, 100);
    const Tally tally = run_groups(one, "host:wave32", {.launches = 4}, std::chrono::seconds(100));
    EXPECT_EQ(tally.launches, 4);
    EXPECT_EQ(tally.wrong, 0) << tally.first_wrong;
  }
}

TEST(GroupsByKey, AreNoneWhereBlocksMustNotWait) {
  EXPECT_THAT(cases_of_groups({.block_order = BlockOrder::any}), testing::IsEmpty());
}

}  // namespace
}  // namespace redtune::bench
