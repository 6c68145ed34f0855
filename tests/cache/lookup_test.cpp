// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Which stored result answers a question, how well, and why.
#include "cache/lookup/lookup.hpp"

#include <functional>
#include <gtest/gtest.h>

#include "samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

LoadedLayer layer(const std::string& name, std::vector<StoredBest> entries) {
  const Snapshot snapshot{.generation = 1, .entries = std::move(entries)};
  return {{name, "/" + name + "/best-v1.snap"}, open_snapshot(to_bytes(snapshot), name)};
}

LookupResult ask(const std::vector<LoadedLayer>& layers, const Query& query = sample_query()) {
  return look_up(std::span<const LoadedLayer>(layers), query);
}

LookupResult ask_one(const StoredBest& entry, const Query& query = sample_query()) {
  return ask({layer("user", {entry})}, query);
}

StoredBest entry_with_count(std::int64_t count, std::int64_t generation = 1) {
  StoredBest entry = sample_entry(generation);
  entry.question.problem.count = count;
  return entry;
}

StoredBest drifted(std::int64_t generation = 1) {
  StoredBest entry = sample_entry(generation);
  entry.question.toolchain.driver = "6.4";
  return entry;
}

StoredBest sibling() {
  StoredBest entry = sample_entry();
  entry.question.device_class.model = "1002:740c:ffff";
  entry.question.device_class.memory_bytes /= 2;
  return entry;
}

using Differences = std::vector<Difference>;

TEST(LookUp, FindsNothingWithoutLayersAndInEmptyOnes) {
  EXPECT_EQ(ask({}).match, Match::fallback);
  const LookupResult answer = ask({layer("user", {})});
  EXPECT_EQ(answer.match, Match::fallback);
  EXPECT_EQ(answer.entry, std::nullopt);
  EXPECT_EQ(answer.differences, Differences{});
  EXPECT_EQ(answer.layers.at(0).skipped, "none of its 0 results fits this reduce question");
}

TEST(LookUp, IsExactWhenEverythingIsEqual) {
  const LookupResult answer = ask_one(sample_entry());
  EXPECT_EQ(answer.match, Match::exact);
  EXPECT_EQ(answer.entry, sample_entry());
  EXPECT_EQ(answer.source, "/user/best-v1.snap");
  EXPECT_EQ(answer.differences, Differences{});
  EXPECT_EQ(answer.layers.at(0).skipped, "");
}

TEST(LookUp, IgnoresNameAndAddressOfTheDevice) {
  Query query = sample_query();
  query.device.name = "other";
  query.device.address = "other";
  EXPECT_EQ(ask_one(sample_entry(), query).match, Match::exact);
}

TEST(LookUp, DriftsWithAnotherToolchain) {
  const LookupResult answer = ask_one(drifted());
  EXPECT_EQ(answer.match, Match::drift);
  EXPECT_EQ(answer.differences, (Differences{{"driver", "6.3", "6.4"}}));
}

TEST(LookUp, DriftsWithAnotherSpaceUnlessNoneIsAskedFor) {
  Query query = sample_query();
  query.space_key = "space-2";
  const LookupResult answer = ask_one(sample_entry(), query);
  EXPECT_EQ(answer.match, Match::drift);
  EXPECT_EQ(answer.differences, (Differences{{"space", "space-2", "space-1"}}));
  query.space_key.reset();
  EXPECT_EQ(ask_one(sample_entry(), query).match, Match::exact);
}

