// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Rows through the application's handle on the host: looked up, launched for any extents, refused
// where there is no kernel.
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "device/host/host_identity.hpp"
#include "redtune/launch_shape.hpp"
#include "redtune/parse_identity.hpp"
#include "redtune/reduce_axes.hpp"
#include "redtune/reducer.hpp"
#include "tests/runtime/published.hpp"

namespace redtune {
namespace {

using testing_runtime::ResultsFile;

std::int32_t element_of_rows(std::int64_t i) {
  return static_cast<std::int32_t>(i * 31 % 257 - 100);
}

/// Of rows with gaps; what lies in them would be seen.
std::vector<std::int32_t> array_of(const Shape& shape) {
  std::vector<std::int32_t> in(static_cast<std::size_t>(span_of(shape)), 1 << 20);
  for (std::int64_t row = 0; row < shape.outer; ++row) {
    for (std::int64_t k = 0; k < shape.count; ++k) {
      in[static_cast<std::size_t>(row * slice_of(shape) + k)] = element_of_rows(row * 7 + k);
    }
  }
  return in;
}

void expect_row_sums(Reducer& reducer, const Shape& shape) {
  const std::vector<std::int32_t> in = array_of(shape);
  std::vector<std::int64_t> out(static_cast<std::size_t>(shape.outer) + 1, -7);
  reducer.launch(in.data(), shape, out.data());
  reducer.synchronize();
  for (std::int64_t row = 0; row < shape.outer; ++row) {
    std::int64_t sum = 0;
    for (std::int64_t k = 0; k < shape.count; ++k) sum += element_of_rows(row * 7 + k);
    ASSERT_EQ(out[static_cast<std::size_t>(row)], sum) << row << " of " << describe_shape(shape);
  }
  EXPECT_EQ(out.back(), -7);
}

TEST(Rows, AreLaunchedWithAnyExtents) {
  for (const Shape& tuned :
       {Shape::rows(300, 5), Shape::rows(300, 1000), Shape::rows(2, 1 << 20)}) {
    Reducer reducer(make_problem(Op::sum, DType::i32, tuned),
                    {.device = "host", .lookup = ResultsFile().options(Match::fallback)});
    EXPECT_EQ(reducer.answer().family, "reduce_rows");
    for (const Shape& shape :
         {tuned, Shape::rows(1, 1), Shape::rows(1, 100'001), Shape::rows(2, 4097),
          Shape::rows(1000, 3), Shape::rows(7, 0), Shape::rows(77, 100, 101),
          Shape::rows(77, 100, 128), Shape::rows(0, 5), Shape::rows(5000, 33)}) {
      expect_row_sums(reducer, shape);
    }
  }
}

TEST(Rows, HaveTheAnswerThatWasTuned) {
  const Problem problem = make_problem(Op::sum, DType::i32, Shape::rows(300, 1000));
  const Settings settings = parse_settings(
      "way=staged block_size=1 threads_per_row=1 rows_per_thread=1 loads_per_thread=8 "
      "vector_width=8 blocks_per_row=1 blocks_per_unit=2 load=cached early_start=off");
  ResultsFile results;
  results.publish(problem, identify_device("host"), settings);
  Reducer reducer(problem, {.device = "host", .lookup = results.options(Match::exact)});
  EXPECT_EQ(reducer.answer().match, Match::exact);
  EXPECT_EQ(reducer.answer().settings, settings);
  expect_row_sums(reducer, problem);
  Reducer content(problem, {.device = "host", .lookup = results.options(Match::fallback)});
  expect_row_sums(content, Shape::rows(3, 1000));
  EXPECT_EQ(content.hits(Match::fallback), 1U) << "nobody has tuned so few rows";
  // A pitch that aligns rows as they were is near; one that does not is another problem.
  const auto match_of = [&](const Shape& shape) {
    return find_best(make_problem(Op::sum, DType::i32, shape), identify_device("host"),
                     results.options(Match::fallback))
        .match;
  };
  EXPECT_EQ(match_of(Shape::rows(300, 1000)), Match::exact);
  EXPECT_EQ(match_of(Shape::rows(300, 900)), Match::near);
  EXPECT_EQ(match_of(Shape::rows(300, 1000, 1001)), Match::fallback);
  EXPECT_EQ(match_of(Shape{.count = 300'000}), Match::fallback) << "another family";
}

/// Between these a winner says nothing, however near it is: bytes of a row that one thread, a wave
/// or a block read at once, fewer rows than compute units, all of it in one load of each thread.
TEST(Rows, AreNotAnsweredAcrossAChangeOfRegime) {
  const DeviceIdentity gpu = parse_identity(
      R"({"platform": "cuda", "isa": "sm_90", "compute_units": 132, "wave_size": 32})");
  const auto match_of = [&](const Shape& tuned, const Shape& asked) {
    const auto problem = [](const Shape& shape) {
      return make_problem(Op::sum, DType::f32, shape);
    };
    ResultsFile results;
    results.publish(problem(tuned), gpu, find_best(problem(tuned), gpu).settings);
    return find_best(problem(asked), gpu, results.options(Match::fallback)).match;
  };
  const std::int64_t rows = 1 << 19;
  const Problem of_four = make_problem(Op::sum, DType::f32, Shape::rows(rows, 4));
  ResultsFile results;
  results.publish(of_four, gpu, find_best(of_four, gpu).settings);
  const Answer of_five = find_best(make_problem(Op::sum, DType::f32, Shape::rows(rows, 5)), gpu,
                                   results.options(Match::fallback));
  EXPECT_NE(of_five.explanation.find("do not tell what is best here"), std::string::npos)
      << of_five.explanation;
  EXPECT_EQ(match_of(Shape::rows(rows, 4), Shape::rows(2 * rows, 4)), Match::near);
  EXPECT_EQ(match_of(Shape::rows(rows, 4), Shape::rows(rows, 3)), Match::fallback)
      << "begin within vectors";
  EXPECT_EQ(match_of(Shape::rows(rows, 127), Shape::rows(rows, 125)), Match::near);
  EXPECT_EQ(match_of(Shape::rows(rows, 128), Shape::rows(rows, 125)), Match::fallback);
  EXPECT_EQ(match_of(Shape::rows(rows, 4), Shape::rows(rows, 5)), Match::fallback);
  EXPECT_EQ(match_of(Shape::rows(rows, 128), Shape::rows(rows, 120)), Match::near);
  EXPECT_EQ(match_of(Shape::rows(rows, 132), Shape::rows(rows, 128)), Match::fallback);
  EXPECT_EQ(match_of(Shape::rows(rows, 4096), Shape::rows(rows, 4000)), Match::near);
  EXPECT_EQ(match_of(Shape::rows(rows, 4100), Shape::rows(rows, 4096)), Match::fallback);
  EXPECT_EQ(match_of(Shape::rows(150, 1 << 20), Shape::rows(132, 1 << 20)), Match::near);
  EXPECT_EQ(match_of(Shape::rows(150, 1 << 20), Shape::rows(131, 1 << 20)), Match::fallback);
  EXPECT_EQ(match_of(Shape::rows(10000, 50), Shape::rows(10813, 50)), Match::near);
  EXPECT_EQ(match_of(Shape::rows(10000, 50), Shape::rows(10814, 50)), Match::fallback);
}

/// The default is made for a length, so what was tuned for another is worth less, unless it is
/// a little longer, or both fill every block several times.
TEST(Rows, AreAnsweredByLengthsCloseToTheirs) {
  const DeviceIdentity gpu = parse_identity(
      R"({"platform": "cuda", "isa": "sm_90", "compute_units": 132, "wave_size": 32})");
  ResultsFile results;
  for (const std::int64_t count : {700, 1 << 16}) {
    const Problem tuned = make_problem(Op::sum, DType::f32, Shape::rows(1 << 16, count));
    results.publish(tuned, gpu, find_best(tuned, gpu).settings);
  }
  const auto match_of = [&](std::int64_t count) {
    return find_best(make_problem(Op::sum, DType::f32, Shape::rows(1 << 16, count)), gpu,
                     results.options(Match::fallback))
        .match;
  };
  EXPECT_EQ(match_of(616), Match::near);
  EXPECT_EQ(match_of(608), Match::fallback);
  EXPECT_EQ(match_of(704), Match::fallback) << "all threads would go around again";
  EXPECT_EQ(match_of(1 << 15), Match::near);
  EXPECT_EQ(match_of(1 << 17), Match::near);
  EXPECT_EQ(match_of(30'000), Match::fallback);
}

/// The nearest of all has another length; of those that tell of it one has many more rows.
TEST(Rows, AreAnsweredByTheNearestThatTells) {
  const DeviceIdentity host = identify_device("host");
  const auto problem_of = [](const Shape& shape) {
    return make_problem(Op::sum, DType::i32, shape);
  };
  const Settings settings = parse_settings(
      "way=groups block_size=1 threads_per_row=1 rows_per_thread=1 loads_per_thread=2 "
      "vector_width=4 blocks_per_row=1 blocks_per_unit=1 load=cached early_start=off");
  ResultsFile results;
  const Problem closest = problem_of(Shape::rows(1 << 14, 116));
  results.publish(closest, host, find_best(closest, host).settings);
  results.publish(problem_of(Shape::rows(1 << 20, 100)), host, settings);
  Reducer reducer(problem_of(Shape::rows(300, 1000)),
                  {.device = "host", .lookup = results.options(Match::fallback)});
  const Shape asked = Shape::rows(1 << 14, 100);
  EXPECT_EQ(find_best(problem_of(asked), host, results.options()).settings, settings);
  EXPECT_EQ(reducer.answer(asked).settings, settings);
  EXPECT_EQ(reducer.answer(asked).match, Match::near);
  expect_row_sums(reducer, asked);
  EXPECT_EQ(reducer.hits(Match::near), 1U);
}

TEST(Rows, OfWhichNothingTellsHaveTheirOwnDefault) {
  const DeviceIdentity host = identify_device("host");
  const auto problem_of = [](const Shape& shape) {
    return make_problem(Op::sum, DType::i32, shape);
  };
  const auto default_of = [&](const Shape& shape) { return find_best(problem_of(shape), host); };
  const Shape few = Shape::rows(2, 1000);
  const Shape many = Shape::rows(100'000, 5);
  ASSERT_NE(default_of(few).settings, default_of(many).settings);
  ResultsFile results;
  const Reducer untuned(problem_of(few),
                        {.device = "host", .lookup = results.options(Match::fallback)});
  EXPECT_EQ(untuned.answer(many).settings, default_of(many).settings);
  results.publish(problem_of(Shape::rows(5000, 300)), host, default_of(few).settings);
  Reducer reducer(problem_of(few), {.device = "host", .lookup = results.options(Match::fallback)});
  EXPECT_EQ(reducer.answer(many).settings, default_of(many).settings);
  EXPECT_EQ(reducer.answer(many).match, Match::fallback);
  expect_row_sums(reducer, many);
  EXPECT_EQ(reducer.hits(Match::fallback), 1U);
}

/// Made for many short rows and launched for few long ones, and the other way round.
TEST(Rows, FarFromTheShapeOfTheReducerHaveTheirOwnDefault) {
  const auto of = [](const Shape& shape) {
    return Reducer(make_problem(Op::sum, DType::i32, shape),
                   {.device = "host:wave32", .lookup = ResultsFile().options(Match::fallback)});
  };
  const Shape many = Shape::rows(1 << 20, 64);
  const Shape few = Shape::rows(2, 1 << 22);
  const Reducer of_many = of(many);
  const Reducer of_few = of(few);
  ASSERT_NE(of_many.answer(many).settings, of_few.answer(few).settings);
  EXPECT_EQ(of_many.answer(few).settings, of_few.answer(few).settings);
  EXPECT_EQ(of_few.answer(many).settings, of_many.answer(many).settings);
}

class RowsOfTwoKinds : public testing::Test {
 protected:
  RowsOfTwoKinds() {
    results_.publish(problem_, host_, of_few_);
    results_.publish(make_problem(Op::sum, DType::i32, many_), host_, of_many_);
  }
  [[nodiscard]] Reducer reducer(Match minimum, bool pinned = false) const {
    return Reducer(problem_,
                   {.device = "host", .lookup = results_.options(minimum), .pinned = pinned});
  }

  const Shape many_ = Shape::rows(10'000, 5);
  const Problem problem_ = make_problem(Op::sum, DType::i32, Shape::rows(300, 1000));
  const DeviceIdentity host_ = identify_device("host");
  const Settings of_few_ = parse_settings(
      "way=staged block_size=1 threads_per_row=1 rows_per_thread=1 loads_per_thread=8 "
      "vector_width=8 blocks_per_row=1 blocks_per_unit=2 load=cached early_start=off");
  const Settings of_many_ = parse_settings(
      "way=groups block_size=1 threads_per_row=1 rows_per_thread=1 loads_per_thread=2 "
      "vector_width=4 blocks_per_row=1 blocks_per_unit=1 load=cached early_start=off");
  ResultsFile results_;
};

TEST_F(RowsOfTwoKinds, AreLaunchedEachAsItWasTuned) {
  Reducer both = reducer(Match::fallback);
  EXPECT_EQ(both.answer(many_).settings, of_many_);
  EXPECT_EQ(both.answer(many_).match, Match::exact);
  EXPECT_EQ(both.answer(Shape::rows(300, 1000)).settings, of_few_);
  const Answer near = both.answer(Shape::rows(9000, 5));
  EXPECT_EQ(near.settings, of_many_);
  EXPECT_EQ(near.match, Match::near);
  EXPECT_EQ(near.explanation, "tuned for 10000x[5]");
  EXPECT_EQ(near.problem, make_problem(Op::sum, DType::i32, Shape::rows(9000, 5)));
  expect_row_sums(both, many_);
  expect_row_sums(both, Shape::rows(9000, 5));
  expect_row_sums(both, Shape::rows(300, 1000));
  EXPECT_EQ(both.hits(Match::exact), 2U);
  EXPECT_EQ(both.hits(Match::near), 1U);
  // Far from all that is tuned, of another kind, and with gaps: by the default.
  for (const Shape& shape :
       {Shape::rows(2, 1 << 20), Shape::rows(300, 5), Shape::rows(10'000, 5, 6)}) {
    const Answer answer = both.answer(shape);
    EXPECT_EQ(answer.settings, find_best(make_problem(Op::sum, DType::i32, shape), host_).settings)
        << describe_shape(shape);
    EXPECT_EQ(answer.match, Match::fallback) << describe_shape(shape);
    EXPECT_FALSE(answer.time_us) << "that is of other rows";
    expect_row_sums(both, shape);
  }
  EXPECT_EQ(both.hits(Match::fallback), 3U);
  const Shape without_gaps{.count = 5, .outer = 10'000, .outer_pitch = 5};
  EXPECT_EQ(both.answer(without_gaps).match, Match::exact) << "a pitch that leaves none";
  EXPECT_THROW((void)both.answer(Shape::columns(5, 4)), UsageError);
}

TEST_F(RowsOfTwoKinds, AreNotAnsweredBelowTheMinimum) {
  Reducer exact = reducer(Match::exact);
  expect_row_sums(exact, many_);
  const std::vector<std::int32_t> in(50'000);
  std::vector<std::int64_t> out(10'000);
  for (const Shape& shape : {Shape::rows(9000, 5), Shape::rows(3, 1000)}) {
    EXPECT_THROW(exact.launch(in.data(), shape, out.data()), UnmetMatch) << describe_shape(shape);
  }
}

/// Lanes load otherwise what is aligned otherwise.
TEST(Rows, WithGapsAreNearWhereTheirPitchesAlignThemAlike) {
  const auto problem = [](std::int64_t pitch) {
    return make_problem(Op::sum, DType::i32, Shape::rows(300, 1000, pitch));
  };
  ResultsFile results;
  const Settings settings = parse_settings(
      "way=staged block_size=1 threads_per_row=1 rows_per_thread=1 loads_per_thread=8 "
      "vector_width=8 blocks_per_row=1 blocks_per_unit=2 load=cached early_start=off");
  results.publish(problem(1024), identify_device("host"), settings);
  const Reducer reducer(problem(1024), {.device = "host", .lookup = results.options()});
  EXPECT_EQ(reducer.answer(Shape::rows(301, 1000, 1040)).match, Match::near);
  EXPECT_EQ(reducer.answer(Shape::rows(301, 1000, 1001)).match, Match::fallback);
  EXPECT_EQ(reducer.answer(Shape::rows(301, 1000)).match, Match::fallback);
}

/// Others would be launched otherwise after a tune, and round otherwise.
TEST_F(RowsOfTwoKinds, ArePinnedToTheirOwnExtents) {
  const Reducer pinned = reducer(Match::fallback, true);
  EXPECT_EQ(pinned.answer(many_).settings, pinned.answer(many_.count).settings);
  EXPECT_NE(pinned.answer(many_).settings, of_many_);
}

TEST(Rows, AreLaunchedByTheirShapeAlone) {
  const Problem problem = make_problem(Op::sum, DType::f32, Shape::rows(1000, 8, 10));
  const DeviceIdentity host = identify_device("host");
  const Answer answer = find_best(problem, host, ResultsFile().options(Match::fallback));
  const LaunchShape shape = launch_shape(answer, 9, host);
  ASSERT_EQ(shape.launches.size(), 1U);
  const auto value_of = [&](std::string_view name) {
    for (const KernelArgument& argument : shape.launches[0].arguments) {
      if (argument.name == name) return argument.value.value_or(-1);
    }
    return std::int64_t{-2};
  };
  EXPECT_EQ(value_of("rows"), 1000);
  EXPECT_EQ(value_of("count"), 9);
  EXPECT_EQ(value_of("pitch"), 10);
}

TEST(Rows, OfAWholeArrayAreOne) {
  const Problem problem = make_problem(Op::max, DType::f32, reduce_axes({64, 16}, {}, {-1, 0}));
  EXPECT_EQ(Reducer(problem, {.device = "host"}).answer().family, "reduce");
}

TEST(Rows, ThatNoKernelIsForAreRefused) {
  Reducer reducer(make_problem(Op::sum, DType::i32, Shape::rows(300, 5)),
                  {.device = "host", .lookup = ResultsFile().options(Match::fallback)});
  std::vector<std::int32_t> in(100);
  std::vector<std::int64_t> out(100);
  for (const Shape& shape :
       {Shape::columns(5, 4), Shape::rows(-1, 5), Shape::rows(3, 5, 4),
        Shape{.count = 5, .outer = 3, .count_pitch = 2}, Shape{.count = -1, .outer = 3}}) {
    EXPECT_THROW(reducer.launch(in.data(), shape, out.data()), UsageError) << describe_shape(shape);
  }
  EXPECT_THROW((void)reducer.reduce<std::int64_t>(std::span<const std::int32_t>(in)), UsageError);
}

std::string refusal_of(Reducer& reducer, const Shape& shape) {
  try {
    reducer.launch(static_cast<const std::int32_t*>(nullptr), shape,
                   static_cast<std::int64_t*>(nullptr));
  } catch (const UsageError& error) {
    return error.what();
  }
  return "not refused";
}

TEST(Rows, OfMoreBytesThanCanBeAreRefused) {
  Reducer rows(make_problem(Op::sum, DType::i32, Shape::rows(300, 5)),
               {.device = "host", .lookup = ResultsFile().options(Match::fallback)});
  Reducer whole(make_problem(Op::sum, DType::i32, 300),
                {.device = "host", .lookup = ResultsFile().options(Match::fallback)});
  const std::int64_t large = std::int64_t{1} << 62;
  for (const Shape& shape : {Shape::rows(large, 4), Shape::rows(large, 0), Shape::rows(300, large),
                             Shape::rows(3, 5, large), Shape::rows(1, large)}) {
    EXPECT_NE(refusal_of(rows, shape).find("64 bits can index"), std::string::npos)
        << describe_shape(shape);
  }
  // The number of results is 0 in 64 bits.
  const Shape wrapped{.count = 5, .outer = std::int64_t{1} << 32, .inner = std::int64_t{1} << 32};
  EXPECT_NE(refusal_of(rows, wrapped).find("64 bits can index"), std::string::npos);
  EXPECT_NE(refusal_of(whole, {.count = large}).find("64 bits can index"), std::string::npos);
}

TEST(Rows, AreRefusedWithTheReason) {
  Reducer reducer(make_problem(Op::sum, DType::i32, Shape::rows(300, 5)),
                  {.device = "host", .lookup = ResultsFile().options(Match::fallback)});
  EXPECT_EQ(refusal_of(reducer, Shape::rows(3, 5, 4)),
            "outer_pitch is 4, less than the 5 elements of one outer index");
  EXPECT_EQ(refusal_of(reducer, Shape::columns(5, 4)),
            "this Reducer is for arrays like 300x[5], not for [5]x4 elements of i32; make another "
            "one for them");
}

TEST(Rows, OfHostMemoryAreReducedAtOnce) {
  const Shape padded = Shape::rows(30, 50, 64);
  Reducer reducer(make_problem(Op::sum, DType::i32, padded),
                  {.device = "host", .lookup = ResultsFile().options(Match::fallback)});
  const std::vector<std::int32_t> in = array_of(padded);
  std::vector<std::int64_t> out(31, -7);
  reducer.reduce_bytes(in.data(), 50, out.data());
  for (std::size_t row = 0; row < 30; ++row) {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < 50; ++k) sum += in[row * 64 + k];
    EXPECT_EQ(out[row], sum) << row;
  }
  EXPECT_EQ(out.back(), -7);
  EXPECT_THROW(reducer.reduce_bytes(in.data(), 65, out.data()), UsageError) << "beyond the pitch";
}

}  // namespace
}  // namespace redtune
