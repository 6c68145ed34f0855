// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Channels of batches through the application's handle on the host: looked up, launched for any
// extents, refused where there is no kernel.
#include <gtest/gtest.h>
#include <vector>

#include "device/host/host_identity.hpp"
#include "redtune/reduce_axes.hpp"
#include "redtune/reducer.hpp"
#include "tests/runtime/published.hpp"

namespace redtune {
namespace {

using testing_runtime::ResultsFile;

std::int32_t element_of_channel(std::int64_t channel, std::int64_t k) {
  return static_cast<std::int32_t>((channel * 7 + k * 31) % 257 - 100);
}

/// Index of an element of a channel, which count from array to array, in the memory of a shape.
std::size_t index_in_channels(const Shape& shape, std::int64_t channel, std::int64_t k) {
  return static_cast<std::size_t>(k / shape.count * batch_step_of(shape) +
                                  channel * slice_of(shape) + k % shape.count);
}

/// What lies in gaps would be seen.
std::vector<std::int32_t> elements_of_channels(const Shape& shape) {
  std::vector<std::int32_t> in(static_cast<std::size_t>(span_of(shape)), 1 << 20);
  for (std::int64_t i = 0; i < shape.outer; ++i) {
    for (std::int64_t k = 0; k < elements_of_result(shape); ++k) {
      in[index_in_channels(shape, i, k)] = element_of_channel(i, k);
    }
  }
  return in;
}

void expect_channel_sums(Reducer& reducer, const Shape& shape) {
  const std::vector<std::int32_t> in = elements_of_channels(shape);
  std::vector<std::int64_t> out(static_cast<std::size_t>(shape.outer) + 1, -7);
  reducer.launch(in.data(), shape, out.data());
  reducer.synchronize();
  for (std::int64_t i = 0; i < shape.outer; ++i) {
    std::int64_t sum = 0;
    for (std::int64_t k = 0; k < elements_of_result(shape); ++k) sum += element_of_channel(i, k);
    ASSERT_EQ(out[static_cast<std::size_t>(i)], sum) << i << " of " << describe_shape(shape);
  }
  EXPECT_EQ(out.back(), -7);
}

TEST(Channels, AreLaunchedWithAnyExtents) {
  for (const Shape& tuned : {Shape::channels(20, 30, 49), Shape::channels(3, 2, 100'000)}) {
    Reducer reducer(make_problem(Op::sum, DType::i32, tuned),
                    {.device = "host", .lookup = ResultsFile().options(Match::fallback)});
    EXPECT_EQ(reducer.answer().family, "reduce_channels");
    for (const Shape& shape :
         {tuned, Shape::channels(2, 1, 1), Shape::channels(1000, 3, 5), Shape::channels(2, 0, 5),
          Shape::channels(2, 7, 0), Shape::rows(70, 33), Shape{.count = 4097},
          Shape{.count = 33, .outer = 5, .outer_pitch = 34, .batch = 7},
          Shape{.count = 33, .outer = 5, .outer_pitch = 34, .batch = 7, .batch_pitch = 169},
          Shape{.count = 33, .outer = 1, .batch = 7, .batch_pitch = 40}}) {
      expect_channel_sums(reducer, shape);
    }
  }
}

/// In the order of the elements in memory, over both axes.
TEST(Channels, CountIndicesFromArrayToArray) {
  const Shape shape = Shape::channels(6, 5, 13);
  std::vector<std::int32_t> in(static_cast<std::size_t>(span_of(shape)), 1);
  for (std::int64_t channel = 0; channel < 5; ++channel) {
    in[index_in_channels(shape, channel, 11 + 14 * channel)] = 9;
    in[index_in_channels(shape, channel, 70 + channel)] = 9;
  }
  Reducer reducer(make_problem(Op::argmax, DType::i32, shape),
                  {.device = "host", .lookup = ResultsFile().options(Match::fallback)});
  std::vector<IndexedValue<std::int32_t>> out(5);
  reducer.launch(in.data(), shape, out.data());
  reducer.synchronize();
  for (std::int64_t channel = 0; channel < 5; ++channel) {
    EXPECT_EQ(out[static_cast<std::size_t>(channel)],
              (IndexedValue<std::int32_t>{9, 11 + 14 * channel}));
  }
}

TEST(Channels, HaveTheAnswerThatWasTuned) {
  const Problem problem = make_problem(Op::sum, DType::i32, Shape::channels(32, 256, 196));
  const Settings settings = parse_settings(
      "way=blocks block_size=1 threads_per_span=1 channels_per_block=1 spans_per_thread=2 "
      "loads_per_thread=2 vector_width=8 blocks_per_channel=1 load=cached early_start=off");
  ResultsFile results;
  results.publish(problem, identify_device("host"), settings);
  Reducer reducer(problem, {.device = "host", .lookup = results.options(Match::exact)});
  EXPECT_EQ(reducer.answer().match, Match::exact);
  EXPECT_EQ(reducer.answer().settings, settings);
  expect_channel_sums(reducer, problem);
  const auto match_of = [&](const Shape& shape) {
    return find_best(make_problem(Op::sum, DType::i32, shape), identify_device("host"),
                     results.options(Match::fallback))
        .match;
  };
  EXPECT_EQ(match_of(Shape::channels(32, 256, 256)), Match::near);
  EXPECT_EQ(match_of(Shape::channels(32, 256, 225)), Match::fallback) << "cut vectors";
  EXPECT_EQ(match_of(Shape::channels(64, 256, 196)), Match::near) << "twice the batch";
  EXPECT_EQ(match_of(Shape::channels(32, 512, 196)), Match::near);
  EXPECT_EQ(match_of(Shape::channels(32, 256, 4)), Match::fallback) << "another regime";
  EXPECT_EQ(match_of(Shape{.count = 196, .outer = 256, .outer_pitch = 197, .batch = 32}),
            Match::fallback);
  EXPECT_EQ(match_of(Shape::rows(256, 196)), Match::fallback) << "another family";
  Reducer other(make_problem(Op::sum, DType::i32, Shape::channels(2, 5, 7)),
                {.device = "host", .lookup = results.options(Match::fallback)});
  EXPECT_EQ(other.answer(Shape::channels(32, 256, 196)).match, Match::exact);
  EXPECT_EQ(other.answer(Shape::channels(40, 256, 196)).match, Match::near);
}

TEST(Channels, ThatAreNoneAreLeftToOthers) {
  const auto family = [](const std::vector<std::int64_t>& extents) {
    return Reducer(make_problem(Op::max, DType::f32, reduce_axes(extents, {}, {0, 2})),
                   {.device = "host"})
        .answer()
        .family;
  };
  EXPECT_EQ(family({4, 5, 6}), "reduce_channels");
  EXPECT_EQ(family({1, 5, 6}), "reduce_rows");
  EXPECT_EQ(family({4, 5, 1}), "reduce_columns");
  EXPECT_EQ(family({4, 1, 6}), "reduce");
}

TEST(Channels, ThatNoKernelIsForAreRefused) {
  Reducer reducer(make_problem(Op::sum, DType::i32, Shape::channels(3, 5, 7)),
                  {.device = "host", .lookup = ResultsFile().options(Match::fallback)});
  std::vector<std::int32_t> in(1000);
  std::vector<std::int64_t> out(100);
  for (const Shape& shape :
       {Shape::columns(5, 4), Shape::channels(0, 5, 7), Shape::channels(3, 5, -7),
        Shape{.count = 7, .outer = 5, .batch = 3, .batch_pitch = 34},
        Shape{.count = 7, .outer = 5, .inner = 2, .batch = 3}}) {
    EXPECT_THROW(reducer.launch(in.data(), shape, out.data()), UsageError) << describe_shape(shape);
  }
  Reducer with_gaps(
      make_problem(Op::sum, DType::i32, Shape{.count = 7, .batch = 3, .batch_pitch = 9}),
      {.device = "host", .lookup = ResultsFile().options(Match::fallback)});
  EXPECT_THROW((void)with_gaps.reduce<std::int64_t>(std::span<const std::int32_t>(in)), UsageError);
}

}  // namespace
}  // namespace redtune
