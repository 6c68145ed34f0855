// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Which stored winners a search begins with, in which order, and how it is told.
#include "tuner/session/warm_start.hpp"

#include <functional>
#include <gtest/gtest.h>

#include "tests/tuner/neighbours.hpp"

namespace redtune::tuner {
namespace {

/// A question that is not the one asked in one way.
struct Difference {
  const char* name;
  double distance;
  std::function<void(Question&)> make;
};

std::function<void(Question&)> problem(Op op, DType in, const ProblemChoices& choices = {}) {
  return [=](Question& q) { q.problem = make_problem(op, in, 1 << 24, choices); };
}

const std::vector<Difference>& differences() {
  static const std::vector<Difference> all{
      {"toolchain", 0, [](Question& q) { q.toolchain.driver = "6.4"; }},
      {"space", 0, [](Question& q) { q.space_key = "space-2"; }},
      {"result", 0, problem(Op::sum, DType::f32, {.out = DType::f64})},
      {"sibling", 8, [](Question& q) { q.device_class.compute_units = 110; }},
      {"other ISA", 24, [](Question& q) { q.device_class.isa = "gfx942"; }},
      {"operator", 10, problem(Op::min, DType::f32)},
      {"operator that is alike", 0.5, problem(Op::mean, DType::f32)},
      {"operator with an index", 20, problem(Op::argmin, DType::f32)},
      {"size of input", 1, problem(Op::sum, DType::f16)},
      {"size of accumulator", 1, problem(Op::sum, DType::f32, {.acc = DType::f64})},
      {"size of both", 2, problem(Op::sum, DType::f64)},
      {"kind of both, size of accumulator", 3, problem(Op::sum, DType::u32)},
      {"a quarter of the count", 4, [](Question& q) { q.problem.count = 1 << 22; }},
      {"eight times the count", 6, [](Question& q) { q.problem.count = 1 << 27; }},
      {"no elements", 48, [](Question& q) { q.problem.count = 0; }},
      {"cache mode", 2, problem(Op::sum, DType::f32, {.cache_mode = CacheMode::warm})},
      {"order", 1, problem(Op::sum, DType::f32, {.order = Order::any})}};
  return all;
}

TEST(WarmStartDistance, OfIntegersIsThatOfTheirSizes) {
  const auto far = [](DType one, DType other) {
    return distance(about(make_problem(Op::min, one, 1 << 20)),
                    about(make_problem(Op::min, other, 1 << 20)))
        .value();
  };
  EXPECT_EQ(far(DType::i32, DType::u32), 0);
  EXPECT_EQ(far(DType::i8, DType::u16), 2);
  EXPECT_EQ(far(DType::u32, DType::f32), 2);
}

TEST(WarmStartDistance, AddsUpWhatDiffers) {
  for (const Difference& difference : differences()) {
    Question stored = asked_question();
    difference.make(stored);
    const auto there = distance(asked_question(), stored);
    const auto back = distance(stored, asked_question());
    ASSERT_TRUE(there && back) << difference.name;
    EXPECT_NEAR(*there, difference.distance, 1e-5) << difference.name;
    EXPECT_EQ(there, back) << difference.name;
  }
  Question stored = about(make_problem(Op::max, DType::f32, 1 << 20, CacheMode::warm));
  stored.device_class.compute_units = 110;
  EXPECT_NEAR(distance(asked_question(), stored).value(), 8 + 10 + 2 * 4 + 2, 1e-5);
}

TEST(WarmStartDistance, OfOperatorsIsWhatTheWeightsSay) {
  const OperatorWeights weights{.other_operator = 2, .other_shape = 4};
  const Question asked = asked_question();
  Question stored = asked;
  stored.problem.op = Op::max;
  EXPECT_EQ(distance(asked, stored, weights), 2);
  stored.problem.op = Op::argmax;
  EXPECT_EQ(distance(asked, stored, weights), 2 + 4);
}

TEST(WarmStartDistance, TellsCustomOperatorsApartByTheirText) {
  const auto custom = [](const std::string& source) {
    return about(make_problem(CustomOp{"mine", source}, DType::f32, 1 << 24));
  };
  EXPECT_EQ(distance(custom("struct a"), custom("struct b")), 10);
}

TEST(WarmStartDistance, IsNoneForTheSameQuestionAnotherFamilyAndAnotherPlatform) {
  const Question asked = asked_question();
  EXPECT_EQ(distance(asked, asked), std::nullopt);
  Question other = of_count(1000);
  ASSERT_TRUE(distance(asked, other).has_value());
  other.family = "reduce_rows";
  EXPECT_EQ(distance(asked, other), std::nullopt);
  other = of_count(1000);
  other.device_class.platform = "cuda";
  EXPECT_EQ(distance(asked, other), std::nullopt);
}

TEST_F(WarmStart, HasNothingWhereNothingIsStored) {
  EXPECT_TRUE(nearest({}).empty());
}

TEST_F(WarmStart, PassesOverTheSameQuestionOtherFamiliesAndOtherPlatforms) {
  Question other_family = of_count(1000);
  other_family.family = "reduce_rows";
  Question other_platform = of_count(1000);
  other_platform.device_class.platform = "cuda";
  const auto neighbour = result(of_count(1 << 10), config(3));
  EXPECT_EQ(nearest({result(asked_question(), config(0)), result(other_family, config(1)),
                     result(other_platform, config(2)), neighbour}),
            std::vector{neighbour});
}

TEST_F(WarmStart, BeginsWithTheNearest) {
  const auto warm =
      result(about(make_problem(Op::sum, DType::f32, 1 << 20, CacheMode::warm)), config(0), 1);
  const auto whole = result(about(make_problem(Op::sum, DType::u32, 1 << 24)), config(1), 2);
  const auto smallest = result(about(make_problem(Op::min, DType::f32, 1 << 23)), config(2), 3);
  Question on_sibling = of_count(1 << 12);
  on_sibling.device_class.memory_bytes /= 2;
  const auto sibling = result(on_sibling, config(3), 4);
  EXPECT_EQ(nearest({sibling, smallest, whole, warm}),
            (std::vector{whole, warm, smallest, sibling}));
}

TEST_F(WarmStart, TakesTheNewerOfEquallyNear) {
  Question indexed = of_count(1 << 20);
  indexed.toolchain.driver = "5";
  const auto older = result(indexed, config(0), 7);
  const auto newer = result(of_count(1 << 20), config(1), 8);
  EXPECT_EQ(nearest({older, newer}), (std::vector{newer, older}));
  EXPECT_EQ(nearest({newer, older}), (std::vector{newer, older}));
}

TEST_F(WarmStart, TakesEachConfigOnceFromTheNearest) {
  const auto near = result(of_count(1 << 23), config(0), 1);
  const auto far = result(of_count(1 << 10), config(0), 2);
  const auto other = result(of_count(1 << 9), config(1), 3);
  EXPECT_EQ(nearest({far, near, other}), (std::vector{near, other}));
}

TEST_F(WarmStart, LeavesOutWhatCannotRunHereAndTheDefault) {
  const Settings standard = request.family->default_settings(request.problem, request.limits);
  Settings too_small = standard;  // good on a host
  for (Setting& setting : too_small) {
    if (setting.name == "block_size") setting.value = "1";
  }
  ASSERT_NO_THROW((void)request.family->point_of(too_small));
  std::vector<StoredBest> stored{
      result(of_count((1 << 24) + 1), standard, 1), result(of_count((1 << 24) + 2), too_small, 2),
      result(of_count((1 << 24) + 3), {{"block_size", "33"}}, 3),
      result(of_count((1 << 24) + 4), {{"of_another_version", "1"}}, 4),
      result(of_count((1 << 24) + 5), parse_settings("finish=slots slot_wait=pause"), 5)};
  EXPECT_TRUE(nearest(stored).empty());
  // They do not count either.
  for (int i = 0; i < 20; ++i) stored.push_back(stored[static_cast<std::size_t>(i) % 5]);
  stored.push_back(result(of_count(1 << 8), config(0), 6));
  EXPECT_EQ(nearest(stored), std::vector{stored.back()});
}

TEST_F(WarmStart, TakesAWinnerOfAnotherTypeWithTheSameBytesToo) {
  const Problem bytes = make_problem(Op::sum, DType::u8, 1 << 24);
  Settings winner = config(0);
  const auto set = [](Settings& settings, std::string_view name, const std::string& value) {
    for (Setting& setting : settings) {
      if (setting.name == name) setting.value = value;
    }
  };
  set(winner, "items_per_thread", "16");
  set(winner, "vector_width", "4");
  Settings scaled = winner;
  set(scaled, "items_per_thread", "4");
  set(scaled, "vector_width", "1");
  ASSERT_TRUE(space.contains(request.family->point_of(winner)));
  ASSERT_TRUE(space.contains(request.family->point_of(scaled)));
  const auto found = nearest({result(about(bytes), winner)});
  EXPECT_EQ(points_of(found),
            points_of({result(about(bytes), winner), result(about(bytes), scaled)}));
  EXPECT_EQ(describe(asked_question(), found),
            "beginning with the winner of 1 problem like this one: sum u8 2^24 cold");
}

TEST_F(WarmStart, TakesAtMostSix) {
  std::vector<StoredBest> stored;
  for (std::size_t i = 0; i < 20; ++i) {
    stored.push_back(result(of_count(std::int64_t{1 << 23} - static_cast<std::int64_t>(i) * 65536),
                            config(i), static_cast<std::int64_t>(i)));
  }
  EXPECT_EQ(nearest(stored), std::vector(stored.begin(), stored.begin() + 6));
}

TEST_F(WarmStart, IsToldInOneLine) {
  const auto warm = result(about(make_problem(Op::sum, DType::f32, 1 << 20, CacheMode::warm)), {});
  const auto bytes = result(about(make_problem(Op::sum, DType::u8, 1 << 24)), {});
  EXPECT_EQ(describe(asked_question(), std::vector{warm}),
            "beginning with the winner of 1 problem like this one: sum f32 2^20 warm");
  Question older = asked_question();
  older.toolchain.compiler = "an older one";
  Question other_space = asked_question();
  other_space.space_key = "space-0";
  Question elsewhere = asked_question();
  elsewhere.device_class.memory_bytes /= 2;
  auto sibling = result(elsewhere, {});
  sibling.device_name = "Half\x1b[2J";
  EXPECT_EQ(describe(asked_question(),
                     std::vector{warm, bytes, result(older, {}), result(other_space, {}), sibling}),
            "beginning with the winners of 5 problems like this one: sum f32 2^20 warm, "
            "sum u8 2^24 cold, sum f32 2^24 cold with another toolchain, sum f32 2^24 cold with "
            "another version of redtune, sum f32 2^24 cold on Half\\x1b[2J");
}

TEST_F(WarmStart, KnowsWhatAnsweredAtATime) {
  const auto past = [&](std::int64_t generation, std::int64_t count, const std::string& at) {
    cache::PastResult one{.stored = result(of_count(count), config(0), generation)};
    one.stored.at = at;
    return one;
  };
  auto later = past(5, 10, "2026-01-05");
  auto taken_back = past(4, 10, "2026-01-04");
  taken_back.revoked = cache::Revocation{"why", "2026-01-04"};
  auto taken_back_later = past(3, 10, "2026-01-03");
  taken_back_later.revoked = cache::Revocation{"why", "2026-01-06"};
  const std::vector history{later, taken_back, taken_back_later, past(2, 10, "2026-01-02"),
                            past(1, 20, "2026-01-01")};
  EXPECT_EQ(answers_at(history, "2026-01-04"),
            (std::vector{taken_back_later.stored, history[4].stored}));
  EXPECT_EQ(answers_at(history, "2026-01-06"), (std::vector{later.stored, history[4].stored}));
  EXPECT_TRUE(answers_at(history, "2025").empty());
}

}  // namespace
}  // namespace redtune::tuner