TEST(MatchOf, IsTheGradeThatALookUpGives) {
  const std::vector<std::function<void(StoredBest&)>> edits{
      [](auto&) {},
      [](auto& e) { e.question.toolchain.runtime = "7"; },
      [](auto& e) { e.question.space_key = "space-2"; },
      [](auto& e) { e.question.device_class.model = "another"; },
      [](auto& e) { e.question.device_class.last_level_cache_bytes = 1; },
      [](auto& e) { e.question.device_class.isa = "gfx906"; },
      [](auto& e) { e.question.device_class.compute_units = 52; },
      [](auto& e) { e.question.device_class.partition = "CPX"; },
      [](auto& e) { e.question.problem.count = 1000; },
      [](auto& e) { e.question.problem.order = Order::any; },
      [](auto& e) { e.question.family = "reduce_rows"; }};
  for (std::size_t a = 0; a < edits.size(); ++a) {
    for (std::size_t b = 0; b < edits.size(); ++b) {
      StoredBest entry = sample_entry();
      edits[a](entry);
      edits[b](entry);
      EXPECT_EQ(match_of(sample_query(), entry.question), ask_one(entry).match) << a << ' ' << b;
    }
  }
}

TEST(LookUp, TakesAnotherBoardWithTheSameIsaAndUnitsForASibling) {
  const LookupResult answer = ask_one(sibling());
  EXPECT_EQ(answer.match, Match::sibling);
  EXPECT_EQ(answer.differences, (Differences{{"model", "1002:740c:0b0c", "1002:740c:ffff"},
                                             {"memory_bytes", "68719476736", "34359738368"}}));
}

TEST(LookUp, TakesNoOtherIsaPartitionUnitsOrPlatformForASibling) {
  for (const auto& edit : std::vector<std::function<void(DeviceClass&)>>{
           [](DeviceClass& c) { c.isa = "gfx90a:sramecc+:xnack+"; },
           [](DeviceClass& c) { c.compute_units = 52; },
           [](DeviceClass& c) { c.partition = "CPX"; },
           [](DeviceClass& c) { c.platform = "cuda"; }}) {
    StoredBest entry = sibling();
    edit(entry.question.device_class);
    const LookupResult answer = ask_one(entry);
    EXPECT_EQ(answer.match, Match::fallback);
    EXPECT_EQ(answer.entry, std::nullopt);
    EXPECT_EQ(answer.differences.size(), 3U);  // still says what stood in the way
  }
}

TEST(LookUp, IsNearForAnotherCountHoweverFar) {
  const LookupResult answer = ask_one(entry_with_count((1 << 20) - 1));
  EXPECT_EQ(answer.match, Match::near);
  EXPECT_NEAR(answer.shape_distance, 4, 1e-6);
  EXPECT_EQ(answer.differences, (Differences{{"count", "16777216", "1048575"}}));
  EXPECT_EQ(ask_one(entry_with_count(0)).match, Match::near);
  EXPECT_EQ(ask_one(entry_with_count(std::numeric_limits<std::int64_t>::max())).match, Match::near);
}

TEST(LookUp, ChoosesTheNearestCountOnALogScale) {
  // 2^24 is 15 * 2^20 away from 2^20 and 48 * 2^20 from 2^26, but 4 and 2 doublings.
  const LookupResult answer =
      ask({layer("user", {entry_with_count(1 << 20), entry_with_count(1 << 26)})});
  EXPECT_EQ(answer.entry->question.problem.count, 1 << 26);
  Query query = sample_query();
  query.problem.count = 0;
  const auto layers = {layer("user", {entry_with_count(5), entry_with_count(1)})};
  EXPECT_EQ(ask(layers, query).entry->question.problem.count, 1);
}

StoredBest entry_with_shape(const Shape& shape) {
  StoredBest entry = sample_entry();
  static_cast<Shape&>(entry.question.problem) = shape;
  return entry;
}

