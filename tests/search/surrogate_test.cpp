// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The parts of the surrogate: what it remembers, what it expects, what it proposes.
#include "search/strategies/surrogate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "search/surrogate/acquisition.hpp"
#include "search/surrogate/candidates.hpp"
#include "tests/search/synthetic.hpp"

namespace redtune::search {
namespace {

const Space& square_space() {
  static const Space space({{"a", 11}, {"b", 11}, {"c", 3, AxisKind::categorical}});
  return space;
}

TEST(History, SortsWhatRanAndKeepsWhatFailedApart) {
  History history;
  history.add({{1}, 3.0});
  history.add({{2}, std::nullopt});
  history.add({{3}, 1.0});
  history.add({{4}, std::numeric_limits<double>::infinity()});
  history.add({{5}, std::numeric_limits<double>::quiet_NaN()});
  history.add({{6}, 2.0});
  EXPECT_TRUE(std::ranges::equal(history.cheapest(), std::vector<std::size_t>{1, 2, 0}));
  EXPECT_EQ(history.failed().size(), 3U);
}

TEST(History, ComparesCostsByFactorsAndCutsTheWorst) {
  History history;
  for (const double cost : {1.0, 2.0, 4.0}) history.add({{0}, cost});
  const std::vector<std::size_t> all{0, 1, 2};
  const auto values = history.values(all);
  EXPECT_NEAR(values[0], -1, 1e-12);
  EXPECT_NEAR(values[1], 0, 1e-12);
  EXPECT_NEAR(values[2], 1, 1e-12);

  History wide;
  std::vector<std::size_t> many(100);
  std::iota(many.begin(), many.end(), std::size_t{0});
  for (std::size_t i = 0; i < 99; ++i) wide.add({{0}, 1.0 + 1e-3 * static_cast<double>(i)});
  wide.add({{0}, 1e9});
  EXPECT_EQ(wide.values(many).back(), 3);
}

TEST(History, ComparesByPlacesWhereACostIsNotAboveZero) {
  History history;
  for (const double cost : {-1e308, 0.0, 1e308}) history.add({{0}, cost});
  const auto values = history.values(std::vector<std::size_t>{0, 1, 2});
  EXPECT_NEAR(values[0], -1, 1e-12);
  EXPECT_NEAR(values[2], 1, 1e-12);
}

/// A process that has seen every third point of a bowl.
class GaussianProcessTest : public ::testing::Test {
 protected:
  GaussianProcessTest() {
    for (std::size_t rank = 0; rank < square_space().size(); rank += 7) {
      history_.add({square_space()[rank], bowl(square_space()[rank])});
    }
    std::vector<std::size_t> all(history_.points().size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    values_ = history_.values(all);
    process_.learn({history_.points().begin(), history_.points().end()}, values_);
  }
  [[nodiscard]] std::vector<float> similar_to(const Point& point) const {
    std::vector<float> similar;
    for (const Point& known : process_.points()) {
      similar.push_back(process_.similarity()(point, known));
    }
    return similar;
  }

  History history_;
  std::vector<double> values_;
  GaussianProcess process_{square_space()};
};

TEST_F(GaussianProcessTest, ExpectsOfAKnownPointWhatIsKnown) {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const auto similar = similar_to(history_.points()[i]);
    EXPECT_NEAR(process_.mean(similar), values_[i], 0.2) << i;
    EXPECT_LT(process_.deviation(similar), 0.2) << i;
  }
}

TEST_F(GaussianProcessTest, ExpectsOfOtherPointsAboutWhatTheyAreWorth) {
  double error = 0;
  double apart = 0;
  std::size_t count = 0;
  for (std::size_t rank = 3; rank < square_space().size(); rank += 7, ++count) {
    History with = history_;
    with.add({square_space()[rank], bowl(square_space()[rank])});
    std::vector<std::size_t> all(with.points().size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const double value = with.values(all).back();
    error += std::pow(process_.mean(similar_to(square_space()[rank])) - value, 2);
    apart += value * value;
  }
  EXPECT_LT(error, 0.1 * apart) << "explains nine tenths of how far they are apart";
}

TEST_F(GaussianProcessTest, KnowsLessOfWhatIsFarAndBoundsHowLittle) {
  double nearest = 0;
  for (const Point point : square_space().points()) {
    const auto similar = similar_to(point);
    const float most = *std::ranges::max_element(similar);
    EXPECT_LE(process_.deviation(similar), process_.most_deviation(most) + 1e-6);
    nearest = std::max(nearest, process_.deviation(similar));
  }
  EXPECT_GT(nearest, 2 * process_.deviation(similar_to(history_.points()[0])));
}

TEST_F(GaussianProcessTest, ForgetsWhatWasAddedForTheMoment) {
  const Point probed{4, 4, 2};
  const double before = process_.mean(similar_to(probed));
  const std::size_t count = process_.points().size();
  process_.add({4, 4, 1});
  process_.add({4, 4, 1});  // the same again does no harm
  std::vector<double> more = values_;
  more.insert(more.end(), {-5.0, -5.0});
  process_.set_values(more);
  EXPECT_LT(process_.mean(similar_to(probed)), before);
  process_.keep(count);
  process_.set_values(values_);
  EXPECT_NEAR(process_.mean(similar_to(probed)), before, 1e-6);
}

TEST_F(GaussianProcessTest, BoardFindsTheBestThatTryingAllOfThemFinds) {
  std::vector<Point> candidates;
  for (std::size_t rank = 1; rank < square_space().size(); rank += 3) {
    candidates.push_back(square_space()[rank]);
  }
  const Acquisition acquisition(candidates, process_, {}, {}, 3);
  double most = -std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto similar = similar_to(candidates[i]);
    const double promise = 3 * process_.deviation(similar) - process_.mean(similar);
    if (promise > most) {
      most = promise;
      best = i;
    }
  }
  EXPECT_EQ(acquisition.point(acquisition.best(process_)), candidates[best]);
}

TEST_F(GaussianProcessTest, BoardShunsWhatIsLikeWhatFailed) {
  const std::vector<Point> candidates{{0, 3, 0}, {7, 3, 0}};  // of the same cost
  const Acquisition undecided(candidates, process_, {}, {}, 3);
  const std::size_t favourite = undecided.best(process_);
  const std::vector<Point> failed(40, candidates[favourite]);
  EXPECT_NE(Acquisition(candidates, process_, failed, {}, 3).best(process_), favourite);
}

TEST(Candidates, AreUnseenAndEachOnce) {
  Unseen unseen(square_space());
  History history;
  Rng rng(1);
  for (int i = 0; i < 60; ++i) {
    const Point point = *unseen.draw(rng);
    history.add({point, bowl(point)});
  }
  auto points = candidates(square_space(), unseen, history, {}, rng);
  EXPECT_GT(points.size(), 100U);
  for (const Point& point : points) EXPECT_TRUE(unseen.contains(point));
  std::ranges::sort(points);
  EXPECT_TRUE(std::ranges::adjacent_find(points) == points.end());
}

TEST(Surrogate, FindsTheBottomOfABowlWithFewPoints) {
  const Space space({{"a", 20}, {"b", 20}, {"c", 20}});
  double sum = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Surrogate surrogate(space, {.seed = seed});
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 60; ++i) {
      const auto points = surrogate.ask(1);
      best = std::min(best, *bowl(points.front()));
      surrogate.tell(observe(points, bowl));
    }
    sum += best;
  }
  // Of 8,000 points 8 cost 2.5, and 60 random ones find 60 on average.
  EXPECT_LT(sum / 10, 6);
}

