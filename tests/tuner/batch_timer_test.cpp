// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a sample is on a device that replays graphs: charged for further launches, and cold
// when it is asked to be.
#include "tuner/measure/batch_timer.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "tests/tuner/imagined_device.hpp"

namespace redtune::tuner {
namespace {

constexpr double launch_us = 10;

/// Every launch takes the same time, and more in a graph that is new or that many launches of
/// others were replayed since; replays and single launches are counted.
class ReplayingDevice final : public ImaginedDevice {
 public:
  using ImaginedDevice::ImaginedDevice;
  [[nodiscard]] bool two_streams_delay_starts() const override { return delays_starts; }
  void launch(std::span<const device::Launch> launches, device::Stream stream) override {
    queued.insert(queued.end(), launches.begin(), launches.end());
    on_stream[stream.handle] += launches.size();
  }
  [[nodiscard]] device::Stream second_stream() override { return {this}; }
  [[nodiscard]] device::BatchTime time(std::span<const device::Launch> launches) override {
    const double us = launch_us * static_cast<double>(launches.size());
    return {.device_us = us, .host_us = us};
  }
  [[nodiscard]] device::Batching batching() const override { return device::Batching::graph; }
  [[nodiscard]] std::unique_ptr<device::Batch> prepare(
      std::span<const device::Launch> launches) override {
    seen.emplace_back(launches.begin(), launches.end());
    return std::make_unique<Replay>(*this, launches.size());
  }

  bool delays_starts = true;
  double way_back_us = 0;  ///< of each launch
  std::size_t room = 0;    ///< for so many launches of others a graph keeps its place
  std::size_t replays = 0;
  std::vector<device::Launch> queued;
  std::map<void*, std::size_t> on_stream;
  std::vector<std::vector<device::Launch>> seen;  ///< each batch that was prepared

 private:
  class Replay final : public device::Batch {
   public:
    Replay(ReplayingDevice& device, std::size_t launches) : device_(device), launches_(launches) {}
    [[nodiscard]] device::BatchTime time() override {
      ++device_.replays;
      const bool is_there = was_replayed_ && device_.replayed_ - at_last_ <= device_.room;
      was_replayed_ = true;
      at_last_ = device_.replayed_ += launches_;
      const double us =
          (is_there ? launch_us : launch_us + device_.way_back_us) * static_cast<double>(launches_);
      return {.device_us = us, .host_us = us};
    }

   private:
    ReplayingDevice& device_;
    std::size_t launches_;
    bool was_replayed_ = false;
    std::size_t at_last_ = 0;
  };
  std::size_t replayed_ = 0;
};

class BatchTimerTest : public ::testing::Test {
 protected:
  Runnable runnable(const char* settings, CacheMode mode = CacheMode::warm) {
    const kernels::Family& family = kernels::find_family("reduce");
    Limits limits;
    limits.compute_units = 100;
    runtime::LoadedConfig config({&family, make_problem(Op::sum, DType::f32, 1 << 18, mode),
                                  parse_settings(settings), limits},
                                 nullptr, std::vector<device::Kernel>(2));
    return runnable_of(std::move(config), device_);
  }

  ReplayingDevice device_{{.cache_bytes = 8 << 20, .free_bytes = std::size_t{1} << 30}};
  std::vector<std::byte> input_ = std::vector<std::byte>(1 << 20);
  GuardedOutput output_{device_, 4, most_places};
};

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

/// Between other kernels, each of which takes as long as one of the candidate.
class Between : public BatchTimerTest {
 protected:
  Surroundings surroundings_of(CacheMode mode) {
    SurroundingKernels none;
    for (const auto kernel :
         {kernels::SurroundingKernel::touch, kernels::SurroundingKernel::renew,
          kernels::SurroundingKernel::sweep, kernels::SurroundingKernel::consume}) {
      none.kernels[kernel] = {};
    }
    return {device_,
            std::move(none),
            {.input_bytes = input_.size(), .cache_mode = mode, .results = {&result_}}};
  }
  /// A sample of five executions, and the launches of each of its batches.
  Sample sample(CacheMode mode, Scheme scheme) {
    InputSlots slots(device_, input_, mode);
    const Surroundings surroundings = surroundings_of(mode);
    OthersAlone others(device_, surroundings, slots);
    const Stage stage{
        .device = &device_, .slots = &slots, .surroundings = &surroundings, .others = &others};
    const Runnable two = runnable("finish=second_pass", mode);
    return BatchTimer(stage, work_of(two, output_), 5).sample(scheme);
  }

