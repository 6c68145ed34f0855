// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A search that is told of problems like its own.
#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <span>
#include <vector>

#include "search/registry.hpp"
#include "search/strategy.hpp"
#include "search/surrogate/prior.hpp"
#include "tests/search/synthetic.hpp"

namespace redtune::search {
namespace {

using Points = std::vector<Point>;

Points points_of(const Space& space) {
  Points points;
  for (const Point& point : space.points()) points.push_back(point);
  return points;
}

SourceTask all_of(const Space& space, const Cost& cost, double nearness = 1) {
  return {observe(points_of(space), cost), nearness};
}

std::optional<double> flipped(const Point& point) {
  return 1 / *bowl(point);
}

Points run(const Space& space, const StrategyOptions& options, std::size_t wanted,
           const Cost& cost = bowl, std::size_t batch = 1) {
  const auto strategy = make_strategy("auto", space, options);
  Points points;
  while (points.size() < wanted) {
    const Points more = strategy->ask(std::min(batch, wanted - points.size()));
    if (more.empty()) break;
    points.insert(points.end(), more.begin(), more.end());
    strategy->tell(observe(more, cost));
  }
  return points;
}

double best_of(const Points& points) {
  double best = std::numeric_limits<double>::infinity();
  for (const Point& point : points) best = std::min(best, *bowl(point));
  return best;
}

TEST(SourceModel, KnowsWhatItKnows) {
  const Space space = bumpy_space();
  Points some;
  for (std::size_t rank = 0; rank < space.size() / 2; rank += space.size() / 40) {
    some.push_back(space[rank]);
  }
  const SourceModel model(space, observe(some, bowl));
  ASSERT_FALSE(model.empty());
  const Point far = space[space.size() - 1];
  const auto seen = model.tell(some.front());
  const auto unseen = model.tell(far);
  EXPECT_FLOAT_EQ(static_cast<float>(seen.similarity), 1);
  EXPECT_LT(unseen.similarity, 0.9);
  EXPECT_GT(unseen.similarity, 0);
  EXPECT_LT(seen.deviation, unseen.deviation);
  for (const Point& point : {some.front(), far}) {
    EXPECT_NEAR(model.tell(point).log_cost, model.of(std::vector<Point>{point})[0], 1e-4);
  }
  EXPECT_EQ(SourceModel(space, {}).tell(far).similarity, 0) << "of an empty one";
}

TEST(SourceTask, OfTheSameCostsLeadsStraightToTheBest) {
  const Space space = bumpy_space();
  const double best = best_of(points_of(space));
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const StrategyOptions told{.seed = seed, .sources = {all_of(space, bowl)}};
    EXPECT_LE(best_of(run(space, told, 10)), 1.05 * best);
  }
}

/// Ten times as dear, or in another unit: only what is dearer than what counts.
TEST(SourceTask, NeedNotBeInTheSameUnit) {
  const Space space = bumpy_space();
  const auto in_another = [](const Point& point) { return std::optional(1e-6 * *bowl(point)); };
  EXPECT_EQ(run(space, {.sources = {all_of(space, bowl)}}, 30),
            run(space, {.sources = {all_of(space, in_another)}}, 30));
}

TEST(SourceTask, ThatIsTheOppositeOfTheTruthIsSeenThrough) {
  const Space space = bumpy_space();
  const double best = best_of(points_of(space));
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const StrategyOptions told{.seed = seed, .sources = {all_of(space, flipped)}};
    EXPECT_LE(best_of(run(space, told, 60)), 1.2 * best) << seed;
  }
}

TEST(SourceTask, ThatIsNoGuideLosesTrustAgainstOneThatIs) {
  const Space space = bumpy_space();
  const std::vector<SourceTask> sources{all_of(space, flipped, 10), all_of(space, bowl, 1)};
  Prior prior(space, sources);
  History history;
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < 40; ++i) {
    const Point point = space[i * 8];
    history.add({point, bowl(point)});
    indices.push_back(i);
  }
  EXPECT_GT(*bowl(prior.best().front()), 20) << "the nearer one is believed at first";
  prior.weigh(history, indices);
  prior.rank();
  EXPECT_LT(*bowl(prior.best().front()), 6);
}

void expect_same(const Prior& one, const Prior& other, const Space& space) {
  const Points all = points_of(space);
  EXPECT_TRUE(std::ranges::equal(one.best(), other.best()));
  EXPECT_EQ(one.of(all), other.of(all));
}

