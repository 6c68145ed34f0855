// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Segments through the application's handle on the host: looked up, launched with any offsets,
// refused where there is no kernel.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "device/host/host_identity.hpp"
#include "redtune/reducer.hpp"
#include "tests/runtime/published.hpp"

namespace redtune {
namespace {

using testing_runtime::ResultsFile;

std::vector<std::int32_t> some_elements(std::int64_t count) {
  std::vector<std::int32_t> in(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int32_t>(i * 31 % 257) - 100;
  return in;
}

/// Lengths of any kind, the longest as long as told.
template <class Offset>
std::vector<Offset> some_offsets(std::int64_t segments, std::int64_t longest) {
  std::vector<Offset> offsets{0};
  for (std::int64_t i = 0; i < segments; ++i) {
    const std::int64_t length = i % 5 == 3 ? 0 : i == segments / 2 ? longest : i % 7;
    offsets.push_back(static_cast<Offset>(offsets.back() + length));
  }
  return offsets;
}

template <class Offset>
void expect_segment_sums(Reducer& reducer, const std::vector<Offset>& offsets) {
  const auto segments = static_cast<std::int64_t>(offsets.size()) - 1;
  const std::vector<std::int32_t> in = some_elements(offsets.back() + 3);
  std::vector<std::int64_t> out(offsets.size(), -7);
  const SegmentOffsets there = segments_at(offsets.data(), segments);
  reducer.check_offsets(static_cast<std::int64_t>(in.size()), there);
  reducer.launch(in.data(), static_cast<std::int64_t>(in.size()), there, out.data());
  reducer.synchronize();
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    ASSERT_EQ(out[i], std::accumulate(in.begin() + offsets[i], in.begin() + offsets[i + 1],
                                      std::int64_t{0}))
        << i << " of " << segments;
  }
  EXPECT_EQ(out.back(), -7);
}

template <class Offset>
void expect_any_offsets(const Shape& shape) {
  Reducer reducer(make_problem(Op::sum, DType::i32, shape),
                  {.device = "host", .lookup = ResultsFile().options(Match::fallback)});
  EXPECT_EQ(reducer.answer().family, "reduce_segments");
  for (const std::int64_t segments : {0, 1, 2, 100, 3000}) {
    for (const std::int64_t longest : {0, 1, 4000}) {
      expect_segment_sums(reducer, some_offsets<Offset>(segments, longest));
    }
  }
}

TEST(Segments, AreLaunchedWithAnyOffsets) {
  expect_any_offsets<std::int32_t>(Shape::segments(1 << 22, 1 << 10));
  expect_any_offsets<std::int64_t>(Shape::segments(1 << 22, 1 << 10, 64, Skew::giant));
}

/// As many as they are, their lengths decide: not how many elements there are in all.
TEST(Segments, AreLaunchedByTheirMeanLength) {
  const auto of = [](const Shape& shape) {
    return Reducer(make_problem(Op::sum, DType::i32, shape),
                   {.device = "host:wave32", .lookup = ResultsFile().options(Match::fallback)});
  };
  const Reducer few = of(Shape::segments(1 << 16, 1 << 10));
  const Shape many = Shape::segments(1 << 22, 1 << 16);
  const Shape longer = Shape::segments(1 << 22, 1 << 10);
  EXPECT_EQ(few.answer(many).settings, of(many).answer(many).settings);
  EXPECT_EQ(few.answer(longer).settings, of(longer).answer(longer).settings);
  EXPECT_NE(few.answer(many).settings, few.answer(longer).settings);
}

/// One block each is too little for few long segments, and shares are not for many short ones.
TEST(Segments, FarFromTheShapeOfTheReducerHaveTheirOwnDefault) {
  const Shape many = Shape::segments(1 << 26, 1 << 20);
  const Shape few = Shape::segments(3 << 22, 3);
  const auto of = [](const Shape& shape) {
    return Reducer(make_problem(Op::sum, DType::i32, shape),
                   {.device = "host:wave32", .lookup = ResultsFile().options(Match::fallback)});
  };
  const Reducer of_many = of(many);
  const Reducer of_few = of(few);
  ASSERT_EQ(of_many.answer(many).settings.front(), (Setting{"way", "tiles"}));
  ASSERT_EQ(of_few.answer(few).settings.front(), (Setting{"way", "slots"}));
  EXPECT_EQ(of_many.answer(few).settings, of_few.answer(few).settings);
  EXPECT_EQ(of_few.answer(many).settings, of_many.answer(many).settings);
  EXPECT_EQ(of_many.answer(few).match, Match::fallback);
}

TEST(Segments, AreRefusedWithoutOffsets) {
  Reducer reducer(make_problem(Op::sum, DType::i32, Shape::segments(100, 3)),
                  {.device = "host", .lookup = ResultsFile().options(Match::fallback)});
  const std::vector<std::int32_t> in(100, 1);
  const std::vector<std::int32_t> offsets{0, 10, 20, 30};
  std::vector<std::int64_t> out(3);
  const auto launch = [&](const SegmentOffsets& segments) {
    reducer.launch(in.data(), 100, segments, out.data());
  };
  EXPECT_THROW(launch(segments_between(offsets.data(), static_cast<std::int32_t*>(nullptr), 3)),
               UsageError);
  EXPECT_THROW(launch({offsets.data(), offsets.data() + 1, 3, 64}), UsageError);
  EXPECT_THROW(launch({offsets.data(), offsets.data() + 1, 0, 64}), UsageError);
  const auto check = [&](const SegmentOffsets& segments) { reducer.check_offsets(100, segments); };
  EXPECT_THROW(check({offsets.data(), nullptr, 3, 32}), UsageError);
  EXPECT_THROW(check({offsets.data(), offsets.data() + 1, -1, 32}), UsageError);
  EXPECT_THROW(check({offsets.data(), offsets.data() + 1, 1, 64}), UsageError);
  EXPECT_NO_THROW(check({offsets.data(), offsets.data() + 1, 3, 32}));
  Reducer rows(make_problem(Op::sum, DType::i32, Shape::rows(3, 10)),
               {.device = "host", .lookup = ResultsFile().options(Match::fallback)});
  EXPECT_THROW(rows.launch(in.data(), 100,
                           SegmentOffsets{offsets.data(), offsets.data() + 1, 0, 32}, out.data()),
               UsageError);
}

/// With elements between them that are in none; indices count from where a segment begins.
TEST(Segments, MayLieApart) {
  Reducer reducer(make_problem(Op::argmax, DType::i32, Shape::segments(100, 3)),
                  {.device = "host", .lookup = ResultsFile().options(Match::fallback)});
  std::vector<std::int32_t> in(100, 1);
  in[12] = in[55] = in[99] = 9;
  in[30] = 50;
  const std::vector<std::int32_t> begins{10, 40, 70};
  const std::vector<std::int32_t> ends{20, 60, 70};
  std::vector<IndexedValue<std::int32_t>> out(3);
  reducer.launch(in.data(), 100, segments_between(begins.data(), ends.data(), 3), out.data());
  reducer.synchronize();
  EXPECT_EQ(out[0], (IndexedValue<std::int32_t>{9, 2}));
  EXPECT_EQ(out[1], (IndexedValue<std::int32_t>{9, 15}));
  EXPECT_EQ(out[2].index, -1);
}

TEST(Segments, HaveTheAnswerThatWasTuned) {
  const Problem problem = make_problem(Op::sum, DType::i32, Shape::segments(1 << 20, 1 << 14));
  const Settings settings = parse_settings(
      "way=slots staging=off block_size=1 threads_per_segment=1 segments_per_thread=2 "
      "loads_per_thread=2 "
      "vector_width=8 blocks_per_unit=4 load=cached early_start=off");
  ResultsFile results;
  results.publish(problem, identify_device("host"), settings);
  Reducer reducer(problem, {.device = "host", .lookup = results.options(Match::exact)});
  EXPECT_EQ(reducer.answer().match, Match::exact);
  EXPECT_EQ(reducer.answer().settings, settings);
  Reducer of_others(problem, {.device = "host", .lookup = results.options(Match::fallback)});
  EXPECT_EQ(of_others.answer().settings, settings);
  expect_segment_sums(of_others, some_offsets<std::int32_t>(1 << 14, 77));
  const auto match_of = [&](const Shape& shape) {
    return find_best(make_problem(Op::sum, DType::i32, shape), identify_device("host"),
                     results.options(Match::fallback))
        .match;
  };
  EXPECT_EQ(match_of(Shape::segments(1 << 21, 1 << 15)), Match::near) << "as long, and twice";
  EXPECT_EQ(match_of(Shape::segments(1 << 20, 1 << 14, 64)), Match::near);
  EXPECT_EQ(match_of(Shape::segments(1 << 20, 1 << 14, 32, Skew::giant)), Match::fallback);
  EXPECT_EQ(match_of(Shape::segments(1 << 20, 1 << 4)), Match::fallback) << "another regime";
  EXPECT_EQ(match_of(Shape::rows(1 << 14, 64)), Match::fallback) << "another family";
}

Reducer on_waves(const Shape& shape, Op op = Op::sum) {
  return Reducer(make_problem(op, DType::i32, shape),
                 {.device = "host:wave32", .lookup = ResultsFile().options(Match::fallback)});
}

template <class Offset>
void expect_planned_sums(const Reducer& reducer, SegmentPlan& plan,
                         const std::vector<Offset>& offsets, std::int64_t elements) {
  const std::vector<std::int32_t> in = some_elements(elements);
  std::vector<std::int64_t> out(offsets.size(), -7);
  for (int i = 0; i < 2; ++i) reducer.launch(in.data(), plan, out.data());
  reducer.synchronize();
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    ASSERT_EQ(out[i], std::accumulate(in.begin() + offsets[i], in.begin() + offsets[i + 1],
                                      std::int64_t{0}))
        << i;
  }
  EXPECT_EQ(out.back(), -7);
}

template <class Offset>
void expect_any_plan(const Reducer& reducer) {
  for (const PlanWay way : {PlanWay::as_found, PlanWay::shares, PlanWay::bins}) {
    for (const std::int64_t segments : {0, 1, 2, 100, 9000}) {
      for (const std::int64_t longest : {0, 1, 70000}) {
        const auto offsets = some_offsets<Offset>(segments, longest);
        const std::int64_t elements = offsets.back() + 3;
        const auto there = segments_at(offsets.data(), segments);
        SegmentPlan plan = reducer.plan_segments(elements, there, {.way = way});
        EXPECT_EQ(plan.bytes(), reducer.segment_plan_bytes(elements, segments, {.way = way}));
        expect_planned_sums(reducer, plan, offsets, elements);
      }
    }
  }
}

TEST(PlannedSegments, AreLaunchedAgainAndAgain) {
  expect_any_plan<std::int32_t>(on_waves(Shape::segments(1 << 22, 1 << 10)));
  expect_any_plan<std::int64_t>(on_waves(Shape::segments(1 << 22, 1 << 10, 64, Skew::giant)));
}

TEST(PlannedSegments, LieInMemoryThatIsGivenAndArePlannedAgain) {
  const Reducer reducer = on_waves(Shape::segments(1 << 20, 1000));
  const auto one = some_offsets<std::int32_t>(1000, 30000);
  auto other = one;
  for (std::size_t i = 1; i + 1 < other.size(); ++i) other[i] = std::max(other[i - 1], one[i] / 2);
  const std::int64_t elements = one.back();
  SegmentPlanOptions options{.way = PlanWay::bins};
  options.bytes = reducer.segment_plan_bytes(elements, 1000, options);
  std::vector<std::uint64_t> memory(options.bytes / 8 + 64, ~0ULL);
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  options.memory = reinterpret_cast<void*>((address + 255) / 256 * 256);
  SegmentPlan plan = reducer.plan_segments(elements, segments_at(one.data(), 1000), options);
  expect_planned_sums(reducer, plan, one, elements);
  plan.update(segments_at(other.data(), 1000));
  expect_planned_sums(reducer, plan, other, elements);
  EXPECT_THROW(plan.update(segments_at(other.data(), 999)), UsageError);
  --options.bytes;
  EXPECT_THROW((void)reducer.plan_segments(elements, segments_at(one.data(), 1000), options),
               UsageError);
}

TEST(PlannedSegments, MeasureTheirLengths) {
  const auto lengths_of = [](std::int64_t segments, auto length) {
    std::vector<std::int32_t> offsets{0};
    for (std::int64_t i = 0; i < segments; ++i) {
      offsets.push_back(offsets.back() + static_cast<std::int32_t>(length(i)));
    }
    const Reducer reducer = on_waves(Shape::segments(1 << 20, 1000));
    return reducer.plan_segments(offsets.back(), segments_at(offsets.data(), segments)).measure();
  };
  const auto even = lengths_of(5000, [](std::int64_t i) { return 10 + i % 11; });
  EXPECT_EQ(even.longest, 20);
  EXPECT_EQ(even.elements, 74985);
  EXPECT_EQ(even.skew, Skew::uniform);
  EXPECT_EQ(lengths_of(5000, [](std::int64_t i) { return 40000 / (i + 1); }).skew, Skew::zipf);
  EXPECT_EQ(lengths_of(5000, [](std::int64_t i) { return i == 77 ? 90000 : 20; }).skew,
            Skew::giant);
  EXPECT_EQ(lengths_of(1, [](std::int64_t) { return 90000; }).skew, Skew::uniform);
  EXPECT_EQ(lengths_of(0, [](std::int64_t) { return 1; }).elements, 0);
}

TEST(PlannedSegments, ChooseByTheirLengthsWhereThatIsAskedFor) {
  const Reducer reducer = on_waves(Shape::segments(1 << 22, 1 << 12));
  std::vector<std::int32_t> offsets{0};
  for (int i = 0; i < (1 << 12); ++i) offsets.push_back(offsets.back() + (i == 9 ? 1 << 21 : 500));
  const auto there = segments_at(offsets.data(), 1 << 12);
  const SegmentPlan as_told = reducer.plan_segments(offsets.back(), there);
  EXPECT_EQ(as_told.answer().problem.skew, Skew::uniform);
  SegmentPlan plan = reducer.plan_segments(offsets.back(), there, {.measured = true});
  EXPECT_EQ(plan.answer().problem.skew, Skew::giant);
  EXPECT_NE(plan.answer().settings, as_told.answer().settings);
  expect_planned_sums(reducer, plan, offsets, offsets.back());
}

TEST(PlannedSegments, AreRefusedWhereThereIsNoKernelForThem) {
  const Reducer reducer = on_waves(Shape::segments(100, 3));
  const Reducer of_rows = on_waves(Shape::rows(3, 10));
  const std::vector<std::int32_t> in(100, 1);
  const std::vector<std::int32_t> offsets{0, 10, 20, 30};
  std::vector<std::int64_t> out(3);
  const auto there = segments_at(offsets.data(), 3);
  EXPECT_THROW((void)of_rows.plan_segments(100, there), UsageError);
  EXPECT_THROW((void)reducer.plan_segments(100, {offsets.data(), nullptr, 3, 32}), UsageError);
  EXPECT_THROW((void)reducer.plan_segments(100, {offsets.data(), offsets.data(), 1, 64}),
               UsageError);
  SegmentPlan plan = reducer.plan_segments(100, there);
  const Reducer other = on_waves(Shape::segments(100, 3));
  EXPECT_THROW(other.launch(in.data(), plan, out.data()), UsageError) << "another Reducer's";
  EXPECT_EQ(reducer.hits(Match::fallback), 0U);
  reducer.launch(in.data(), plan, out.data());
  EXPECT_EQ(reducer.hits(Match::fallback), 1U);
}

TEST(Segments, ThatNoKernelIsForAreRefused) {
  Reducer reducer(make_problem(Op::sum, DType::i32, Shape::segments(100, 10)),
                  {.device = "host", .lookup = ResultsFile().options(Match::fallback)});
  std::vector<std::int32_t> in(1000);
  std::vector<std::int64_t> out(100);
  const std::vector<std::int64_t> wide{0, 1};
  const auto refused = [&](const SegmentOffsets& segments) {
    EXPECT_THROW(reducer.launch(in.data(), 100, segments, out.data()), UsageError);
  };
  refused(segments_at(wide.data(), 1));
  refused({in.data(), in.data(), -1, 32});
  EXPECT_THROW(reducer.launch(in.data(), 100, out.data()), UsageError) << "without offsets";
  EXPECT_THROW(reducer.launch(in.data(), Shape::rows(5, 4), out.data()), UsageError);
  EXPECT_THROW((void)reducer.reduce<std::int64_t>(std::span<const std::int32_t>(in)), UsageError);
  Reducer of_rows(make_problem(Op::sum, DType::i32, Shape::rows(100, 10)),
                  {.device = "host", .lookup = ResultsFile().options(Match::fallback)});
  EXPECT_THROW(of_rows.launch(in.data(), 100, segments_at(wide.data(), 1), out.data()), UsageError);
}

Problem sums_of_segments(int bits) {
  return make_problem(Op::sum, DType::i32, Shape::segments(100, 3, bits));
}

/// What is wrong with segments between these offsets of an array of 100 elements; empty: nothing.
template <class Offset, class Check>
std::string why_refused(const std::vector<Offset>& offsets, const Check& check) {
  try {
    check(segments_at(offsets.data(), static_cast<std::int64_t>(offsets.size()) - 1));
    return "";
  } catch (const UsageError& error) {
    return error.what();
  }
}

template <class Offset>
struct Refused {
  std::vector<Offset> offsets;
  std::string why;
};
template <class Offset>
std::vector<Refused<Offset>> refused_offsets() {
  constexpr Offset least = std::numeric_limits<Offset>::lowest();
  constexpr Offset most = std::numeric_limits<Offset>::max();
  return {{{0, 50, 50, 100}, ""},
          {{0, 0, 0, 0}, ""},
          {{100, 100, 100, 100}, ""},
          {{0, 50, 49, 60}, "segment 1 ends at 49, before it begins at 50"},
          {{0, 50, 50, 101}, "segment 2 ends at 101, beyond the 100 elements of the array"},
          {{-3, 50, 60, 70}, "segment 0 begins at -3"},
          {{0, -1, 60, 70}, "segment 0 ends at -1, before it begins at 0"},
          {{0, least, most, 70}, fmt::format("segment 0 ends at {}, before it begins at 0", least)},
          {{0, most, most, most},
           fmt::format("segment 0 ends at {}, beyond the 100 elements of the array", most)}};
}

template <class Offset>
void expect_checked() {
  const Reducer reducer(
      sums_of_segments(8 * sizeof(Offset)),
      {.device = "host:wave32", .lookup = ResultsFile().options(Match::fallback)});
  for (const auto& [offsets, why] : refused_offsets<Offset>()) {
    EXPECT_EQ(why_refused(offsets, [&](auto there) { reducer.check_offsets(100, there); }), why);
  }
  const std::vector<Offset> good{0, 10, 20, 30};
  const auto there = segments_at(good.data(), 3);
  EXPECT_NO_THROW(reducer.check_offsets(0, segments_at(good.data(), 0)));
  for (const bool measured : {false, true}) {
    const SegmentPlanOptions options{
        .way = measured ? PlanWay::as_found : PlanWay::bins, .measured = measured, .checked = true};
    SegmentPlan plan = reducer.plan_segments(100, there, options);
    for (const auto& [offsets, why] : refused_offsets<Offset>()) {
      EXPECT_EQ(why_refused(offsets,
                            [&](auto these) { (void)reducer.plan_segments(100, these, options); }),
                why);
      EXPECT_EQ(why_refused(offsets, [&](auto these) { plan.update(these); }), why);
    }
    plan.update(there);
    EXPECT_THROW(plan.update(segments_at(refused_offsets<Offset>().back().offsets.data(), 3)),
                 UsageError);
    const std::vector<std::int32_t> in(100, 1);
    std::vector<std::int64_t> out(3);
    reducer.launch(in.data(), plan, out.data());
    reducer.synchronize();
    EXPECT_EQ(out, std::vector<std::int64_t>(3, 10)) << "it is as it was";
  }
}

TEST(Segments, AreCheckedWhereThatIsAskedFor) {
  expect_checked<std::int32_t>();
  expect_checked<std::int64_t>();
}

TEST(Segments, ThatLieApartAreCheckedBothWays) {
  const std::vector<std::int32_t> begins{0, 4};
  const std::vector<std::int32_t> ends{5, 9};
  EXPECT_EQ(why_no_segments(segments_between(begins.data(), ends.data(), 2), 100),
            "segment 1 begins at 4, before segment 0 ends at 5");
  const std::vector<std::int64_t> wide_begins{0, 6};
  const std::vector<std::int64_t> wide_ends{5, 5};
  EXPECT_EQ(why_no_segments(segments_between(wide_begins.data(), wide_ends.data(), 2), 100),
            "segment 1 ends at 5, before it begins at 6");
}

}  // namespace
}  // namespace redtune