  float result_ = 0;
};

/// In a process that is kept as programs with two streams are.
class BetweenOnTwoStreams : public Between {
 protected:
  using Kernels = std::map<void*, std::size_t>;

  [[nodiscard]] Kernels on_each(std::size_t launches) {
    return {{nullptr, launches}, {&device_, launches}};
  }
  /// What a call queues, before anything that it times.
  template <class Call>
  [[nodiscard]] Kernels queued_by(Call&& call) {
    device_.on_stream.clear();
    call();
    return device_.on_stream;
  }

  TwoStreams two_streams_{device_, {}};
};

TEST_F(BetweenOnTwoStreams, QueuesManyKernelsOnBothFirstAndSomeEveryOtherTime) {
  const auto keep = [this] { two_streams_.keep(); };
  EXPECT_EQ(queued_by(keep), on_each(2000));
  EXPECT_EQ(queued_by(keep), on_each(20));
  EXPECT_EQ(queued_by(keep), on_each(20));
}

TEST_F(BetweenOnTwoStreams, QueuesNothingWhereASecondStreamIsNotKnownToMatter) {
  device_.delays_starts = false;
  EXPECT_EQ(queued_by([this] { two_streams_.keep(); }), Kernels());
}

TEST_F(BetweenOnTwoStreams, DoesSoBeforeEverySampleAndOthersAlone) {
  two_streams_.keep();
  InputSlots slots(device_, input_, CacheMode::warm);
  const Surroundings surroundings = surroundings_of(CacheMode::warm);
  OthersAlone others(device_, surroundings, slots, &two_streams_);
  const Stage stage{.device = &device_,
                    .slots = &slots,
                    .surroundings = &surroundings,
                    .others = &others,
                    .two_streams = &two_streams_};
  const Runnable one = runnable("finish=last_block");
  for (const Scheme scheme : {Scheme::between, Scheme::by_host}) {
    BatchTimer timer(stage, work_of(one, output_), 5);
    for (const std::size_t of_others : {5, 0, 0, 0, 1, 0, 0, 0, 1}) {  // in each surrounding
      EXPECT_EQ(queued_by([&] { (void)timer.sample(scheme); }), on_each(20 + 2 * of_others * 20));
    }
  }
  BatchTimer timer(stage, work_of(one, output_), 5);
  EXPECT_EQ(queued_by([&] { (void)timer.sample(Scheme::row); }), on_each(20));
}

TEST_F(Between, ReadsTheOtherCopiesBeforeAColdReplay) {
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
    EXPECT_EQ(slot_of(device_.queued[0]), 6U) << "those that follow";
    const auto words = static_cast<std::int64_t>((11 * slots.stride() + input_.size()) / 4);
    EXPECT_EQ(words_of(device_.queued[0]), words) << "from the first to the last";
    EXPECT_EQ(slot_of(device_.queued[1]), 0U) << "and round to its own";
    EXPECT_EQ(words_of(device_.queued[1]), 1 << 18);
  }
  device_.queued.clear();
  (void)BatchTimer(stage, work_of(one, output_), slots.count()).sample(Scheme::row);
  EXPECT_TRUE(device_.queued.empty()) << "this batch reads every copy by itself";
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

/// Batches of the work in two surroundings, with all that a sample needs.
class InTurns : public Between {
 protected:
  [[nodiscard]] BatchTimer timer(std::size_t executions) {
    return BatchTimer(stage_, work_of(one_, output_), executions);
  }
  [[nodiscard]] std::size_t replays_of(BatchTimer& timer) {
    const std::size_t before = device_.replays;
    (void)timer.sample(Scheme::between);
    return device_.replays - before;
  }

