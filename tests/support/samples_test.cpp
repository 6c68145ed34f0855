// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A sample holds every pair that there is, is small, and is the same each time.
#include "tests/support/samples.hpp"

#include <cstdlib>
#include <gtest/gtest.h>
#include <optional>
#include <set>

namespace redtune::checks {
namespace {

using Cells = std::vector<Axes>;

Axes themselves(const Axes& axes) {
  return axes;
}

/// All of a x b x c values, but those that are not allowed.
template <class Allowed>
Cells product(const std::vector<int>& sizes, const Allowed& allowed) {
  Cells cells{{}};
  for (const int size : sizes) {
    Cells longer;
    for (const Axes& cell : cells) {
      for (int value = 0; value < size; ++value) {
        longer.push_back(cell);
        longer.back().push_back(std::to_string(value));
      }
    }
    cells = std::move(longer);
  }
  std::erase_if(cells, [&](const Axes& cell) { return !allowed(cell); });
  return cells;
}

Cells product(const std::vector<int>& sizes) {
  return product(sizes, [](const Axes&) { return true; });
}

/// "0=a,2=b": worked out in another way than every_pair() does.
std::set<std::string> pairs_in(const Cells& cells) {
  std::set<std::string> pairs;
  for (const Axes& cell : cells) {
    for (std::size_t b = 0; b < cell.size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) {
        pairs.insert(std::to_string(a) + "=" + cell[a] + "," + std::to_string(b) + "=" + cell[b]);
      }
    }
  }
  return pairs;
}

TEST(EveryPair, OccursInTheSample) {
  for (const Cells& cells : {product({2, 2, 2}), product({3, 5, 7}), product({4, 1, 6, 2, 3})}) {
    const Cells sample = every_pair(cells, themselves);
    EXPECT_EQ(pairs_in(sample), pairs_in(cells));
    EXPECT_LT(sample.size(), cells.size());
    EXPECT_EQ(sample, every_pair(cells, themselves));
  }
}

TEST(EveryPair, TakesFewCells) {
  EXPECT_EQ(every_pair(product({2, 2, 2}), themselves).size(), 4U);
  // 35 pairs of the longer axes are in 35 cells at least.
  EXPECT_LE(every_pair(product({3, 5, 7}), themselves).size(), 40U);
  EXPECT_LE(every_pair(product({4, 4, 4, 4, 4}), themselves).size(), 28U);
}

TEST(EveryPair, IsOfCellsThatMayBe) {
  // No operator takes every type: the first takes the first only.
  const auto allowed = [](const Axes& cell) { return cell[0] != "0" || cell[1] == "0"; };
  const Cells cells = product({3, 4, 3}, allowed);
  const Cells sample = every_pair(cells, themselves);
  EXPECT_TRUE(std::ranges::all_of(sample, allowed));
  EXPECT_EQ(pairs_in(sample), pairs_in(cells));
}

TEST(EveryPair, OfOneAxisIsEveryValue) {
  EXPECT_EQ(every_pair(product({5}), themselves), product({5}));
  const Cells twice{{"a"}, {"b"}, {"a"}};
  EXPECT_EQ(every_pair(twice, themselves), (Cells{{"a"}, {"b"}}));
}

TEST(EveryPair, OfNothingIsNothing) {
  EXPECT_TRUE(every_pair(Cells{}, themselves).empty());
  EXPECT_TRUE(every_value(Cells{}, themselves).empty());
}

/// "0" of one axis is not "0" of another.
TEST(EveryValue, OccursInAsManyCellsAsTheLongestAxisHasValues) {
  EXPECT_EQ(every_value(product({4, 9, 2}), themselves).size(), 9U);
  const Cells diagonal{{"0", "0"}, {"0", "1"}, {"1", "0"}, {"1", "1"}};
  EXPECT_EQ(every_value(diagonal, themselves), (Cells{{"0", "0"}, {"1", "1"}}));
}

TEST(EveryPair, AndTheRestAreAll) {
  const Cells cells = product({3, 4, 5});
  Cells both = every_pair(cells, themselves);
  std::ranges::move(all_but(Cells(both), cells, themselves), std::back_inserter(both));
  std::ranges::sort(both);
  EXPECT_EQ(both, cells);
}

/// Sets a variable of this process for as long as it lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* now = std::getenv(name)) before_ = now;
    set(value);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }

 private:
  void set(const char* value) const {
    if (value != nullptr) {
      setenv(name_, value, 1);
    } else {
      unsetenv(name_);
    }
  }

  const char* name_;
  std::optional<std::string> before_;
};

TEST(Samples, AreEverythingInAFullRunOnly) {
  const Cells cells = product({3, 4, 5});
  {
    const Variable unset("REDTUNE_TEST_FULL", nullptr);
    EXPECT_EQ(sampled(cells, themselves), every_pair(cells, themselves));
    EXPECT_EQ(every_nth(std::vector<int>{0, 1, 2, 3, 4}, 2), (std::vector<int>{0, 2, 4}));
    EXPECT_EQ(every_nth(std::vector<int>{0, 1, 2, 3, 4}, 2, 7), (std::vector<int>{1, 3}));
  }
  const Variable full("REDTUNE_TEST_FULL", "1");
  EXPECT_EQ(sampled(cells, themselves), cells);
  EXPECT_EQ(every_nth(std::vector<int>{0, 1, 2}, 2), (std::vector<int>{0, 1, 2}));
}

}  // namespace
}  // namespace redtune::checks
