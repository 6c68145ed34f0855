// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Classes of counts against a look-up that is a formula: whatever is tuned, a count gets what
// asking for it would give.
#include "runtime/size_classes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "runtime/class_table.hpp"

namespace redtune::runtime {
namespace {

/// As the cache answers: the exact count, else a sibling's, else the nearest within a factor of 16,
/// else the default, which depends on the count too.
class Formula {
 public:
  explicit Formula(std::set<std::int64_t> tuned, std::set<std::int64_t> of_sibling = {})
      : tuned_(std::move(tuned)), of_sibling_(std::move(of_sibling)) {}

  Found operator()(std::int64_t count) const {
    ++asked;
    Found found;
    found.answer.problem.count = count;
    found.answer.settings = {{"default", count < 4096 ? "small" : "large"}};
    if (!tuned_.contains(count) && of_sibling_.contains(count)) {
      return answer(std::move(found), Match::sibling, count);
    }
    double nearest = 4;
    for (const std::int64_t tuned : tuned_) {
      const double distance = std::abs(place(tuned) - place(count));
      if (distance > nearest || goes_around(tuned, count)) continue;
      nearest = distance;
      found = answer(std::move(found), tuned == count ? Match::exact : Match::near, tuned);
    }
    return found;
  }

  [[nodiscard]] std::vector<std::int64_t> counts() const {
    std::vector<std::int64_t> all(tuned_.begin(), tuned_.end());
    all.insert(all.end(), of_sibling_.begin(), of_sibling_.end());
    return all;
  }

  /// Beyond so many elements that tuned count does not answer: its one block would go around.
  void takes_at_once(std::int64_t tuned, std::int64_t most) { at_once_[tuned] = most; }

  mutable int asked = 0;

 private:
  [[nodiscard]] bool goes_around(std::int64_t tuned, std::int64_t count) const {
    const auto known = at_once_.find(tuned);
    return known != at_once_.end() && count > known->second;
  }
  static double place(std::int64_t count) { return std::log2(static_cast<double>(count) + 1); }
  static Found answer(Found found, Match match, std::int64_t tuned) {
    found.tuned_count = tuned;
    found.answer.match = match;
    found.answer.settings = {
        {match == Match::sibling ? "sibling" : "tuned", std::to_string(tuned)}};
    return found;
  }

  std::set<std::int64_t> tuned_;
  std::set<std::int64_t> of_sibling_;
  std::map<std::int64_t, std::int64_t> at_once_;
};

std::vector<SizeClass> classes_of(const Formula& formula) {
  return find_size_classes([&](std::int64_t count) { return formula(count); }, formula.counts());
}

ClassTable table_of(const std::vector<SizeClass>& classes) {
  std::vector<std::int64_t> firsts;
  for (const SizeClass& one : classes) firsts.push_back(one.first);
  return ClassTable(firsts);
}

std::string said(const Answer& answer) {
  return std::string(to_string(answer.match)) + ' ' + to_string(answer.settings);
}

void expect_agreement(const Formula& formula, const std::vector<SizeClass>& classes,
                      std::int64_t count) {
  const SizeClass& its = classes[table_of(classes).class_of(count)];
  EXPECT_EQ(said(its.answer), said(formula(count).answer)) << count;
}

void expect_agreement(const Formula& formula) {
  const auto classes = classes_of(formula);
  for (const SizeClass& one : classes) {
    expect_agreement(formula, classes, one.first);
    if (one.first > 0) expect_agreement(formula, classes, one.first - 1);
  }
  for (const std::int64_t tuned : formula.counts()) {
    expect_agreement(formula, classes, tuned);
    if (tuned > 0) expect_agreement(formula, classes, tuned - 1);
    if (tuned < std::numeric_limits<std::int64_t>::max()) {
      expect_agreement(formula, classes, tuned + 1);
    }
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 200; ++i) {
    expect_agreement(formula, classes, std::int64_t(random() >> (24 + random() % 40)));
  }
}

TEST(SizeClasses, GiveEveryCountWhatALookUpWouldGiveIt) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 40; ++round) {
    std::set<std::int64_t> tuned;
    std::set<std::int64_t> of_sibling;
    for (int i = 0; i < round % 12; ++i) tuned.insert(std::int64_t(1) << (random() % 36));
    for (int i = 0; i < round % 5; ++i) tuned.insert(std::int64_t(random() % (1 << 28)));
    for (int i = 0; i < round % 7; ++i) of_sibling.insert(std::int64_t(random() % (1 << 28)));
    expect_agreement(Formula(tuned, of_sibling));
  }
}