  InputSlots slots_{device_, input_, CacheMode::warm};
  Surroundings surroundings_ = surroundings_of(CacheMode::warm);
  OthersAlone others_{device_, surroundings_, slots_};
  Stage stage_{
      .device = &device_, .slots = &slots_, .surroundings = &surroundings_, .others = &others_};
  Runnable one_ = runnable("finish=last_block");
};

TEST_F(InTurns, DoNotPayForTheWayBackOfAGraphThatGaveWayToOthers) {
  device_.way_back_us = 5;
  device_.room = 6000;
  BatchTimer short_ones = timer(5);
  BatchTimer long_ones = timer(2500);
  for (int turn = 0; turn < 6; ++turn) {
    for (BatchTimer* const timer : {&short_ones, &long_ones}) {
      const auto steps = static_cast<double>(timer->executions());
      for (const TimedBatch& batch : timer->sample(Scheme::between).batches) {
        EXPECT_DOUBLE_EQ(batch.time.device_us, steps * 3 * launch_us);
        EXPECT_DOUBLE_EQ(batch.others_us, steps * 2 * launch_us);
      }
    }
  }
}

TEST_F(InTurns, ReplayBeforeWhatIsTimedAndOthersEveryFourthTime) {
  BatchTimer five = timer(5);
  EXPECT_EQ(replays_of(five), 2 * (1 + 2 + 1 + 5 * 2)) << "both are new";
  EXPECT_EQ(replays_of(five), 2 * 2);
  EXPECT_EQ(replays_of(five), 2 * 2);
  EXPECT_EQ(replays_of(five), 2 * 2);
  EXPECT_EQ(replays_of(five), 2 * (2 + 2));
}

TEST_F(Between, TimesOthersAloneAfterTheSameSweepAsAColdBatch) {
  InputSlots slots(device_, input_, CacheMode::cold);
  const Surroundings surroundings = surroundings_of(CacheMode::cold);
  OthersAlone others(device_, surroundings, slots);
  constexpr double enough_us = 1e6;
  (void)others.us(Surrounding::small_kernel, 8, Scheme::between, enough_us);
  device_.queued.clear();
  for (int i = 1; i < 4; ++i)
    (void)others.us(Surrounding::small_kernel, 8, Scheme::between, enough_us);
  EXPECT_TRUE(device_.queued.empty()) << "known from the first time";
  (void)others.us(Surrounding::small_kernel, 8, Scheme::between, enough_us);
  ASSERT_EQ(device_.queued.size(), 1U);
  const auto words = static_cast<std::int64_t>((17 * slots.stride() + input_.size()) / 4);
  EXPECT_EQ(*static_cast<const std::int64_t*>(device_.queued[0].arguments[1]), words) << "all";
}

TEST_F(InTurns, TakeOthersAnewThatSayMoreThanTheWholeBatchTook) {
  const auto alone = [&](double whole_us) {
    const std::size_t before = device_.replays;
    const double us = others_.us(Surrounding::small_kernel, 5, Scheme::between, whole_us);
    EXPECT_DOUBLE_EQ(us, 5 * 2 * launch_us);
    return device_.replays - before;
  };
  EXPECT_EQ(alone(150), 1 + 2 * 5U) << "new";
  EXPECT_EQ(alone(150), 0U);
  EXPECT_EQ(alone(90), 2 * 5U);
  EXPECT_EQ(alone(150), 0U);
}

TEST_F(Between, SweepsOnceBeforeTheGraphsOfAllSites) {
  InputSlots slots(device_, input_, CacheMode::cold);
  const Surroundings surroundings = surroundings_of(CacheMode::cold);
  OthersAlone others(device_, surroundings, slots);
  const Stage stage{
      .device = &device_, .slots = &slots, .surroundings = &surroundings, .others = &others};
  const Runnable one = runnable("finish=last_block", CacheMode::cold);
  // 16 executions at two sites read 16 of 18 copies; 40 go round twice and read four once more.
  for (const auto& [executions, first, pieces] : {std::tuple{16, 17, 2U}, std::tuple{40, 3, 1U}}) {
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
