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
#include <utility>
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

TEST_F(BatchTimerTest, ReadsAPartOfEachCopyWhereItIsAskedFor) {
  const Runnable one = runnable("finish=last_block");
  const auto read = [&](const Work& work) {
    std::vector<device::Launch> launches;
    work.append(launches, input_.data(), {.executions = 1});
    return given(launches, 0).begin()->first;
  };
  const auto all = read(work_of(one, output_));
  EXPECT_EQ(all, reinterpret_cast<std::uint64_t>(input_.data()));
  EXPECT_EQ(read(work_of(one, output_, {{.count = 1 << 10}, 1})), all + sizeof(float));
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
}

/// Memory that a kernel was to read, in words of 32 bits.
struct Swept {
  const std::byte* from;
  std::int64_t words;
};

std::vector<Swept> swept(const std::vector<device::Launch>& queued) {
  std::vector<Swept> all;
  for (const device::Launch& launch : queued) {
    all.push_back({*static_cast<const std::byte* const*>(launch.arguments[0]),
                   *static_cast<const std::int64_t*>(launch.arguments[1])});
  }
  return all;
}

TEST_F(Between, ReadsTwiceTheCacheOfNobodysMemoryBeforeAColdReplay) {
  InputSlots slots(device_, input_, CacheMode::cold);
  ASSERT_EQ(slots.count(), 18U);
  const Surroundings surroundings = surroundings_of(CacheMode::cold);
  const Stage stage{.device = &device_, .slots = &slots, .surroundings = &surroundings};
  const Runnable one = runnable("finish=last_block", CacheMode::cold);
  const auto* const copies = static_cast<const std::byte*>(slots.first());
  // Fewer copies than there are, all of them once, and all twice.
  for (const std::size_t executions : {std::size_t{5}, slots.count(), 2 * slots.count()}) {
    BatchTimer timer(stage, work_of(one, output_), executions);
    for (int replay = 1; replay <= 2; ++replay) {
      device_.queued.clear();
      (void)timer.sample(Scheme::row);
      const std::vector<Swept> found = swept(device_.queued);
      ASSERT_EQ(found.size(), 1U) << executions;
      EXPECT_EQ(found[0].words, 2 * (8 << 20) / 4);
      const std::byte* const end = found[0].from + 4 * found[0].words;
      EXPECT_TRUE(end <= copies || found[0].from >= copies + slots.count() * slots.stride())
          << "loads past a cache would find copies there";
    }
  }
}

TEST_F(Between, SweepsAsMuchAsMemoryHasAndNothingWhereNoCacheIsTold) {
  for (const auto& [cache, free, words] :
       {std::tuple{8 << 20, 64 << 20, (8 << 20) / 4}, std::tuple{0, 1 << 30, 0}}) {
    ReplayingDevice device({.cache_bytes = cache, .free_bytes = static_cast<std::size_t>(free)});
    Surroundings(device, no_kernels(),
                 {.input_bytes = 64, .cache_mode = CacheMode::cold, .results = {&result_}})
        .sweep();
    std::int64_t sum = 0;
    for (const Swept& one : swept(device.queued)) sum += one.words;
    EXPECT_EQ(sum, words);
  }
}

TEST_F(Between, SweepsNothingWhereTheInputIsWarmOrBatchesAreQueued) {
  const Surroundings warm = surroundings_of(CacheMode::warm);
  warm.sweep();
  EXPECT_TRUE(device_.queued.empty());
  ImaginedDevice queued({.cache_bytes = 8 << 20, .free_bytes = std::size_t{1} << 30});
  EXPECT_NO_THROW(
      Surroundings(queued, no_kernels(),
                   {.input_bytes = 64, .cache_mode = CacheMode::cold, .results = {&result_}})
          .sweep());
  EXPECT_LT(queued.allocated, 1U << 20) << "nor is memory taken for it";
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
  for (const std::size_t executions : {16U, 36U, 40U}) {
    BatchTimer timer(stage, work_of(one, output_), executions);
    ASSERT_GT(timer.firsts(Scheme::between).size(), 1U);
    for (int i = 0; i < 2; ++i) (void)timer.sample(Scheme::between);  // others alone are known
    device_.queued.clear();
    (void)timer.sample(Scheme::between);
    EXPECT_EQ(device_.queued.size(), 1U);
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