TEST(Prior, TakesOverWhatAnEarlierOneHasLearned) {
  const Space space = bumpy_space();
  const SourceTask bowl_far = all_of(space, bowl, 0.5);
  const SourceTask bowl_near = all_of(space, bowl, 2);
  const SourceTask other = all_of(space, flipped, 1);
  SourceTask grown = all_of(space, flipped, 1);
  grown.observations.pop_back();
  const SourceTask nothing{{grown.observations.front()}, 1};
  const Prior earlier(space, std::vector{bowl_far, other});
  EXPECT_EQ(earlier.taken_over(), 0U);
  struct Case {
    std::vector<SourceTask> sources;
    std::size_t taken_over;
  };
  for (const auto& [sources, taken_over] : {
           Case{{bowl_far, other}, 2},
           Case{{other, bowl_near}, 2},
           Case{{bowl_near}, 1},
           Case{{grown, bowl_far}, 1},
           Case{{nothing, grown}, 0},
           Case{{nothing, bowl_far}, 1},
           Case{{}, 0},
       }) {
    const Prior with(space, sources, &earlier);
    EXPECT_EQ(with.taken_over(), taken_over);
    expect_same(with, Prior(space, sources), space);
  }
}

TEST(Prior, TakesNothingOverFromAnotherSpace) {
  const Space space = bumpy_space();
  const Space another = bumpy_space();
  const std::vector sources{all_of(space, bowl)};
  const Prior earlier(another, sources);
  const Prior with(space, sources, &earlier);
  EXPECT_EQ(with.taken_over(), 0U);
  expect_same(with, Prior(space, sources), space);
}

/// Of which a prior keeps what it is told of some points alone.
TEST(Prior, TakesOverModelsOfALargeSpace) {
  const Space space({{"a", 200}, {"b", 200}});
  Points some;
  for (std::size_t rank = 0; rank < space.size(); rank += 997) some.push_back(space[rank]);
  const std::vector<SourceTask> sources{{observe(some, bowl), 1}};
  const Prior earlier(space, sources);
  const Prior with(space, sources, &earlier);
  EXPECT_EQ(with.taken_over(), 1U);
  EXPECT_TRUE(std::ranges::equal(with.best(), earlier.best()));
  EXPECT_EQ(with.of(some), earlier.of(some));
}

/// Else a dozen starts would be all that a short search sees.
TEST(SourceTask, LetsStartsTakeTurnsTheMostHopefulFirst) {
  const Space space = bumpy_space();
  const auto gentle = [](const Point& point) { return std::optional(100 + *bowl(point)); };
  Points all = points_of(space);
  std::ranges::stable_sort(all, {}, [](const Point& point) { return *bowl(point); });
  const Points start{all[20], all[90], all[40], all[60]};
  const StrategyOptions told{.start = start, .sources = {all_of(space, gentle)}};
  for (const std::size_t batch : {1U, 2U, 8U}) {
    const Points points = run(space, told, 16, gentle, batch);
    EXPECT_EQ(points[0], start[0]);
    const auto first_eight = std::span(points).first(8);
    EXPECT_EQ(std::ranges::count_if(first_eight,
                                    [&](const Point& point) {
                                      return std::ranges::find(start, point) != start.end();
                                    }),
              3)
        << "of three points one";
    Points hopes;
    for (const Point& point : points) {
      if (std::ranges::find(start, point) != start.end()) hopes.push_back(point);
    }
    EXPECT_EQ(hopes, (Points{start[0], start[2], start[3], start[1]})) << batch;
    EXPECT_LE(best_of(Points(points.begin(), points.begin() + 8)), *bowl(all[5])) << batch;
  }
  EXPECT_EQ(run(space, {.start = start}, 4), start) << "without a guide, in the order given";
}

/// Points of two numbers and a value of three, of which a guide has the first two.
class OneValueUntold : public ::testing::Test {
 protected:
  void SetUp() override {
    Points some = points_of(space_);
    std::erase_if(some, [](const Point& point) { return point[2] == 2; });
    source_ = {observe(some, bowl)};
    for (const Observation& one : source_.observations) least_ = std::min(least_, *one.cost);
  }
  /// The starts in the order in which a search asks for them.
  [[nodiscard]] Points hopes(const Points& starts, const std::vector<SourceTask>& sources) const {
    Points in_order;
    for (const Point& point : run(space_, {.start = starts, .sources = sources}, 19)) {
      if (std::ranges::find(starts, point) != starts.end()) in_order.push_back(point);
    }
    return in_order;
  }