TEST(LookUp, TakesTheNearestShapeWhereItHasNotTheSame) {
  Query query = sample_query();
  static_cast<Shape&>(query.problem) = {.count = 1000, .outer = 4096};
  const auto answer = [&](const std::vector<Shape>& tuned) {
    std::vector<StoredBest> entries;
    for (const Shape& shape : tuned) entries.push_back(entry_with_shape(shape));
    return ask({layer("user", entries)}, query);
  };
  EXPECT_EQ(answer({{1000, 4096, 1}}).match, Match::exact);
  EXPECT_EQ(answer({{1000, 1, 4096}}).match, Match::near);
  const LookupResult found =
      answer({{1000, 1, 1}, {1000, 1024, 1}, {8000, 4096, 1}, {1000, 4096, 9}});
  EXPECT_EQ(found.match, Match::near);
  EXPECT_EQ(Shape(found.entry->question.problem), (Shape{1000, 1024, 1}));
  EXPECT_NEAR(found.shape_distance, 2, 0.01);
  EXPECT_EQ(found.differences, (Differences{{"outer", "4096", "1024"}}));
  EXPECT_NEAR(answer({{.count = 1000, .outer = 4096, .batch = 3}}).shape_distance, 1, 1e-6);
  // Whoever asks may know better what is near.
  query.distance = [](const Shape& a, const Shape& b) {
    return std::abs(static_cast<double>(a.outer - b.outer)) + (a.inner == b.inner ? 0 : 1e9);
  };
  EXPECT_EQ(
      Shape(answer({{1000, 1024, 1}, {8000, 4096, 1}, {1000, 4096, 9}}).entry->question.problem),
      (Shape{8000, 4096, 1}));
  // And a whole array is none of its rows.
  EXPECT_EQ(ask({layer("user", {entry_with_shape({1 << 24, 2, 1})})}).match, Match::near);
}

Problem rows_alike(const Shape& shape) {
  return make_problem(Op::sum, DType::f32, shape, {.order = Order::rows});
}

StoredBest entry_of(const Problem& problem, std::int64_t generation) {
  StoredBest entry = sample_entry(generation);
  entry.question.problem = problem;
  return entry;
}

TEST(LookUp, OfRowsThatGiveTheSameBitsIgnoresHowManyThereAre) {
  // The newest of a length, then the nearest length, whatever the numbers of rows.
  const std::vector<LoadedLayer> layers{
      layer("user", {entry_of(rows_alike(Shape::rows(7, 1000)), 1),
                     entry_of(rows_alike(Shape::rows(4096, 1000)), 3),
                     entry_of(rows_alike(Shape::rows(100, 1000, 1024)), 2),
                     entry_of(rows_alike(Shape::rows(9, 3000)), 5)})};
  for (const Shape& asked : {Shape::rows(1, 1000), Shape::rows(7, 1000), Shape::rows(100, 1000),
                             Shape::rows(100, 1000, 1024), Shape::rows(1 << 20, 1000)}) {
    Query query = sample_query();
    query.problem = rows_alike(asked);
    const LookupResult answer = ask(layers, query);
    EXPECT_EQ(answer.match, Match::exact) << describe_shape(asked);
    EXPECT_EQ(answer.entry->generation, 3) << describe_shape(asked);
    EXPECT_EQ(answer.differences, Differences{});
    EXPECT_EQ(match_of(query, answer.entry->question), Match::exact);
    static_cast<Shape&>(query.problem).count = 1100;
    query.problem.outer_pitch = 0;
    EXPECT_EQ(ask(layers, query).match, Match::near);
    EXPECT_EQ(ask(layers, query).entry->generation, 3) << describe_shape(asked);
    EXPECT_EQ(ask(layers, query).differences, (Differences{{"count", "1100", "1000"}}));
  }
  // Of another order the number of rows counts.
  Query query = sample_query();
  query.problem = make_problem(Op::sum, DType::f32, Shape::rows(7, 1000));
  EXPECT_EQ(ask(layers, query).match, Match::fallback);
}

TEST(LookUp, IsNearForNothingButTheCount) {
  for (const auto& edit : std::vector<std::function<void(Problem&)>>{
           [](Problem& p) { p.op = Op::max; }, [](Problem& p) { p.in = DType::f64; },
           [](Problem& p) { p.acc = DType::f64; }, [](Problem& p) { p.out = DType::f64; },
           [](Problem& p) { p.cache_mode = CacheMode::warm; }}) {
    StoredBest entry = entry_with_count(1 << 23);
    edit(entry.question.problem);
    EXPECT_EQ(ask_one(entry).match, Match::fallback);
  }
}

