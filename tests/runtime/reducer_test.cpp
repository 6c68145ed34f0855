// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The application's handle on the host: every operator and type, every way to call it, and every
// state a results file can be in.
#include "redtune/reducer.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "device/host/host_identity.hpp"
#include "tests/kernels/operator_cells.hpp"
#include "tests/kernels/reduction_checks.hpp"
#include "tests/runtime/published.hpp"

namespace redtune {
namespace {

using cache::testing::write_text;
using testing_runtime::ResultsFile;
using testing_runtime::unusual_settings;

Reducer host_reducer(const Problem& problem, const ResultsFile& results,
                     Match minimum = Match::fallback) {
  return Reducer(problem, {.device = "host", .lookup = results.options(minimum)});
}

Reducer untuned_reducer(const Problem& problem) {
  return host_reducer(problem, ResultsFile());
}

std::int64_t chain_of(const Answer& answer, std::int64_t count) {
  return kernels::find_family(answer.family)
      .planner(answer.settings, answer.problem, device::host::host_limits({}))
      ->longest_chain({.count = count});
}

template <class Result, class In>
checks::Output output_of(Reducer& reducer, std::span<const In> values) {
  const Result result = reducer.reduce<Result>(values);
  checks::Output output{};
  static_assert(sizeof(result) <= sizeof(output));
  std::memcpy(output.data(), &result, sizeof(result));
  return output;
}

template <class In>
testing::AssertionResult reduces(Reducer& reducer, std::span<const In> values) {
  const Problem& problem = reducer.answer().problem;
  return visit_dtype(problem.out, [&]<class Out>(std::type_identity<Out>) {
    const ResultShape shape = info(problem.op).shape;
    const checks::Output output =
        shape == ResultShape::indexed ? output_of<IndexedValue<Out>>(reducer, values)
        : shape == ResultShape::pair  ? output_of<MeanVariance<Out>>(reducer, values)
                                      : output_of<Out>(reducer, values);
    const auto count = static_cast<std::int64_t>(values.size());
    return checks::is_right(problem, values, output, chain_of(reducer.answer(), count));
  });
}

testing::AssertionResult sums_floats(Reducer& reducer, std::int64_t count) {
  const auto values = checks::make_input(checks::mixed<float>(), count);
  return reduces(reducer, std::span<const float>(values));
}

Problem sum_of_floats(std::int64_t count) {
  return make_problem(Op::sum, DType::f32, count);
}

class EveryReduction : public testing::TestWithParam<checks::OperatorCell> {};

TEST_P(EveryReduction, GivesTheRightValueForAnyCountOneAfterAnother) {
  const auto [op, in] = GetParam();
  Reducer reducer = untuned_reducer(make_problem(op, in, 100'000));
  visit_dtype(in, [&]<class In>(std::type_identity<In>) {
    for (const std::int64_t count : {0, 1, 2, 100'000, 7, 65'537, 0, 100'000}) {
      const auto values = checks::make_input(checks::mixed<In>(), count);
      EXPECT_TRUE(reduces(reducer, std::span<const In>(values))) << count << " elements";
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Some, EveryReduction, testing::ValuesIn(checks::some_operator_cells()),
                         checks::OperatorCellName());
INSTANTIATE_TEST_SUITE_P(Full, EveryReduction, testing::ValuesIn(checks::other_operator_cells()),
                         checks::OperatorCellName());

TEST(Reducer, GivesTheIdentityOfAnEmptySpanWithoutAnAddress) {
  EXPECT_EQ(untuned_reducer(sum_of_floats(0)).reduce<float>(std::span<const float>()), 0.0F);
}

TEST(Reducer, RefusesTypesThatAreNotItsOwn) {
  Reducer reducer = untuned_reducer(make_problem(Op::sum, DType::i32, 1));
  const std::array<std::int32_t, 1> ints{1};
  const std::array<float, 1> floats{1};
  const std::span<const std::int32_t> right(ints);
  EXPECT_EQ(reducer.reduce<std::int64_t>(right), 1);
  EXPECT_THROW((void)reducer.reduce<std::int32_t>(right), UsageError);
  EXPECT_THROW((void)reducer.reduce<std::uint64_t>(right), UsageError);
  EXPECT_THROW((void)reducer.reduce<std::int64_t>(std::span<const float>(floats)), UsageError);
}

TEST(Reducer, GivesTwoValuesInAStruct) {
  const std::vector<float> values{3, 1, 2, 6};
  Reducer extremes = untuned_reducer(make_problem(Op::min_max, DType::f32, 4));
  EXPECT_EQ(extremes.reduce<MinMax<float>>(std::span(values)), (MinMax<float>{1, 6}));
  try {
    static_cast<void>(extremes.reduce<float>(std::span(values)));
    ADD_FAILURE() << "a single value has no room for two";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "this Reducer turns f32 into two values of f32, not f32 into f32");
  }
}

TEST(Reducer, RefusesDevicesThatAreNotThere) {
  for (const char* device : {"", "hosst", "host:1", "host:wave7", "hip:x", "hip:-1"}) {
    try {
      Reducer reducer(sum_of_floats(1), {.device = device});
      ADD_FAILURE() << "'" << device << "' is accepted";
    } catch (const UsageError&) {
    } catch (const DeviceError& error) {  // a platform that is not on this machine at all
      EXPECT_TRUE(std::string_view(device).starts_with("hip")) << device << ": " << error.what();
    }
  }
}

TEST(Reducer, LaunchesAShapeThatItsKernelsAreForAndNoOther) {
  const std::vector<float> in(40, 1.0F);
  Reducer reducer = untuned_reducer(sum_of_floats(1000));
  float out = 0;
  reducer.launch(in.data(), Shape{.count = 40}, &out);
  reducer.synchronize();
  EXPECT_EQ(out, 40);
  for (const Shape& shape : {Shape{20, 2, 1}, Shape{20, 1, 2}, Shape{20, 0, 1}, Shape{20, 1, -1},
                             Shape{20, -1, -1}, Shape{-1, 1, 1}}) {
    EXPECT_THROW(reducer.launch(in.data(), shape, &out), UsageError) << describe_shape(shape);
  }
  EXPECT_EQ(out, 40);
}

TEST(Reducer, RefusesANegativeCount) {
  Reducer reducer = untuned_reducer(sum_of_floats(16));
  float out = 42;
  EXPECT_THROW(reducer.launch(&out, -1, &out), UsageError);
  reducer.synchronize();
  EXPECT_EQ(out, 42);
}

TEST(Reducer, ReadsExactlyTheElementsItIsGiven) {
  // Everything around the input is NaN: one element too many would show.
  Reducer reducer = untuned_reducer(sum_of_floats(1000));
  for (const std::int64_t offset : {1, 2, 3, 17}) {
    for (const std::int64_t count : {0, 1, 15, 1000, 4099}) {
      std::vector<float> memory(5000, std::numeric_limits<float>::quiet_NaN());
      std::fill_n(memory.begin() + offset, count, 1.0F);
      float out = -1;
      reducer.launch(memory.data() + offset, count, &out);
      reducer.synchronize();
      EXPECT_EQ(out, static_cast<float>(count)) << "from element " << offset;
    }
  }
}

TEST(Reducer, WorksAfterBeingMoved) {
  Reducer first = untuned_reducer(sum_of_floats(1000));
  ASSERT_TRUE(sums_floats(first, 1000));
  Reducer second = std::move(first);
  EXPECT_TRUE(sums_floats(second, 3000));
  Reducer third = untuned_reducer(make_problem(Op::max, DType::f32, 1000));
  third = std::move(second);
  EXPECT_EQ(third.answer().problem.op, Op::sum);
  EXPECT_TRUE(sums_floats(third, 2000));
}

TEST(Reducer, WorksInTwoThreadsWithOneReducerEach) {
  const auto sum_many = [](Op op, testing::AssertionResult& verdict) {
    Reducer reducer = untuned_reducer(make_problem(op, DType::f32, 10'000));
    for (std::int64_t turn = 0; turn < 50 && verdict; ++turn) {
      verdict = sums_floats(reducer, 10'000 + turn);
    }
  };
  testing::AssertionResult sum = testing::AssertionSuccess();
  testing::AssertionResult max = testing::AssertionSuccess();
  std::thread other([&] { sum_many(Op::max, max); });
  sum_many(Op::sum, sum);
  other.join();
  EXPECT_TRUE(sum);
  EXPECT_TRUE(max);
}

TEST(Reducer, KeepsItsOwnKernelsBesideAnother) {
  std::vector<Reducer> reducers;
  for (const OpInfo& op : all_ops()) {
    if (!why_not_taken(op.op, DType::i32).empty()) continue;
    reducers.push_back(untuned_reducer(make_problem(op.op, DType::i32, 1000)));
  }
  const auto values = checks::make_input(checks::mixed<std::int32_t>(), 1000);
  for (Reducer& reducer : reducers) {
    EXPECT_TRUE(reduces(reducer, std::span<const std::int32_t>(values)))
        << describe(reducer.answer().problem);
  }
}

TEST(Reducer, KnowsItsDevice) {
  const Reducer reducer = untuned_reducer(sum_of_floats(1));
  EXPECT_EQ(reducer.device().device_class, identify_device("host").device_class);
  EXPECT_EQ(reducer.device().toolchain, identify_device("host").toolchain);
}

TEST(Reducer, WorksWithTheDefaultWhenThereIsNoResultsFile) {
  const ResultsFile results;
  Reducer reducer = host_reducer(sum_of_floats(1000), results);
  EXPECT_EQ(reducer.answer().match, Match::fallback);
  EXPECT_NE(reducer.answer().explanation.find("redtune tune"), std::string::npos);
  EXPECT_TRUE(sums_floats(reducer, 1000));
}

TEST(Reducer, WorksWithTheDefaultWhenTheResultsAreGarbage) {
  const ResultsFile results;
  for (const std::string_view text : {"", "garbage", "{}", "{\"format\":\"redtune-best\""}) {
    write_text(results.snapshot(), text);
    Reducer reducer = host_reducer(sum_of_floats(1000), results);
    EXPECT_EQ(reducer.answer().match, Match::fallback) << text;
    EXPECT_TRUE(sums_floats(reducer, 1000)) << text;
  }
}

TEST(Reducer, WorksWithTheDefaultWhenTheStoredSettingsCannotRun) {
  ResultsFile results;
  Settings streaming = unusual_settings();
  streaming[6] = {"load", "streaming"};  // the host has no such loads
  results.publish(sum_of_floats(1000), identify_device("host"), streaming);
  Reducer reducer = host_reducer(sum_of_floats(1000), results);
  EXPECT_EQ(reducer.answer().match, Match::fallback);
  EXPECT_NE(reducer.answer().explanation.find("streaming"), std::string::npos);
  EXPECT_TRUE(sums_floats(reducer, 1000));
}

TEST(Reducer, UsesWhatWasTunedForItsProblem) {
  ResultsFile results;
  results.publish(sum_of_floats(1000), identify_device("host"), unusual_settings());
  Reducer reducer = host_reducer(sum_of_floats(1000), results);
  EXPECT_EQ(reducer.answer().match, Match::exact);
  EXPECT_EQ(to_string(reducer.answer().settings), to_string(unusual_settings()));
  EXPECT_EQ(reducer.answer().source, results.snapshot());
  for (const std::int64_t count : {0, 1, 1000, 100'000}) EXPECT_TRUE(sums_floats(reducer, count));
}

TEST(Reducer, UsesWhatWasTunedForAnotherCount) {
  ResultsFile results;
  results.publish(sum_of_floats(1000), identify_device("host"), unusual_settings());
  Reducer reducer = host_reducer(sum_of_floats(10'000), results);
  EXPECT_EQ(reducer.answer().match, Match::near);
  EXPECT_EQ(to_string(reducer.answer().settings), to_string(unusual_settings()));
  EXPECT_TRUE(sums_floats(reducer, 10'000));
}

TEST(Reducer, DoesNotUseWhatWasTunedForAnotherOperator) {
  ResultsFile results;
  results.publish(make_problem(Op::max, DType::f32, 1000), identify_device("host"),
                  unusual_settings());
  Reducer reducer = host_reducer(sum_of_floats(1000), results);
  EXPECT_EQ(reducer.answer().match, Match::fallback);
  EXPECT_TRUE(sums_floats(reducer, 1000));
}

TEST(Reducer, RefusesAMatchBelowTheMinimum) {
  ResultsFile results;
  results.publish(sum_of_floats(1000), identify_device("host"), unusual_settings());
  EXPECT_NO_THROW(host_reducer(sum_of_floats(2000), results, Match::near));
  try {
    Reducer reducer = host_reducer(sum_of_floats(2000), results, Match::exact);
    ADD_FAILURE() << "a near match served for an exact one";
  } catch (const UnmetMatch& error) {
    EXPECT_NE(std::string(error.what()).find("near"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace redtune
