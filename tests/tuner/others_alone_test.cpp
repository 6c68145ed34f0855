// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the kernels of others take alone: timed in the same way as with an execution between them,
// in a process that is kept as programs with two streams are.
#include "tuner/measure/others_alone.hpp"

#include <gtest/gtest.h>
#include <map>

#include "tests/tuner/replaying_device.hpp"

namespace redtune::tuner {
namespace {

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

using OthersAloneTest = Between;

TEST_F(OthersAloneTest, TimesOthersAloneAfterTheSameSweepAsAColdBatch) {
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
  EXPECT_EQ(*static_cast<const std::int64_t*>(device_.queued[0].arguments[1]), 2 * (8 << 20) / 4)
      << "twice the cache";
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

}  // namespace
}  // namespace redtune::tuner