TEST(LookUp, DoesNotMixSiblingsWithOtherCounts) {
  StoredBest entry = sibling();
  entry.question.problem.count = 1 << 23;
  EXPECT_EQ(ask_one(entry).match, Match::fallback);
}

TEST(LookUp, NeverAnswersFromAnotherFamily) {
  StoredBest entry = sample_entry();
  entry.question.family = "reduce_rows";
  const LookupResult answer = ask_one(entry);
  EXPECT_EQ(answer.match, Match::fallback);
  EXPECT_EQ(answer.differences, Differences{});
}

TEST(LookUp, PrefersEachGradeToTheNextWithinALayer) {
  std::vector<StoredBest> entries{entry_with_count(1 << 23), sibling(), drifted(), sample_entry()};
  for (const Match expected : {Match::exact, Match::drift, Match::sibling, Match::near}) {
    EXPECT_EQ(ask({layer("user", entries)}).match, expected);
    entries.pop_back();
  }
}

TEST(LookUp, PrefersFewerDifferencesThenTheNewerResult) {
  StoredBest far = drifted(9);
  far.question.toolchain.compiler = "hiprtc 5";
  const LookupResult answer = ask({layer("user", {drifted(3), far, drifted(5), drifted(4)})});
  EXPECT_EQ(answer.entry->generation, 5);
}

TEST(LookUp, PrefersABetterMatchInALaterLayer) {
  const LookupResult answer = ask({layer("user", {drifted()}), layer("site", {sample_entry()})});
  EXPECT_EQ(answer.match, Match::exact);
  EXPECT_EQ(answer.source, "/site/best-v1.snap");
  EXPECT_EQ(answer.layers.at(0).match, Match::drift);
  EXPECT_EQ(answer.layers.at(0).skipped, "it has a drift match, the site layer has a better one");
  EXPECT_EQ(answer.layers.at(1).skipped, "");
}

TEST(LookUp, PrefersTheEarlierLayerAmongEqualMatches) {
  const LookupResult answer =
      ask({layer("user", {entry_with_count(4)}), layer("site", {entry_with_count(1 << 23)})});
  EXPECT_EQ(answer.entry->question.problem.count, 4);
  EXPECT_EQ(answer.layers.at(1).skipped, "the user layer comes first");
}

TEST(LookUp, PassesOverWhatMayNotAnswerForWhatComesNext) {
  Query query = sample_query();
  const Settings refused{{"block_size", "7"}};
  query.may_answer = [&](const StoredBest& stored, const auto&) {
    return stored.best.settings != refused;
  };
  const auto gone = [&](StoredBest entry) {
    entry.best.settings = refused;
    return entry;
  };
  const std::vector<StoredBest> kept{sample_entry(), drifted(), sibling(),
                                     entry_with_count(1 << 22)};
  std::vector<StoredBest> all;
  for (const StoredBest& entry : kept) all.push_back(gone(entry));
  all.push_back(gone(entry_with_count(1 << 23)));
  EXPECT_EQ(ask({layer("user", all)}, query).match, Match::fallback);
  EXPECT_EQ(ask({layer("user", all)}).match, Match::exact) << "without it all may answer";
  for (const StoredBest& entry : kept) {
    std::vector<StoredBest> some = all;
    some.push_back(entry);
    some.back().generation = -1;  // older than what is gone
    for (const auto& layers : {std::vector{layer("user", some)},
                               std::vector{layer("user", all), layer("site", {some.back()})}}) {
      const LookupResult answer = ask(layers, query);
      EXPECT_EQ(answer.match, match_of(query, entry.question));
      ASSERT_TRUE(answer.entry.has_value());
      EXPECT_EQ(answer.entry->question, entry.question);
      EXPECT_EQ(answer.entry->best, entry.best);
    }
  }
}