  const Space space_{{{"a", 11}, {"b", 11}, {"c", 3, AxisKind::categorical}}};
  const Points start_{{9, 9, 0}, {0, 9, 0}, {5, 6, 1}, {9, 0, 2}, {4, 5, 0}, {8, 8, 2}};
  SourceTask source_;
  double least_ = 1e300;
};

/// As a finish that only integers have, where floats are the guide: a brief search would end before
/// its turn came. One of each such value is enough to see whether it suits.
TEST_F(OneValueUntold, OneStartOfItComesFirst) {
  const double rather_slow = 1.9 * least_;
  for (const std::size_t a : {2U, 3U, 4U}) {
    source_.observations.push_back({{a, 5, 2}, rather_slow});
  }
  source_.observations.push_back({{5, 5, 2}, std::nullopt});  // fewer than four ran
  const Points found = hopes(start_, {source_});
  ASSERT_GE(found.size(), 4U);
  EXPECT_EQ(found[0], start_[0]);
  EXPECT_EQ(found[1][2], 2U) << "of the value that is not told of";
  EXPECT_NE(found[2][2], 2U) << "the other has its turn where it is expected";
  EXPECT_EQ(hopes({start_[3]}, {source_}).front(), start_[3]) << "one start alone";
  source_.observations.push_back({{6, 5, 2}, rather_slow});
  EXPECT_NE(hopes(start_, {source_})[1][2], 2U) << "the fourth tells";
}

TEST_F(OneValueUntold, IsToldOfByOneTrialThatWasFarOff) {
  EXPECT_EQ(hopes(start_, {source_})[1][2], 2U);
  source_.observations.push_back({{2, 5, 2}, 2 * least_});
  EXPECT_NE(hopes(start_, {source_})[1][2], 2U);
}

/// As `counted` of sums of u8, where five of six guides are sums of others: in the mean of all it
/// is no more than average.
class OneValueOfOneGuide : public OneValueUntold {
 protected:
  /// Five guides that do not know the third value, and one farther off that found these costs of it
  /// along a row, in the lowest of the others.
  [[nodiscard]] std::vector<SourceTask> guides(const std::vector<double>& along_a) const {
    std::vector<SourceTask> all(5, source_);
    all.push_back(source_);
    all.back().nearness = 0.5;
    for (std::size_t a = 0; a < along_a.size(); ++a) {
      all.back().observations.push_back({{a, 9, 2}, along_a[a] * least_});
    }
    return all;
  }
  /// Where a point comes in the first ask; 8 where it does not.
  [[nodiscard]] static std::ptrdiff_t place(const Point& point, const Space& space,
                                            const StrategyOptions& options) {
    const Points points = run(space, options, 8, bowl, 8);
    return std::ranges::find(points, point) - points.begin();
  }
  [[nodiscard]] std::ptrdiff_t place(const Point& point, const std::vector<SourceTask>& all) const {
    return place(point, space_, {.start = start_, .sources = all});
  }

  const std::vector<double> it_won_{1, 1, 0.8, 1, 1, 1};
};

TEST_F(OneValueOfOneGuide, IsAskedForAtOnceWhereItWon) {
  const std::vector<double> it_did_not{1.3, 1.3, 1.3, 1.3, 1.3, 1.3};
  EXPECT_EQ(place({2, 9, 2}, guides(it_did_not)), 8) << "else this shows nothing";
  EXPECT_LT(place({2, 9, 2}, guides(it_won_)), 8);
}

TEST_F(OneValueOfOneGuide, IsThatOfTheNearerOfTwo) {
  std::vector<SourceTask> all = guides({1, 1, 1, 0.8, 1, 1});
  all.back().nearness = 0.4;
  all.push_back(guides(it_won_).back());
  EXPECT_LT(place({2, 9, 2}, all), 8);
  EXPECT_EQ(place({3, 9, 2}, all), 8) << "the value was tried";
}

TEST_F(OneValueOfOneGuide, ComesInTheNextAskWhereTheFirstHasNoRoom) {
  const Points points = run(space_, {.start = start_, .sources = guides(it_won_)}, 4, bowl, 1);
  EXPECT_EQ(points[0], start_[0]);
  EXPECT_NE(std::ranges::find(points, Point{2, 9, 2}), points.end());
}