TEST(SizeClasses, BeginWhereOneIsToBegin) {
  const Formula formula({1 << 20});
  const std::vector<SizeClass> before = classes_of(formula);
  for (const std::int64_t first : {std::int64_t{1}, before.at(1).first, before.at(1).first + 1,
                                   before.back().first + 1, std::int64_t{1} << 50}) {
    std::vector<SizeClass> after = before;
    begin_class_at(after, first);
    const bool is_known = std::ranges::count(before, first, &SizeClass::first) > 0;
    EXPECT_EQ(after.size(), before.size() + (is_known ? 0 : 1)) << first;
    const auto begun = std::ranges::find(after, first, &SizeClass::first);
    ASSERT_NE(begun, after.end());
    EXPECT_TRUE(is_known || begun->answer.problem.count == first) << first;
    EXPECT_TRUE(std::ranges::is_sorted(after, {}, &SizeClass::first));
    for (const std::int64_t count : {std::int64_t{0}, first - 1, first, first + 1}) {
      expect_agreement(formula, after, count);
    }
  }
}

TEST(SizeClasses, AreManyWithinOnePowerOfTwo) {
  expect_agreement(Formula({1100, 1300, 1500}));
  expect_agreement(Formula({0, 1, 2, 3, 4, 5, 6, 7, 9}));
  expect_agreement(Formula({1'000'003, 1'000'004, 1'000'005}, {1'000'001, 1'000'004, 1'000'010}));
  std::set<std::int64_t> dense;
  for (std::int64_t count = 70'000; count < 130'000; count += 977) dense.insert(count);
  expect_agreement(Formula(dense));
}

/// The next best answers, or the default, from where a look-up passes over it.
TEST(SizeClasses, EndWhereOneBlockWouldGoAroundAgain) {
  for (const std::int64_t most : {1000, 1024, 1153, 1536, 2048, 5000}) {
    Formula formula({1000, 3000});
    formula.takes_at_once(1000, most);
    expect_agreement(formula);
    Formula alone({1000});
    alone.takes_at_once(1000, most);
    expect_agreement(alone);
    const auto classes = classes_of(alone);
    const ClassTable table = table_of(classes);
    EXPECT_EQ(said(classes[table.class_of(most + 1)].answer), said(alone(most + 1).answer));
    EXPECT_NE(said(classes[table.class_of(most)].answer),
              said(classes[table.class_of(most + 1)].answer));
  }
}

TEST(SizeClasses, OfASiblingAloneAreItsCountsAlone) {
  expect_agreement(Formula({}, {1'000'000, 10'000'000, 100'000'000}));
  expect_agreement(Formula({1 << 20}, {3'000'000}));
}

TEST(SizeClasses, KnowTheLargestCountThereIs) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  expect_agreement(Formula({}, {largest - 1, largest}));
}

TEST(SizeClasses, BeginAtNothingAndAscend) {
  const auto classes = classes_of(Formula({1000, 1 << 20, 1 << 30}));
  ASSERT_FALSE(classes.empty());
  EXPECT_EQ(classes.front().first, 0);
  for (std::size_t i = 1; i < classes.size(); ++i) {
    EXPECT_LT(classes[i - 1].first, classes[i].first);
  }
}