TEST(LookUp, ExplainsAMissWithTheClosestEntryOfAllLayers) {
  StoredBest far = sample_entry();
  far.question.problem.op = Op::min;
  StoredBest farther = far;
  farther.question.problem.in = DType::f64;
  for (const auto& layers : {std::vector{layer("user", {farther}), layer("site", {far})},
                             std::vector{layer("user", {far}), layer("site", {farther})}}) {
    EXPECT_EQ(ask(layers).differences, (Differences{{"op", "sum", "min"}}));
  }
}

TEST(LookUp, ReadsFilesAndSaysWhyALayerWasSkipped) {
  const ScratchFolder folder;
  write_text(folder / "bad.snap", "garbage");
  publish_snapshot(folder / "good.snap", {.generation = 1, .entries = {sample_entry()}});
  const std::vector<Layer> layers{{"explicit", folder / "missing.snap"},
                                  {"user", folder / "bad.snap"},
                                  {"site", folder / "good.snap"}};
  const LookupResult answer = look_up(std::span<const Layer>(layers), sample_query());
  EXPECT_EQ(answer.match, Match::exact);
  EXPECT_EQ(answer.layers.at(0).skipped, (folder / "missing.snap").string() + " does not exist");
  EXPECT_EQ(answer.layers.at(1).skipped,
            (folder / "bad.snap").string() + " is not a snapshot of redtune");
}

TEST(Layers, AreTheNamedStoreAlone) {
  const auto all = layers("/some/my.db");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].name, "explicit");
  EXPECT_EQ(all[0].snapshot, "/some/my.db.best-v1.snap");
}

TEST(Layers, AreTheUsersAndTheSitesOtherwise) {
  setenv("XDG_DATA_HOME", "/data", 1);
  const auto all = layers(std::nullopt);
  unsetenv("XDG_DATA_HOME");
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].snapshot, "/data/redtune/best-v1.snap");
  EXPECT_EQ(all[1].snapshot, "/etc/redtune/best-v1.snap");
  EXPECT_EQ(all[2].snapshot, "/var/lib/redtune/best-v1.snap");
}

std::vector<std::int64_t> counts(const std::vector<LoadedLayer>& layers) {
  std::vector<std::int64_t> counts;
  for (const Shape& shape : tuned_shapes(layers, sample_query())) counts.push_back(shape.count);
  return counts;
}

TEST(TunedShapes, AreThoseOfAllLayersThatAnswerMoreThanNear) {
  const auto with_count = [](StoredBest entry, std::int64_t count) {
    entry.question.problem.count = count;
    return entry;
  };
  StoredBest other_kind = entry_with_count(5);
  other_kind.question.problem.op = Op::max;
  StoredBest other_device = entry_with_count(6);
  other_device.question.device_class.compute_units = 110;
  StoredBest other_space = entry_with_count(70);
  other_space.question.space_key = "space-2";
  const std::vector<LoadedLayer> layers{
      layer("user", {entry_with_count(300), entry_with_count(20), entry_with_count(0), other_kind}),
      layer("site", {with_count(drifted(), 40), with_count(sibling(), 10), entry_with_count(20),
                     other_device, other_space})};
  EXPECT_EQ(counts(layers), (std::vector<std::int64_t>{0, 10, 20, 40, 70, 300}));
  for (const std::int64_t count : counts(layers)) {
    Query query = sample_query();
    query.problem.count = count;
    EXPECT_LT(ask(layers, query).match, Match::near) << count;
  }
}

TEST(TunedShapes, AreNoneWhereNothingCanBeRead) {
  const LoadedLayer missing{{"user", "/user/best-v1.snap"},
                            SnapshotRefusal{SnapshotFault::missing, "there is none"}};
  EXPECT_EQ(counts({}), std::vector<std::int64_t>{});
  EXPECT_EQ(counts({missing, layer("site", {})}), std::vector<std::int64_t>{});
  EXPECT_EQ(counts({missing, layer("site", {entry_with_count(7)})}), std::vector<std::int64_t>{7});
}

}  // namespace
}  // namespace redtune::cache
