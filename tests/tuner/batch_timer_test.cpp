// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a sample is on a device that replays graphs: charged for further launches, and cold
// when it is asked to be.
#include "tuner/measure/batch_timer.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "tests/tuner/replaying_device.hpp"

namespace redtune::tuner {
namespace {

using BatchTimerTest = OnReplayingDevice;

TEST_F(BatchTimerTest, ChargesEveryLaunchOfAnExecutionButTheFirst) {
  InputSlots slots(device_, input_, CacheMode::warm);
  const Stage stage{.device = &device_, .slots = &slots, .further_launch_us = 3};
  const Runnable one = runnable("finish=last_block");
  const Runnable two = runnable("finish=second_pass");
  EXPECT_DOUBLE_EQ(BatchTimer(stage, work_of(one, output_), 5).sample(Scheme::row).us(), launch_us);
  EXPECT_DOUBLE_EQ(BatchTimer(stage, work_of(two, output_), 5).sample(Scheme::row).us(),
                   2 * launch_us + 3);
}

/// What each launch was given as argument i, every value once and how often.
std::map<std::uint64_t, int> given(const std::vector<device::Launch>& launches, std::size_t i) {
  std::map<std::uint64_t, int> values;
  for (const device::Launch& launch : launches) {
    ++values[*static_cast<const std::uint64_t*>(launch.arguments[i])];
  }
  return values;
}

TEST_F(BatchTimerTest, GoesThroughThePlacesOfEachSiteInEqualParts) {
  InputSlots slots(device_, input_, CacheMode::warm);
  ASSERT_EQ(slots.count(), 2 * most_sites);
  const Stage stage{.device = &device_, .slots = &slots};
  const Runnable one = runnable("finish=last_block");
  const Work work = work_of(one, output_);
  constexpr std::size_t executions = 4 * most_places;
  const auto firsts = BatchTimer(stage, work, executions).firsts(Scheme::between);
  ASSERT_EQ(firsts.size(), most_sites);
  std::map<std::size_t, std::set<std::uint64_t>> all;
  for (Turn turn : firsts) {
    std::vector<device::Launch> launches;
    for (; turn.i < turn.executions; ++turn.i) work.append(launches, slots.of_warm(turn), turn);
    ASSERT_EQ(launches.size(), executions / most_sites);
    const auto expect_places = [&](std::size_t argument, std::size_t places) {
      const auto values = given(launches, argument);
      EXPECT_EQ(values.size(), places) << "argument " << argument;
      for (const auto& [value, times] : values) {
        EXPECT_EQ(times, executions / most_sites / places) << "argument " << argument;
        EXPECT_TRUE(all[argument].insert(value).second) << "argument " << argument;
      }
    };
    expect_places(0, 2);                      // the input
    expect_places(2, most_places_at_a_site);  // the result
    expect_places(3, most_places_at_a_site);  // the workspace's values
    expect_places(4, most_places_at_a_site);  // and its counter
  }
}

TEST_F(BatchTimerTest, PartsABatchOfAnySizeAmongSites) {
  for (const std::size_t executions : {1U, 3U, 8U, 13U, 16U, 40U, 4096U}) {
    const auto firsts = at_sites(executions);
    EXPECT_EQ(firsts.size(), std::clamp<std::size_t>(executions / 8, 1, most_sites));
    std::size_t sum = 0;
    std::set<std::size_t> sites;
    for (const Turn& first : firsts) {
      EXPECT_GE(first.executions, executions / firsts.size()) << executions;
      EXPECT_LT(first.site, most_sites) << executions;
      sites.insert(first.site);
      sum += first.executions;
    }
    EXPECT_EQ(sum, executions);
    EXPECT_EQ(sites.size(), firsts.size());
  }
}

TEST_F(BatchTimerTest, PreparesARowOnceAndReplays) {
  InputSlots slots(device_, input_, CacheMode::warm);
  const Stage stage{.device = &device_, .slots = &slots};
  const Runnable one = runnable("finish=last_block");
  BatchTimer timer(stage, work_of(one, output_), 20);
  for (int i = 0; i < 4; ++i) EXPECT_DOUBLE_EQ(timer.sample(Scheme::row).us(), launch_us);
  EXPECT_EQ(device_.seen.size(), 1U) << "a row is one";
  EXPECT_TRUE(device_.queued.empty()) << "nothing is to be read before a warm replay";
}

TEST_F(Between, ReadsTwiceTheCacheBeforeAColdReplay) {
  InputSlots slots(device_, input_, CacheMode::cold);
  ASSERT_EQ(slots.count(), 18U);
  const Surroundings surroundings = surroundings_of(CacheMode::cold);
  const Stage stage{.device = &device_, .slots = &slots, .surroundings = &surroundings};
  const Runnable one = runnable("finish=last_block", CacheMode::cold);
  const auto slot_of = [&](const device::Launch& launch) {
    const auto* const at = *static_cast<const std::byte* const*>(launch.arguments[0]);
    return static_cast<std::size_t>(at - static_cast<const std::byte*>(slots.first())) /
           slots.stride();
  };
  const auto words_of = [](const device::Launch& launch) {
    return *static_cast<const std::int64_t*>(launch.arguments[1]);
  };
  BatchTimer five(stage, work_of(one, output_), 5);
  for (int replay = 1; replay <= 2; ++replay) {
    device_.queued.clear();
    (void)five.sample(Scheme::row);
    ASSERT_EQ(slot_of(device_.seen.back().front()), 1U);
    ASSERT_EQ(slot_of(device_.seen.back().back()), 5U);
    ASSERT_EQ(device_.queued.size(), 2U) << "replay " << replay;
    EXPECT_EQ(slot_of(device_.queued[0]), 10U) << "twice the cache ends before its own first";
    const auto words = static_cast<std::int64_t>((7 * slots.stride() + input_.size()) / 4);
    EXPECT_EQ(words_of(device_.queued[0]), words) << "from the first to the last";
    EXPECT_EQ(slot_of(device_.queued[1]), 0U) << "and round to its own";
    EXPECT_EQ(words_of(device_.queued[1]), 1 << 18);
  }
  device_.queued.clear();
  (void)BatchTimer(stage, work_of(one, output_), slots.count()).sample(Scheme::row);
  ASSERT_EQ(device_.queued.size(), 2U)
      << "else its graph would stay in a cache, unlike that of the others";
  EXPECT_EQ(slot_of(device_.queued[0]), 15U);
}

TEST_F(Between, PreparesOnceForEachSurroundingAndSiteAndReplays) {
  InputSlots slots(device_, input_, CacheMode::warm);
  const Surroundings surroundings = surroundings_of(CacheMode::warm);
  OthersAlone others(device_, surroundings, slots);
  const Stage stage{
      .device = &device_, .slots = &slots, .surroundings = &surroundings, .others = &others};
  const Runnable one = runnable("finish=last_block");
  BatchTimer timer(stage, work_of(one, output_), 8 * most_sites);
  for (int i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(timer.sample(Scheme::between).us(), launch_us);
  EXPECT_EQ(device_.seen.size(), 2 * 2 * most_sites) << "with the work, and without";
}

TEST_F(Between, TakesOffWhatTheKernelsOfOthersTakeAlone) {
  for (const CacheMode mode : {CacheMode::cold, CacheMode::warm}) {
    const Sample found = sample(mode, Scheme::between);
    EXPECT_DOUBLE_EQ(found.us(), 2 * launch_us);
    for (const TimedBatch& batch : found.batches) {
      EXPECT_DOUBLE_EQ(batch.time.device_us, 5 * 4 * launch_us) << "one before it, one behind it";
      EXPECT_DOUBLE_EQ(batch.others_us, 5 * 2 * launch_us);
    }
  }
}

TEST_F(Between, SweepsOnceBeforeTheGraphsOfAllSites) {
  InputSlots slots(device_, input_, CacheMode::cold);
  const Surroundings surroundings = surroundings_of(CacheMode::cold);
  OthersAlone others(device_, surroundings, slots);
  const Stage stage{
      .device = &device_, .slots = &slots, .surroundings = &surroundings, .others = &others};
  const Runnable one = runnable("finish=last_block", CacheMode::cold);
  // Nine copies, with what lies between them, make twice the cache: those before the first of the
  // batch, whether it reads 16 of 18, goes round twice and reads four once more, or goes round
  // twice.
  for (const auto& [executions, first, pieces] :
       {std::tuple{16, 10, 2U}, std::tuple{40, 8, 1U}, std::tuple{36, 12, 2U}}) {
    BatchTimer timer(stage, work_of(one, output_), executions);
    for (int i = 0; i < 2; ++i) (void)timer.sample(Scheme::between);  // others alone are known
    device_.queued.clear();
    (void)timer.sample(Scheme::between);
    ASSERT_EQ(device_.queued.size(), pieces);
    const auto* const at = *static_cast<const std::byte* const*>(device_.queued[0].arguments[0]);
    EXPECT_EQ((at - static_cast<const std::byte*>(slots.first())) /
                  static_cast<std::ptrdiff_t>(slots.stride()),
              first);
  }
}

TEST_F(Between, StandsBehindAProducerOnlyWhereTheInputIsWarm) {
  const auto surroundings = [](const Sample& sample) {
    std::vector<Surrounding> all;
    for (const TimedBatch& batch : sample.batches) all.push_back(batch.surrounding);
    return all;
  };
  using enum Surrounding;
  EXPECT_EQ(surroundings(sample(CacheMode::warm, Scheme::between)),
            (std::vector{small_kernel, producer}));
  EXPECT_EQ(surroundings(sample(CacheMode::warm, Scheme::by_host)),
            (std::vector{small_kernel, producer}));
  EXPECT_EQ(surroundings(sample(CacheMode::cold, Scheme::between)), std::vector{small_kernel});
  EXPECT_EQ(surroundings(sample(CacheMode::warm, Scheme::row)), std::vector{itself});
}

TEST_F(Between, IsQueuedByTheHostWhereThatIsAsked) {
  EXPECT_TRUE(device_.seen.empty());
  EXPECT_DOUBLE_EQ(sample(CacheMode::warm, Scheme::by_host).us(), 2 * launch_us);
  EXPECT_TRUE(device_.seen.empty());
}

}  // namespace
}  // namespace redtune::tuner