/// How often, in 40 runs of 30 points, one of the 4 cheapest of 1152 is found: their size is a
/// power of two, and sizes that are none cost ten times more.
int times_found(const std::vector<double>& sizes) {
  const Space space({{"size", 32, AxisKind::ordered, sizes}, {"b", 6}, {"c", 6}});
  const Point cheapest{7, 3, 3};
  const auto cost = [](const Point& point) {
    const std::size_t size = point[0] + 1;
    const double far = std::abs(std::log2(static_cast<double>(size)) - 3);
    return std::optional(*bowl({point[1], point[2]}) * (1 + far) *
                         (std::has_single_bit(size) ? 1 : 10));
  };
  int found = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Surrogate surrogate(space, {.seed = seed});
    for (int i = 0; i < 30; ++i) {
      const auto points = surrogate.ask(1);
      if (*cost(points.front()) <= *cost(cheapest)) {
        ++found;
        break;
      }
      surrogate.tell(observe(points, cost));
    }
  }
  return found;
}

TEST(Surrogate, SeesPowersOfTwoWhereItKnowsTheNumbers) {
  std::vector<double> sizes;
  for (int i = 1; i <= 32; ++i) sizes.push_back(16 * i);
  EXPECT_GT(times_found(sizes), 2 * times_found({}));
}