TEST_F(OneValueOfOneGuide, IsThatOfTheNextBestWhereTheBestIsNotValidHere) {
  const auto place_of = [&](const Point& point, const std::vector<double>& costs) {
    const Space smaller({{"a", 11}, {"b", 11}, {"c", 3, AxisKind::categorical}},
                        [](const Point& one) {
                          return one != Point{2, 9, 2};
                        });
    return place(point, smaller, {.start = start_, .sources = guides(costs)});
  };
  EXPECT_LT(place_of({3, 9, 2}, {1, 1, 0.8, 0.83, 1, 1}), 8);
  EXPECT_EQ(place_of({3, 9, 2}, {1, 1, 0.8, 0.95, 1, 1}), 8) << "not what is far from winning";
}

/// A guide that is wrong about what runs must not keep the starts from their turns.
TEST(SourceTask, LetsStartsTakeTurnsWhereItsOwnPointsFail) {
  const Space space = bumpy_space();
  const Points all = points_of(space);
  const Points start{all[20], all[90], all[40], all[60]};
  const auto only_starts = [&](const Point& point) {
    return std::ranges::find(start, point) != start.end() ? bowl(point) : std::nullopt;
  };
  const StrategyOptions told{.start = start, .sources = {all_of(space, bowl)}};
  const Points points = run(space, told, 10, only_starts);
  EXPECT_EQ(std::ranges::count_if(
                points,
                [&](const Point& point) { return std::ranges::find(start, point) != start.end(); }),
            4);
}

/// What is believed of a point on its way must not make it the best of what is left, in whose place
/// any point would be drawn.
TEST(SourceTask, InABatchStaysWithHopefulPoints) {
  const Space space = bumpy_space();
  Points all = points_of(space);
  std::ranges::stable_sort(all, {}, [](const Point& point) { return *bowl(point); });
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const StrategyOptions told{.seed = seed, .sources = {all_of(space, bowl)}};
    for (const Point& point : run(space, told, 8, bowl, 8)) {
      EXPECT_LE(*bowl(point), *bowl(all[100])) << "seed " << seed;
    }
  }
}

TEST(SourceTask, WithTooLittleToTellChangesNothing) {
  const Space space = bumpy_space();
  const Points points = points_of(space);
  const auto plain = run(space, {.seed = 3}, 50);
  const auto with = [&](SourceTask source) {
    return run(space, {.seed = 3, .sources = {std::move(source)}}, 50);
  };
  EXPECT_EQ(with({}), plain);
  EXPECT_EQ(with({observe(std::span(points).first(7), bowl)}), plain);
  EXPECT_EQ(with({observe(points, failing)}), plain);
  EXPECT_EQ(with({observe(points, [](const Point&) { return std::optional(-1.0); })}), plain);
}

TEST(SourceTask, IsOfNoUseForCostsThatAreNotAboveZero) {
  const Space space = bumpy_space();
  const auto below = [](const Point& point) { return std::optional(*bowl(point) - 1000); };
  const StrategyOptions told{.sources = {all_of(space, bowl)}};
  EXPECT_EQ(run(space, told, 336, below).size(), 336U);
}

/// All equal, one value only, points that are not valid here, and a space of one point.
TEST(SourceTask, OfAnyShapeLeavesASearchWhole) {
  const auto one = [](const Point&) { return std::optional(1.0); };
  const Space everything({{"a", 7}, {"b", 8}, {"c", 9, AxisKind::categorical}});
  const Space holes = bumpy_space();
  const Space single({{"a", 7}, {"b", 8}, {"c", 9, AxisKind::categorical}}, [](const Point& point) {
    return point == Point({3, 3, 3});
  });
  for (const Space* const space : {&holes, &single}) {
    for (const Cost& cost : {Cost(one), Cost(bowl), with_failures(bowl), Cost(failing)}) {
      for (const std::size_t batch : {1U, 8U, 1000U}) {
        Points points =
            run(*space, {.sources = {all_of(everything, one), all_of(everything, bowl)}}, 1000,
                cost, batch);
        std::ranges::sort(points);
        EXPECT_TRUE(std::ranges::equal(points, space->points())) << batch;
      }
    }
  }
}

}  // namespace
}  // namespace redtune::search
