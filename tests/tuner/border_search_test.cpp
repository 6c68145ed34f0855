// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where one winner takes over from another, by asking who is faster in between.
#include "tuner/session/border_search.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <vector>

#include "cache/keys/key.hpp"
#include "tests/cache/samples.hpp"
#include "tuner/session/predict.hpp"

namespace redtune::tuner {
namespace {

using cache::testing::sample_entry;
using cache::testing::sample_settings;

constexpr std::int64_t small_count = 1'024;
constexpr std::int64_t large_count = 1'048'576;

/// A device on which the larger's winner is faster from this count on.
std::function<Faster(std::int64_t)> changing_at(std::int64_t true_border) {
  return [=](std::int64_t count) { return count < true_border ? Faster::below : Faster::above; };
}

TEST(BorderSearch, FindsTheBorderToWithinItsLastStep) {
  for (std::int64_t truth = small_count + 1; truth <= large_count; truth = truth * 11 / 10 + 1) {
    const cache::Border border = find_border(small_count, large_count, {}, changing_at(truth));
    const double off = static_cast<double>(border.first) / static_cast<double>(truth);
    EXPECT_LE(off, narrow_border) << truth;
    EXPECT_GE(off, 1 / narrow_border) << truth;
    EXPECT_LT(border.still_below, truth);
    EXPECT_LE(truth, border.first_above);
    EXPECT_TRUE(cache::is_plausible(
        {cache::question_of({.problem = cache::testing::sample_problem(small_count)}), border}))
        << truth;
  }
}

TEST(BorderSearch, AsksAtAFewCountsInBetweenAndAtNoneTwice) {
  std::set<std::int64_t> asked;
  (void)find_border(small_count, large_count, {}, [&](std::int64_t count) {
    EXPECT_TRUE(asked.insert(count).second) << count;
    return count < 5'000 ? Faster::below : Faster::above;
  });
  EXPECT_LE(asked.size(), 6U) << "10 doublings, each time half of them";
  EXPECT_GT(*asked.begin(), small_count);
  EXPECT_LT(*asked.rbegin(), large_count);
}

TEST(BorderSearch, BeginsBesideTheSmallerCount) {
  std::vector<std::int64_t> asked;
  const auto find = [&](std::int64_t truth) {
    asked.clear();
    return find_border(small_count, large_count, {}, [&](std::int64_t count) {
      asked.push_back(count);
      return changing_at(truth)(count);
    });
  };
  EXPECT_EQ(find(1'100).first_above, 1'440);
  EXPECT_EQ(asked, (std::vector<std::int64_t>{1'440})) << "most borders are there";
  (void)find(large_count);
  EXPECT_LE(asked.size(), 7U) << "steps grow";
  EXPECT_TRUE(std::ranges::is_sorted(asked));
}

TEST(BorderSearch, TakesAPlaceWhereNeitherIsFaster) {
  int asked = 0;
  const cache::Border border = find_border(small_count, large_count, {}, [&](std::int64_t) {
    ++asked;
    return Faster::either;
  });
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(border.first, 1'440) << "in the middle of the logarithms up to twice the smaller";
  EXPECT_EQ(border.still_below, small_count);
  EXPECT_EQ(border.first_above, large_count);
}

/// A block that takes so many at once is slower from the next count on.
TEST(BorderSearch, PutsItBehindWhatTheSmallersWinnerTakesAtOnce) {
  for (const std::int64_t at_once : {small_count, small_count + 7, small_count * 4}) {
    const cache::Border border =
        find_border(small_count, large_count, {at_once}, changing_at(at_once + 1));
    EXPECT_EQ(border.first, at_once + 1);
  }
  EXPECT_EQ(find_border(1000, 1400, {1399}, changing_at(1400)).first, 1400);
  const auto usual = find_border(small_count, large_count, {}, changing_at(5'000));
  for (const std::int64_t at_once : {small_count - 1, std::int64_t{3'000}, large_count}) {
    EXPECT_EQ(find_border(small_count, large_count, {at_once}, changing_at(5'000)), usual)
        << "timing tells more than " << at_once;
  }
}

/// Unless it was seen to be the faster at another.
TEST(BorderSearch, LeavesTheLargerItsCountAloneWhereItsWinnerIsForThat) {
  const KnownOfTwo known{.is_above_for_its_count = true};
  const auto never = [](std::int64_t) { return Faster::below; };
  EXPECT_EQ(find_border(small_count, large_count, known, never).first, large_count);
  const cache::Border close = find_border(1'000, 1'400, known, changing_at(1'100));
  EXPECT_EQ(close.first, 1'400) << "nothing is asked";
  EXPECT_EQ(close.still_below, 1'000);
  EXPECT_EQ(find_border(1'000, 1'400, {1'200, true}, never).first, 1'201) << "another reason";
  EXPECT_EQ(find_border(small_count, large_count, known, changing_at(5'000)),
            find_border(small_count, large_count, {}, changing_at(5'000)));
}

TEST(CountBetween, IsInTheMiddleAndNoWholeTiles) {
  EXPECT_EQ(count_between(4'096, 8'192), 5'761);
  EXPECT_EQ(count_between(1'000, 1'400), std::nullopt);
  for (std::int64_t below = 1; below < 1'000; ++below) {
    for (const std::int64_t above : {below + 1, below * 2, below * 4}) {
      const auto count = count_between(below, above);
      if (!count) {
        EXPECT_TRUE(2 * above <= 3 * below + 1 || above - below < 2) << below << " " << above;
        continue;
      }
      EXPECT_TRUE(below < *count && *count < above) << below << " " << above;
      const auto from_middle = std::log2(static_cast<double>(*count) * static_cast<double>(*count) /
                                         (static_cast<double>(below) * static_cast<double>(above)));
      if (below >= 64) {
        EXPECT_NE(*count % 2, 0) << below << " " << above;
        EXPECT_LT(std::abs(from_middle), 0.2) << below << " " << above;
      }
    }
  }
}

TEST(BorderSearch, ManagesCountsThatAreCloseTogether) {
  for (std::int64_t low = 0; low < 40; ++low) {
    for (std::int64_t high = low + 1; high < 45; ++high) {
      for (std::int64_t truth = low + 1; truth <= high; ++truth) {
        const cache::Border border = find_border(low, high, {}, [&](std::int64_t count) {
          EXPECT_TRUE(low < count && count < high) << count;
          return changing_at(truth)(count);
        });
        EXPECT_LE(low, border.still_below);
        EXPECT_LT(border.still_below, border.first);
        EXPECT_LE(border.first, border.first_above);
        EXPECT_LE(border.first_above, high);
      }
    }
  }
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  EXPECT_GT(find_border(1, largest, {}, changing_at(largest / 2)).first, largest / 4);
}

/// Twelve rounds in which the second takes so many times as long as the first.
Rounds rounds_with(double ratio, double noise = 0.01) {
  Rounds rounds;
  for (int i = 0; i < 12; ++i) rounds.push_back({10, 10 * ratio * (1 + noise * std::sin(i))});
  return rounds;
}

TEST(FasterIn, IsWhoeverSurelyIs) {
  EXPECT_EQ(faster_in(rounds_with(1.05)), Faster::below);
  EXPECT_EQ(faster_in(rounds_with(0.95)), Faster::above);
  EXPECT_EQ(faster_in(rounds_with(1.0)), Faster::either);
  EXPECT_EQ(faster_in(rounds_with(1.002, 0.05)), Faster::either);
}

TEST(FasterIn, KnowsOfWhoeverDroppedOut) {
  Rounds rounds = rounds_with(1.5);
  for (int i = 0; i < 12; ++i) rounds.push_back({10, std::nan("")});
  EXPECT_EQ(faster_in(rounds), Faster::below);
}

cache::StoredBest winner(std::int64_t count, int block_size) {
  cache::StoredBest entry = sample_entry(count);
  entry.question.problem.count = count;
  entry.best.settings = sample_settings(block_size);
  return entry;
}

bool is_any(const cache::Question&) {
  return true;
}

bool is_none(const cache::StoredBest&) {
  return false;
}
bool is_finished(const cache::StoredBest&) {
  return true;
}

/// Right above the smaller.
cache::StoredBorder border_between(const cache::StoredBest& below, const cache::StoredBest& above) {
  const std::int64_t small = below.question.problem.count;
  const std::int64_t large = above.question.problem.count;
  return {.question = below.question,
          .border = {.above = large,
                     .below_config = cache::key_of(below.best.settings).hash,
                     .above_config = cache::key_of(above.best.settings).hash,
                     .first = small + 1,
                     .still_below = small,
                     .first_above = large}};
}

TEST(BordersToMeasure, AreThoseBetweenNeighboursWhoseWinnersDiffer) {
  const cache::Snapshot known{
      .entries = {winner(4'000, 64), winner(1'000, 64), winner(64'000, 512), winner(16'000, 256)}};
  const BordersToMeasure found = borders_to_measure(known, is_any, is_none, is_finished);
  ASSERT_EQ(found.missing.size(), 2U);
  EXPECT_EQ(found.missing[0].below, winner(4'000, 64));
  EXPECT_EQ(found.missing[0].above, winner(16'000, 256));
  EXPECT_EQ(found.missing[1].below, winner(16'000, 256));
  EXPECT_EQ(found.known, 0U);
}

TEST(BordersToMeasure, AreNotBetweenProblemsOfDifferentKinds) {
  cache::Snapshot known{.entries = {winner(1'000, 64), winner(4'000, 128)}};
  known.entries[0].question.problem.cache_mode = CacheMode::warm;
  EXPECT_TRUE(borders_to_measure(known, is_any, is_none, is_finished).missing.empty());
}

TEST(BordersToMeasure, AreThoseOfQuestionsThatAreAsked) {
  const cache::Snapshot known{
      .entries = {winner(1'000, 64), winner(4'000, 128), winner(16'000, 256), winner(64'000, 64)}};
  const auto found = borders_to_measure(
      known, [](const cache::Question& question) { return question.problem.count == 4'000; },
      is_none, is_finished);
  EXPECT_EQ(found.missing.size(), 2U) << "on both of its sides";
}

TEST(BordersToMeasure, AreNotThoseThatAreKnown) {
  cache::Snapshot known{.entries = {winner(1'000, 64), winner(4'000, 128), winner(16'000, 256)}};
  known.borders = {border_between(known.entries[0], known.entries[1])};
  EXPECT_EQ(borders_to_measure(known, is_any, is_none, is_finished).missing.size(), 1U);
  EXPECT_EQ(borders_to_measure(known, is_any, is_none, is_finished).known, 1U);
  known.entries[0].best.settings = sample_settings(32);
  EXPECT_EQ(borders_to_measure(known, is_any, is_none, is_finished).missing.size(), 2U)
      << "of another winner";
}

TEST(BordersToMeasure, NameACountToTuneWhereTheLargersWinnerIsForItsCountAlone) {
  cache::Snapshot known{.entries = {winner(1'000, 64), winner(2'000, 128), winner(2'500, 256)}};
  const auto is_it = [](const cache::StoredBest& one) {
    return one.best.settings != sample_settings(64);
  };
  known.borders = {border_between(known.entries[0], known.entries[1])};
  const BordersToMeasure found = borders_to_measure(known, is_any, is_it, is_finished);
  ASSERT_EQ(found.missing.size(), 2U) << "also where the border is known";
  EXPECT_EQ(found.missing[0].between, count_between(1'000, 2'000));
  EXPECT_EQ(found.missing[1].between, std::nullopt) << "they are close";
  EXPECT_EQ(found.known, 0U);
  known.entries[0].best.settings = known.entries[1].best.settings;
  EXPECT_TRUE(borders_to_measure(known, is_any, is_it, is_finished).missing[0].between.has_value())
      << "also where both have one winner";
}

/// Who asks for a count asks for what was tuned beside it, and for both of its borders.
TEST(BordersToMeasure, BelongToTheNeighboursOfACountThatWasTunedBetween) {
  const std::int64_t between = *count_between(1'000, 2'000);
  const cache::Snapshot known{
      .entries = {winner(1'000, 64), winner(between, 512), winner(2'000, 128), winner(8'000, 64)}};
  const auto is_it = [](const cache::StoredBest& one) {
    return one.best.settings == sample_settings(128);
  };
  const auto missing_for = [&](std::int64_t asked, const auto& is_done) {
    return borders_to_measure(
               known,
               [&](const cache::Question& question) { return question.problem.count == asked; },
               is_it, is_done)
        .missing;
  };
  for (const std::int64_t asked : {std::int64_t{1'000}, between, std::int64_t{2'000}}) {
    const auto missing = missing_for(asked, is_finished);
    ASSERT_EQ(missing.size(), asked == 2'000 ? 3U : 2U) << asked;
    EXPECT_EQ(missing[0].above.question.problem.count, between);
    EXPECT_EQ(missing[1].below.question.problem.count, between);
    EXPECT_EQ(missing[1].between, std::nullopt) << "once is enough";
    const auto unfinished = missing_for(asked, is_none);
    EXPECT_EQ(unfinished[0].below.question.problem.count, 1'000);
    EXPECT_EQ(unfinished[0].above.question.problem.count, 2'000);
    EXPECT_EQ(unfinished[0].between, between) << "it is gone on with";
  }
  EXPECT_EQ(missing_for(8'000, is_finished).size(), 1U);
}

/// Winners change: what was tuned beside whole tiles is gone on with where others win by now.
TEST(BordersToMeasure, KnowACountThatWasTunedBetweenByItsPlace) {
  const std::int64_t between = *count_between(1'000, 2'000);
  const cache::Snapshot known{
      .entries = {winner(1'000, 64), winner(between, 512), winner(2'000, 128)}};
  const auto missing = borders_to_measure(known, is_any, is_none, is_none).missing;
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(missing[0].between, between);
  EXPECT_EQ(borders_to_measure(known, is_any, is_none, is_finished).missing.size(), 2U);
}

/// The family of another kind may be a kernel of somebody whose file is gone.
TEST(BordersToMeasure, AskNothingAboutWhatNobodyAsksFor) {
  const cache::Snapshot known{.entries = {winner(1'000, 64),
                                          winner(*count_between(1'000, 2'000), 128),
                                          winner(2'000, 256), winner(4'000, 64)}};
  const auto never = [](const cache::StoredBest& one) {
    ADD_FAILURE() << one.question.problem.count;
    return true;
  };
  const auto is_asked = [](const cache::Question&) { return false; };
  EXPECT_TRUE(borders_to_measure(known, is_asked, never, never).missing.empty());
}

TEST(BordersToMeasure, AreNotWherePredictionsAnswer) {
  cache::Snapshot known{.entries = {winner(1'000, 64), winner(2'000, 128), winner(8'000, 256)}};
  EXPECT_EQ(borders_to_measure(known, is_any, is_none, is_finished).missing.size(), 2U);
  for (int i = 3; i < fewest_for_all_kinds; ++i) {
    known.entries.push_back(winner(1'000, 64));
    known.entries.back().question.problem.op = Op::max;
  }
  const BordersToMeasure found = borders_to_measure(known, is_any, is_none, is_finished);
  ASSERT_EQ(found.missing.size(), 1U) << "twice apart";
  EXPECT_EQ(found.missing[0].above.question.problem.count, 2'000);
  known.entries.back().question.device_class.compute_units += 1;
  EXPECT_EQ(borders_to_measure(known, is_any, is_none, is_finished).missing.size(), 2U)
      << "of a device class each";
}

}  // namespace
}  // namespace redtune::tuner