TEST(Surrogate, SpreadsABatchThatItIsNotToldOf) {
  Surrogate surrogate(square_space(), {});
  surrogate.tell(observe(std::vector<Point>{{0, 0, 0}, {10, 10, 1}, {5, 5, 2}, {3, 3, 0}}, bowl));
  const auto batch = surrogate.ask(8);
  std::size_t apart = 0;
  for (const Point& one : batch) {
    apart += static_cast<std::size_t>(std::ranges::count_if(
        batch, [&](const Point& other) { return one[0] != other[0] && one[1] != other[1]; }));
  }
  EXPECT_GT(apart, 20U) << "of 56 pairs";
}

double mean_cost(std::span<const Point> points, std::span<const std::size_t> places) {
  double sum = 0;
  for (const std::size_t place : places) sum += *bowl(points[place]);
  return sum / static_cast<double>(places.size());
}

/// By what it was told since they were asked for.
TEST(Surrogate, ChoosesThePromisingOfThoseThatWait) {
  const Space space = bumpy_space();
  double chosen = 0;
  double oldest = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Surrogate strategy(space, {.seed = seed});
    const std::vector<Point> points = strategy.ask(32);
    strategy.tell(observe(std::span(points).first(12), bowl));
    const std::span<const Point> waiting = std::span(points).subspan(12);
    chosen += mean_cost(waiting, strategy.choose(waiting, 4));
    oldest += mean_cost(waiting, std::vector<std::size_t>{0, 1, 2, 3});
  }
  EXPECT_LT(chosen, 0.7 * oldest);
}

TEST(Surrogate, LetsStartPointsWaitTheirTurnWhereOthersGuide) {
  const Space space = bumpy_space();
  SourceTask source;
  for (const Point& point : space.points()) source.observations.push_back({point, bowl(point)});
  std::vector<Point> start;
  for (std::size_t i = 0; i < 12; ++i) start.push_back(space.points()[i * 28]);
  Surrogate strategy(space, {.start = start, .sources = {source}});
  std::vector<Point> waiting = strategy.ask(32);
  const auto is_start = [&](const Point& point) { return std::ranges::count(start, point) > 0; };
  std::vector<Point> asked;
  std::ranges::copy_if(waiting, std::back_inserter(asked), is_start);
  ASSERT_EQ(asked.size(), 11u) << "every third";
  std::vector<Point> tried;
  for (int batch = 0; batch < 5; ++batch) {
    std::vector<Point> points;
    for (const std::size_t place : strategy.choose(waiting, 4)) points.push_back(waiting[place]);
    std::erase_if(waiting, [&](const Point& one) { return std::ranges::count(points, one) > 0; });
    const auto starts = std::ranges::count_if(points, is_start);
    EXPECT_LE(starts, batch == 0 ? 4 : 2) << batch;
    EXPECT_GE(starts, batch == 0 ? 4 : 1) << "all while nothing is known, then their turns";
    std::ranges::copy_if(points, std::back_inserter(tried), is_start);
    strategy.tell(observe(points, bowl));
  }
  ASSERT_GE(tried.size(), 8u);
  EXPECT_TRUE(std::ranges::equal(tried, std::span(asked).first(tried.size()))) << "in their order";
}

TEST(Surrogate, AsksForTheSameWhetherItChoseOrNot) {
  const Space space = bumpy_space();
  Surrogate one(space, {.seed = 3});
  Surrogate two(space, {.seed = 3});
  for (int ask = 0; ask < 8; ++ask) {
    const std::vector<Point> points = one.ask(9);
    EXPECT_EQ(two.ask(9), points) << ask;
    (void)two.choose(points, 2);
    one.tell(observe(points, bowl));
    two.tell(observe(points, bowl));
  }
}

}  // namespace
}  // namespace redtune::search
