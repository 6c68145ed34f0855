// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// One Reducer for every count: what serves which, on the host.
#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <span>
#include <vector>

#include "cache/keys/key.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/reducer.hpp"
#include "runtime/size_classes.hpp"
#include "tests/runtime/published.hpp"

namespace redtune {
namespace {

using testing_runtime::ResultsFile;
using testing_runtime::unusual_settings;

Problem sum_of(std::int64_t count) {
  return make_problem(Op::sum, DType::f32, count);
}

Settings with_block(const char* size) {
  Settings settings = unusual_settings();
  settings[1].value = size;
  return settings;
}

/// Three counts, each with a config of its own.
class TunedForThree : public testing::Test {
 protected:
  TunedForThree() {
    const DeviceIdentity host = identify_device("host");
    results_.publish(sum_of(1000), host, with_block("2"));
    results_.publish(sum_of(30'000), host, with_block("4"));
    results_.publish(sum_of(1'000'000), host, with_block("8"));
  }
  [[nodiscard]] Reducer reducer(std::int64_t count, Match minimum = Match::fallback) const {
    return Reducer(sum_of(count), {.device = "host", .lookup = results_.options(minimum)});
  }

  ResultsFile results_;
  std::vector<float> ones_ = std::vector<float>(1'100'000, 1.0F);
  float out_ = -1;
};

TEST_F(TunedForThree, EveryCountGetsWhatALookUpWouldGiveIt) {
  const Reducer shared = reducer(5);
  const DeviceIdentity& host = shared.device();
  for (std::int64_t count = 0; count < (std::int64_t{1} << 41); count += count / 3 + 1) {
    const Answer asked = find_best(sum_of(count), host, results_.options());
    EXPECT_EQ(shared.answer(count).match, asked.match) << count;
    EXPECT_EQ(to_string(shared.answer(count).settings), to_string(asked.settings)) << count;
  }
}

TEST_F(TunedForThree, ACountWhoseResultCannotRunHereGoesToTheNextNearest) {
  for (const std::int64_t count : {90'000, 300'000}) {
    results_.publish_older(sum_of(count), identify_device("host"),
                           parse_settings("finish=slots slot_wait=pause"));
  }
  const Reducer shared = reducer(5);
  for (const std::int64_t count : {90'000, 96'000, 97'000, 100'000, 100'001, 300'000, 300'001}) {
    const Answer& answer = shared.answer(count);
    EXPECT_EQ(answer.match, Match::near) << count;
    EXPECT_EQ(value_of(answer.settings, "block_size"), count < 96'549 ? "4" : "8") << count;
    const Answer asked = find_best(sum_of(count), shared.device(), results_.options());
    EXPECT_EQ(asked.settings, answer.settings) << count;
    EXPECT_NE(asked.explanation.find("a better match cannot run here"), std::string::npos);
  }
}

/// Beyond twice as many the winner of fewer elements reaches half as far as that of more.
TEST_F(TunedForThree, CountsBetweenTwoTunedGoToTheBetterBet) {
  const Reducer shared = reducer(5);
  const auto block = [&](std::int64_t count) {
    return value_of(shared.answer(count).settings, "block_size");
  };
  EXPECT_EQ(block(3'100), "2");  // a third of the way from 1,000 to 30,000 is 3,107
  EXPECT_EQ(block(3'120), "4");
  EXPECT_EQ(block(96'000), "4");  // and 96,549 from there to 1,000,000
  EXPECT_EQ(block(97'000), "8");
}

TEST_F(TunedForThree, CountsBetweenTwoTunedGoToTheSideOfTheirMeasuredBorder) {
  {
    cache::Store store = cache::Store::open(results_.path());
    const auto snapshot = store.bests();
    for (const auto& [below, above] : cache::neighbours_among(snapshot.entries)) {
      if (below->question.problem.count != 30'000) continue;
      store.publish(below->question, {.above = above->question.problem.count,
                                      .below_config = cache::key_of(below->best.settings).hash,
                                      .above_config = cache::key_of(above->best.settings).hash,
                                      .first = 54'321,
                                      .still_below = 50'000,
                                      .first_above = 60'000});
    }
  }
  const Reducer shared = reducer(5);
  const auto answer = [&](std::int64_t count) { return shared.answer(count); };
  EXPECT_EQ(value_of(answer(54'320).settings, "block_size"), "4");
  EXPECT_EQ(value_of(answer(54'321).settings, "block_size"), "8");
  EXPECT_EQ(answer(54'320).match, Match::near);
  EXPECT_EQ(answer(54'320).explanation,
            "tuned for another count (count: 30000 there); measured: the winner of 1000000 takes "
            "over at 54321");
  EXPECT_EQ(
      answer(54'321).explanation,
      "tuned for another count (count: 1000000 there); measured: it takes over from the winner "
      "of 30000 at 54321");
  EXPECT_EQ(value_of(answer(5500).settings, "block_size"), "4") << "the others are as before";
  for (const std::int64_t count : {54'320, 54'321}) {
    EXPECT_EQ(find_best(sum_of(count), shared.device(), results_.options()).settings,
              answer(count).settings);
  }
}

TEST_F(TunedForThree, CountsBeyondThemGetWhatIsPredicted) {
  const std::int64_t beyond = std::int64_t{1} << 26;
  {
    cache::Store store = cache::Store::open(results_.path());
    cache::Question question = store.bests().entries.front().question;
    question.problem = sum_of(beyond);
    const cache::StoredPrediction predicted{
        .question = question, .settings = with_block("1"), .trials = 77};
    store.publish({&predicted, 1});
  }
  const Reducer shared = reducer(5);
  const Answer answer = shared.answer(beyond);
  EXPECT_EQ(answer.match, Match::predicted);
  EXPECT_EQ(value_of(answer.settings, "block_size"), "1");
  EXPECT_EQ(answer.time_us, std::nullopt);
  EXPECT_EQ(answer.gain, std::nullopt);
  EXPECT_EQ(answer.explanation,
            "what a model expects from 77 trials of other problems on this device (count: 67108864 "
            "there)");
  EXPECT_EQ(shared.answer(1'900'000).match, Match::near) << "nothing is nearer";
  EXPECT_EQ(shared.answer(beyond * 1000).match, Match::fallback) << "too far from everything";
  for (std::int64_t count = 1'000'000; count < beyond * 1000; count += count / 5) {
    const Answer asked = find_best(sum_of(count), shared.device(), results_.options());
    EXPECT_EQ(shared.answer(count).match, asked.match) << count;
    EXPECT_EQ(shared.answer(count).settings, asked.settings) << count;
  }
  EXPECT_FALSE(reducer(5, Match::fallback).hits(Match::predicted));
  EXPECT_TRUE(reducer(1000, Match::predicted).is_usable(beyond));
  EXPECT_FALSE(reducer(1000, Match::near).is_usable(beyond));
}

TEST_F(TunedForThree, APredictionThatCannotRunHereIsPassedOver) {
  {
    cache::Store store = cache::Store::open(results_.path());
    cache::Question question = store.bests().entries.front().question;
    question.problem = sum_of(1 << 26);
    const cache::StoredPrediction predicted{
        .question = question, .settings = with_block("3"), .trials = 77};
    store.publish({&predicted, 1});
  }
  const Answer answer = find_best(sum_of(1 << 26), reducer(5).device(), results_.options());
  EXPECT_EQ(answer.match, Match::fallback);
}

TEST_F(TunedForThree, LaunchesEveryCountRight) {
  Reducer reducer = this->reducer(1000);
  for (std::int64_t count = 0; count < 1'100'000; count += count / 2 + 1) {
    reducer.launch(ones_.data(), count, &out_);
    reducer.synchronize();
    EXPECT_EQ(out_, static_cast<float>(count));
  }
}

TEST_F(TunedForThree, TellsTheClassesWithoutAGap) {
  const auto classes = reducer(1000).size_classes();
  EXPECT_EQ(classes.front().first, 0);
  EXPECT_EQ(classes.back().last, std::numeric_limits<std::int64_t>::max());
  for (std::size_t i = 1; i < classes.size(); ++i) {
    EXPECT_EQ(classes[i].first, classes[i - 1].last + 1);
  }
}

TEST_F(TunedForThree, CountsLaunchesByTheirMatch) {
  Reducer reducer = this->reducer(1000);
  for (const std::int64_t count : {1000, 1000, 30'000, 999, 1001, 2000, 1}) {
    reducer.launch(ones_.data(), count, &out_);
  }
  {
    Workspace workspace = reducer.make_workspace();
    reducer.launch(ones_.data(), 1000, &out_, workspace);
  }
  EXPECT_EQ(reducer.hits(Match::exact), 4U);  // the workspace is gone, what it counted is not
  EXPECT_EQ(reducer.hits(Match::near), 3U);
  EXPECT_EQ(reducer.hits(Match::fallback), 1U);
  EXPECT_EQ(reducer.hits(Match::drift), 0U);
}

TEST_F(TunedForThree, BelowTheMinimumNothingIsLaunched) {
  Reducer reducer = this->reducer(1000, Match::exact);
  EXPECT_TRUE(reducer.is_usable(30'000));
  EXPECT_FALSE(reducer.is_usable(30'001));
  reducer.launch(ones_.data(), 30'000, &out_);
  EXPECT_EQ(out_, 30'000);
  EXPECT_THROW(reducer.launch(ones_.data(), 30'001, &out_), UnmetMatch);
  EXPECT_THROW((void)reducer.reduce<float>(std::span<const float>(ones_)), UnmetMatch);
  EXPECT_EQ(out_, 30'000);
  EXPECT_EQ(reducer.hits(Match::near), 0U);
}

TEST_F(TunedForThree, AnswersSpeakOfTheCountThatTheyAreAskedFor) {
  const Reducer shared = reducer(5);
  for (const std::int64_t count : {0, 3, 999, 1000, 1001, 4321, 30'000, 34'567, 100'000'000}) {
    const Answer answer = shared.answer(count);
    EXPECT_EQ(answer.problem, sum_of(count));
    // The one that the class was found with is none of the reader's business.
    EXPECT_EQ(answer.explanation.find(" here"), std::string::npos) << answer.explanation;
  }
  EXPECT_EQ(shared.answer(34'567).explanation, "tuned for another count (count: 30000 there)");
  EXPECT_EQ(shared.answer(3).explanation, "tuned only for counts too far away (count: 1000 there)");
  EXPECT_EQ(shared.answer().explanation,
            "tuned only for counts too far away (count: 5 here, 1000 there)");
  for (const SizeClass& one : shared.size_classes()) {
    EXPECT_EQ(one.answer.problem.count, one.first);
  }
}

TEST_F(TunedForThree, ARefusalSpeaksOfOneCountOnly) {
  Reducer reducer = this->reducer(1000, Match::exact);
  try {
    reducer.launch(ones_.data(), 34'567, &out_);
    ADD_FAILURE() << "it was launched";
  } catch (const UnmetMatch& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find(describe(sum_of(34'567))), std::string::npos) << said;
    EXPECT_NE(said.find("(count: 30000 there)"), std::string::npos) << said;
  }
}

TEST_F(TunedForThree, RefusesTypesAndWorkspacesThatAreNotItsOwn) {
  Reducer reducer = this->reducer(1000);
  const Reducer other = this->reducer(1000);
  Workspace foreign = other.make_workspace();
  double wide = 0;
  EXPECT_THROW(reducer.launch(ones_.data(), 10, &wide), UsageError);
  EXPECT_THROW(reducer.launch(&wide, 1, &out_), UsageError);
  IndexedValue<float> indexed{};
  EXPECT_THROW(reducer.launch(ones_.data(), 10, &indexed), UsageError);
  EXPECT_THROW(reducer.launch(ones_.data(), 10, &out_, foreign), UsageError);
  EXPECT_THROW((void)reducer.answer(-1), UsageError);
}

TEST_F(TunedForThree, AWorkspaceOutlivesItsReducer) {
  std::optional<Workspace> workspace;
  {
    const Reducer gone = reducer(1000);
    workspace.emplace(gone.make_workspace());
    EXPECT_GT(workspace->bytes(), 0U);
  }
  workspace.reset();
}

TEST_F(TunedForThree, DoesNotChangeWhenSomebodyPublishes) {
  const Reducer before = reducer(1000);
  results_.publish(sum_of(1000), identify_device("host"), with_block("16"));
  EXPECT_EQ(value_of(before.answer(1000).settings, "block_size"), "2");
}

/// Whatever count it is made for: docs/decisions/0022, 0117.
TEST(SizeClasses, BeginWhereOtherKernelsDo) {
  const std::int64_t first = *kernels::find_family("reduce").first_of_other_kernels(sum_of(1));
  const std::vector<float> values = [&] {
    std::vector<float> all(static_cast<std::size_t>(first) + 4096);
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = static_cast<float>(i * 7919 % 1009) * 0.37F;
    return all;
  }();
  const ResultsFile results;
  std::vector<std::vector<float>> sums;
  for (const std::int64_t made_for : {std::int64_t{1000}, first - 1, first, 2 * first}) {
    Reducer reducer(sum_of(made_for), {.device = "host", .lookup = results.options()});
    EXPECT_EQ(std::ranges::count(reducer.size_classes(), first, &SizeClass::first), 1) << made_for;
    auto& own = sums.emplace_back();
    for (const std::int64_t count : {std::int64_t{100'003}, first - 1, first, first + 4000}) {
      own.push_back(
          reducer.reduce<float>(std::span(values).first(static_cast<std::size_t>(count))));
    }
    EXPECT_EQ(own, sums.front()) << made_for;
  }
}

DeviceIdentity sibling_of_host() {
  DeviceIdentity device = identify_device("host");
  device.device_class.model = "another board";
  return device;
}

TEST(SizeClasses, KnowEveryCountThatASiblingTuned) {
  ResultsFile results;
  for (const std::int64_t count : {1'000'000, 10'000'000, 100'000'000}) {
    results.publish(sum_of(count), sibling_of_host(), unusual_settings());
  }
  const Reducer reducer(sum_of(10'000'000), {.device = "host", .lookup = results.options()});
  for (const std::int64_t count : {1'000'000, 10'000'000, 100'000'000}) {
    EXPECT_EQ(reducer.answer(count).match, Match::sibling) << count;
    EXPECT_EQ(reducer.answer(count + 1).match, Match::fallback) << count;
  }
}

TEST(SizeClasses, GiveASiblingsCountBeforeANearOne) {
  ResultsFile results;
  results.publish(sum_of(1 << 20), identify_device("host"), with_block("2"));
  results.publish(sum_of(3'000'000), sibling_of_host(), with_block("4"));
  const Reducer reducer(sum_of(5), {.device = "host", .lookup = results.options()});
  EXPECT_EQ(reducer.answer(3'000'000).match, Match::sibling);
  EXPECT_EQ(value_of(reducer.answer(3'000'000).settings, "block_size"), "4");
  EXPECT_EQ(reducer.answer(2'999'999).match, Match::near);
}

TEST(SizeClasses, OfAPinnedReducerKnowThemToo) {
  ResultsFile results;
  results.publish(sum_of(3'000'000), sibling_of_host(), unusual_settings());
  const Reducer reducer(
      sum_of(3'000'000),
      {.device = "host", .lookup = results.options(Match::sibling), .pinned = true});
  EXPECT_EQ(reducer.answer().match, Match::sibling);
  EXPECT_FALSE(reducer.is_usable(3'000'001));
}

TEST(SizeClasses, AreExactForEveryTunedCountOfOnePowerOfTwo) {
  ResultsFile results;
  for (const std::int64_t count : {1100, 1300, 1500}) {
    results.publish(sum_of(count), identify_device("host"), unusual_settings());
  }
  Reducer reducer(sum_of(1100), {.device = "host", .lookup = results.options(Match::exact)});
  const std::vector<float> ones(1500, 1.0F);
  for (const std::int64_t count : {1100, 1300, 1500}) {
    float out = -1;
    reducer.launch(ones.data(), count, &out);
    EXPECT_EQ(out, static_cast<float>(count));
  }
  EXPECT_EQ(reducer.hits(Match::exact), 3U);
}

TEST(IndexedLaunch, IsTyped) {
  Reducer largest(make_problem(Op::argmax, DType::f32, 1000), {.device = "host"});
  std::vector<float> values(1000, 1.0F);
  values[77] = 5;
  IndexedValue<float> found{};
  largest.launch(values.data(), 1000, &found);
  EXPECT_EQ(found, (IndexedValue<float>{5, 77}));
}

/// As no tuner leaves it: 100,000 counts in a row.
std::string snapshot_of_many(const std::filesystem::path& file) {
  const DeviceIdentity host = identify_device("host");
  const kernels::Family& family = kernels::family_of(sum_of(1));
  cache::Snapshot snapshot{.generation = 1};
  for (std::int64_t i = 0; i < 100'000; ++i) {
    cache::StoredBest entry = cache::testing::sample_entry(i + 1);
    entry.question = {std::string(family.name()), runtime::space_key(family), sum_of(1'000'000 + i),
                      host.device_class, host.toolchain};
    entry.best.settings = unusual_settings();
    snapshot.entries.push_back(std::move(entry));
  }
  cache::testing::write_text(file, cache::to_bytes(snapshot));
  return file.string();
}

TEST(TunedForMany, AReducerIsMadeOfSomeCountsAndItsOwn) {
  const cache::testing::ScratchFolder folder;
  const std::string file = snapshot_of_many(folder / "many.snap");
  const std::int64_t own = 1'043'210;
  Reducer reducer(sum_of(own), {.device = "host", .lookup = {.cache_file = file}});
  for (const std::int64_t count : {std::int64_t{1'000'000}, own, std::int64_t{1'099'999}}) {
    EXPECT_EQ(reducer.answer(count).match, Match::exact) << count;
  }
  EXPECT_LE(reducer.size_classes().size(), 3 * runtime::most_tuned_counts + 16'500);
  std::vector<float> ones(1'100'000, 1.0F);
  for (const std::size_t count : {std::size_t{1'077'777}, std::size_t{1'000'001}}) {
    EXPECT_EQ(reducer.reduce<float>(std::span<const float>(ones.data(), count)),
              static_cast<float>(count));
  }
}

}  // namespace
}  // namespace redtune