TEST(SizeClasses, AskForTheCountsThatTheyAreGivenInAnyCase) {
  // A look-up with an answer for one count alone, which no power of two leads to.
  const auto ask = [](std::int64_t count) {
    Found found;
    found.answer.settings = {{"chosen", count == 777'777 ? "special" : "ordinary"}};
    return found;
  };
  const auto classes = find_size_classes(ask, std::array<std::int64_t, 1>{777'777});
  const ClassTable table = table_of(classes);
  EXPECT_EQ(classes[table.class_of(777'777)].answer.settings[0].value, "special");
  EXPECT_EQ(classes[table.class_of(777'776)].answer.settings[0].value, "ordinary");
  EXPECT_EQ(classes[table.class_of(777'778)].answer.settings[0].value, "ordinary");
}

TEST(SizeClasses, AreFoundWithFewQuestions) {
  std::set<std::int64_t> tuned;
  for (int i = 0; i < 10; ++i) tuned.insert(std::int64_t(1) << (6 + 3 * i));
  const Formula formula(tuned);
  EXPECT_GE(classes_of(formula).size(), 20U);
  EXPECT_LE(formula.asked, 250);
}

TEST(KeptCounts, AreAllWhereThereAreFew) {
  EXPECT_EQ(kept_counts({9, 3, 9, 0}), (std::vector<std::int64_t>{0, 3, 9}));
  std::vector<std::int64_t> most;
  for (std::size_t i = 0; i < most_tuned_counts; ++i) most.push_back(std::int64_t(i) * 1000);
  EXPECT_EQ(kept_counts(most), most);
}

TEST(KeptCounts, AreSpreadOverThePowersOfTwo) {
  std::vector<std::int64_t> tuned{0, 5, 6};  // few small ones, which are all kept
  for (std::int64_t count = 1 << 16; count < 1 << 18; ++count) tuned.push_back(count);
  const auto kept = kept_counts(tuned);
  EXPECT_EQ(kept.size(), most_tuned_counts);
  EXPECT_TRUE(std::ranges::is_sorted(kept));
  const auto in = [&](std::int64_t low, std::int64_t high) {
    return std::ranges::count_if(kept, [&](auto count) { return low <= count && count < high; });
  };
  EXPECT_EQ(in(0, 8), 3);
  EXPECT_EQ(in(1 << 16, 1 << 17), 126);
  EXPECT_EQ(in(1 << 17, 1 << 18), 127);
  for (const std::int64_t end : {1 << 16, (1 << 17) - 1, 1 << 17, (1 << 18) - 1}) {
    EXPECT_EQ(std::ranges::count(kept, end), 1) << end;
  }
}

TEST(KeptCounts, OfEveryPowerOfTwoAreFew) {
  std::vector<std::int64_t> tuned;
  for (int width = 0; width < 63; ++width) {
    for (std::int64_t i = 0; i < 100 && i < std::int64_t{1} << width; ++i) {
      tuned.push_back((std::int64_t{1} << width) + i);
    }
  }
  const auto kept = kept_counts(tuned);
  EXPECT_EQ(kept.size(), most_tuned_counts);
  EXPECT_EQ(kept.front(), 1);
  EXPECT_GE(kept.back(), std::int64_t{1} << 62);
}

TEST(SizeClasses, OfManyThousandCountsTakeBoundedQuestions) {
  // As a look-up among 100,000 counts would say: each count has an answer of its own.
  int asked = 0;
  const auto ask = [&](std::int64_t count) {
    ++asked;
    Found found;
    found.tuned_count = std::clamp<std::int64_t>(count, 1 << 20, (1 << 20) + 100'000);
    found.answer.match = found.tuned_count == count ? Match::exact : Match::near;
    found.answer.settings = {{"tuned", std::to_string(*found.tuned_count)}};
    return found;
  };
  std::vector<std::int64_t> tuned;
  for (std::int64_t i = 0; i <= 100'000; ++i) tuned.push_back((1 << 20) + i);
  const auto kept = kept_counts(tuned);
  const auto classes = find_size_classes(ask, kept);
  EXPECT_LE(asked, 3 * std::ssize(kept) + 16'500);
  const ClassTable table = table_of(classes);
  for (const std::int64_t count : kept) {
    EXPECT_EQ(classes[table.class_of(count)].tuned_count, count);
    EXPECT_EQ(classes[table.class_of(count)].answer.match, Match::exact);
  }
  asked = 0;  // nor where nothing is listed
  EXPECT_FALSE(find_size_classes(ask, {}).empty());
  EXPECT_LE(asked, 16'500);
}

TEST(ClassTable, FindsTheClassOfEveryBorder) {
  const std::vector<std::int64_t> firsts{0, 1, 5, 6, 7, 8, 4096, std::int64_t{1} << 40};
  const ClassTable table(firsts);
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    EXPECT_EQ(table.class_of(firsts[i]), i);
    if (i == 0) continue;
    EXPECT_EQ(table.class_of(firsts[i] - 1), i - 1);
  }
  EXPECT_EQ(table.class_of(std::numeric_limits<std::int64_t>::max()), firsts.size() - 1);
}

}  // namespace
}  // namespace redtune::runtime
