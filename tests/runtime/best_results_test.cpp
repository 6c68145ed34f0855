// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The handle for hot paths answers as find_best does, from as many threads as there are.
#include "redtune/best_results.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>

#include "redtune/error.hpp"
#include "runtime/answer_memo.hpp"
#include "runtime/compute_space_key.hpp"
#include "tests/runtime/published.hpp"

namespace redtune {
namespace {

using testing_runtime::ResultsFile;

DeviceIdentity another_gpu() {
  return cache::testing::sample_device();
}

Settings settings_of_the_gpu() {
  return parse_settings("finish=second_pass block_size=512 load=cached");
}

Problem summing(std::int64_t count) {
  return make_problem(Op::sum, DType::f32, count);
}

TEST(BestResults, AnswerAsFindBestDoes) {
  ResultsFile results;
  results.publish(summing(1 << 20), another_gpu(), settings_of_the_gpu());
  const BestResults best(another_gpu(), results.options());
  const Problem custom = make_problem(CustomOp{"mine", "a text"}, DType::f32, 1 << 20);
  for (const Problem& problem : {summing(1 << 20), summing(1 << 21), summing(0), custom,
                                 make_problem(Op::max, DType::f64, 1 << 20)}) {
    const Answer expected = find_best(problem, another_gpu(), results.options());
    const Answer& answer = best.find(problem);
    EXPECT_EQ(answer.problem, problem);
    EXPECT_EQ(answer.match, expected.match);
    EXPECT_EQ(answer.settings, expected.settings);
    EXPECT_EQ(answer.explanation, expected.explanation);
    EXPECT_EQ(&best.find(problem), &answer) << "asked again it is the same";
  }
}

TEST(BestResults, TellCustomOperatorsByTheirText) {
  const BestResults best(another_gpu(), ResultsFile().options());
  const Problem one = make_problem(CustomOp{"mine", "one"}, DType::f32, 8);
  const Problem two = make_problem(CustomOp{"mine", "two"}, DType::f32, 8);
  EXPECT_EQ(best.find(one).problem, one);
  EXPECT_EQ(best.find(two).problem, two);
}

TEST(BestResults, StayWhatTheyWereAndSayThatThereIsMore) {
  ResultsFile results;
  const BestResults before(another_gpu(), results.options());
  EXPECT_FALSE(before.is_outdated());
  results.publish(summing(1 << 20), another_gpu(), settings_of_the_gpu());
  EXPECT_TRUE(before.is_outdated());
  EXPECT_EQ(before.find(summing(1 << 20)).match, Match::fallback);
  const BestResults after(another_gpu(), results.options());
  EXPECT_FALSE(after.is_outdated());
  EXPECT_EQ(after.find(summing(1 << 20)).match, Match::exact);
}

TEST(BestResults, DemandAMatchEachTime) {
  const BestResults best(another_gpu(), ResultsFile().options(Match::near));
  EXPECT_THROW((void)best.find(summing(100)), UnmetMatch);
  EXPECT_THROW((void)best.find(summing(100)), UnmetMatch);
}

TEST(BestResults, KnowTheirDevice) {
  EXPECT_EQ(BestResults("host").device().device_class.platform, "host");
  EXPECT_THROW(BestResults("hosst"), UsageError);
  BestResults moved = BestResults(another_gpu());
  moved = BestResults("host");
  EXPECT_EQ(moved.device().device_class.platform, "host");
}

TEST(BestResults, ServeManyThreadsAtOnce) {
  ResultsFile results;
  results.publish(summing(1 << 20), another_gpu(), settings_of_the_gpu());
  const BestResults best(another_gpu(), results.options());
  constexpr std::int64_t problems = 300;  // the table grows several times
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::int64_t i = 0; i < 4 * problems; ++i) {
        const Problem problem = summing((1 << 20) + (i * (thread + 1)) % problems);
        const Answer& answer = best.find(problem);
        const bool is_tuned = problem.count == 1 << 20;
        if (answer.problem != problem || (answer.match == Match::exact) != is_tuned) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(SpaceKey, ThatWasMadeWithTheBuildIsThatOfTheText) {
  for (const kernels::Family* family : kernels::all_families()) {
    EXPECT_EQ(runtime::space_key(*family), runtime::compute_space_key(*family));
  }
}

TEST(AnswerMemo, KeepsTheFirstAnswerWhereItIs) {
  runtime::AnswerMemo memo;
  std::vector<const Answer*> kept;
  for (std::int64_t count = 0; count < 1000; ++count) {
    EXPECT_EQ(memo.find(summing(count)), nullptr);
    kept.push_back(&memo.add({.problem = summing(count), .family = "first"}));
  }
  for (std::int64_t count = 0; count < 1000; ++count) {
    EXPECT_EQ(memo.find(summing(count)), kept[static_cast<std::size_t>(count)]);
    EXPECT_EQ(memo.add({.problem = summing(count), .family = "second"}).family, "first");
  }
}

}  // namespace
}  // namespace redtune
