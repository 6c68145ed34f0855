// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Predictions for problems that were not tuned: how they are kept, and when they answer.
#include "cache/keys/predictions.hpp"

#include <functional>
#include <gtest/gtest.h>

#include "cache/store/sqlite.hpp"
#include "cache/store/store.hpp"
#include "snapshot_samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

StoredPrediction predicted(std::int64_t count, int block_size, Op op = Op::sum) {
  Question question = question_of(sample_start());
  question.problem = make_problem(op, DType::f32, count);
  return {.question = question, .settings = sample_settings(block_size), .trials = 40};
}

class Predictions : public ::testing::Test {
 protected:
  /// Tuned for 2^20 alone.
  void SetUp() override { tune(1 << 20, 64); }

  void tune(std::int64_t count, int block_size, const std::string& driver = {}) const {
    Store store = Store::open(file_);
    RunStart start = sample_start();
    if (!driver.empty()) start.device.toolchain.driver = driver;
    start.problem.count = count;
    store.publish(store.begin(start), sample_best(block_size));
  }
  std::size_t publish(const std::vector<StoredPrediction>& all) const {
    return Store::open(file_).publish(all);
  }
  /// As the library asks: a near result gives way beyond the root of two, a factor of four where a
  /// border was measured.
  [[nodiscard]] LookupResult ask(std::int64_t count, Op op = Op::sum) const {
    Query query = sample_query();
    query.problem = make_problem(op, DType::f32, count);
    query.farthest_beyond = 0.5;
    query.farthest_between = 2;
    query.may_answer = may_answer_;
    return look_up(layers(file_), query);
  }
  [[nodiscard]] std::string answer(std::int64_t count, Op op = Op::sum) const {
    const LookupResult found = ask(count, op);
    if (!found.entry) return std::string(to_string(found.match));
    return fmt::format("{} {}", to_string(found.match), found.entry->best.settings[1].value);
  }

  const ScratchFolder folder_;
  const std::filesystem::path file_ = folder_ / "my.db";
  decltype(Query::may_answer) may_answer_;
};

TEST_F(Predictions, AnswerWhereNothingIsNear) {
  EXPECT_EQ(answer(1 << 12, Op::max), "default");
  publish({predicted(1 << 10, 128, Op::max), predicted(1 << 12, 256, Op::max)});
  EXPECT_EQ(answer(1 << 12, Op::max), "predicted 256");
  EXPECT_EQ(answer(3000, Op::max), "predicted 256") << "the nearer one";
  EXPECT_EQ(answer(1500, Op::max), "predicted 128");
  EXPECT_EQ(answer(5, Op::max), "predicted 128");
  EXPECT_EQ(answer(1 << 12, Op::min), "default");
  const LookupResult found = ask(1 << 12, Op::max);
  EXPECT_EQ(found.trials, 40);
  EXPECT_TRUE(found.differences.empty());
  EXPECT_FALSE(is_plausible(found.entry->best)) << "nobody has timed it";
}

TEST_F(Predictions, NeverAnswerBeforeWhatWasTuned) {
  publish({predicted(1 << 20, 128), predicted(1 << 21, 256), predicted(1 << 22, 512)});
  EXPECT_EQ(answer(1 << 20), "exact 64");
  EXPECT_EQ(answer((1 << 20) + 5), "near 64");
  EXPECT_EQ(answer(1'480'000), "near 64") << "as far as a measured result reaches";
  EXPECT_EQ(answer(1'490'000), "predicted 256") << "beyond the root of two";
  EXPECT_EQ(answer(1 << 21), "predicted 256");
  EXPECT_EQ(answer(1 << 22), "predicted 512");
  tune(1 << 22, 8);
  EXPECT_EQ(answer(1 << 22), "exact 8");
  EXPECT_EQ(answer(1 << 21), "predicted 256") << "between two that were tuned, but for a border";
  EXPECT_EQ(answer(2'900'000), "predicted 256");
  EXPECT_EQ(answer(3'000'000), "near 8");
}

TEST_F(Predictions, AnswerBeyondTheTunedCountsWhereTheyAreNearer) {
  publish({predicted(1 << 24, 128)});
  EXPECT_EQ(answer(1 << 21), "near 64");
  EXPECT_EQ(answer((1 << 22) - 5), "near 64") << "the tuned one is nearer";
  EXPECT_EQ(answer(1 << 23), "predicted 128");
  EXPECT_EQ(answer(1 << 18), "near 64") << "on the other side there is none";
  tune(1 << 26, 8);
  EXPECT_EQ(answer(1 << 23), "predicted 128") << "three factors of two away from both";
  EXPECT_EQ(answer(1 << 24), "predicted 128") << "a quarter of the larger";
  EXPECT_EQ(answer((1 << 25) + 9), "near 8") << "half of it, and what was tuned is no farther";
}

TEST_F(Predictions, AnswerBetweenTunedCountsWhereTheWinnerOfFewerElementsIsFar) {
  tune(1 << 28, 8);
  EXPECT_EQ(answer(1 << 21), "near 64");
  EXPECT_EQ(answer(1 << 22), "near 64") << "nothing is nearer";
  EXPECT_EQ(answer(1 << 23), "near 8") << "three factors of two from one, five from the other";
  EXPECT_EQ(answer(1 << 24), "near 8") << "as far from both";
  may_answer_ = [](const StoredBest& found, const auto&) {
    return found.question.problem.count < 1 << 28;
  };
  EXPECT_EQ(answer(1 << 24), "near 64") << "that of more elements may not";
  may_answer_ = {};
  publish({predicted(1 << 22, 128), predicted(1 << 24, 256), predicted(1 << 26, 512)});
  EXPECT_EQ(answer(1 << 21), "near 64");
  EXPECT_EQ(answer(1 << 22), "predicted 128");
  EXPECT_EQ(answer(1 << 24), "predicted 256");
  EXPECT_EQ(answer(1 << 26), "predicted 512") << "a quarter of what was tuned";
  EXPECT_EQ(answer((1 << 27) + 9), "near 8") << "half of it, and what was tuned is no farther";
  EXPECT_EQ(answer(1 << 18), "near 64") << "beyond, on the other side";
}

/// Each toolchain's results alone would say something else.
TEST_F(Predictions, AreNotNeededToChooseASideAmongResultsOfTwoToolchains) {
  tune(1 << 28, 8);
  tune(1 << 20, 16, "an older one");
  tune(1 << 22, 32, "an older one");
  EXPECT_EQ(answer(1 << 23), "near 32") << "twice the nearest below";
  EXPECT_EQ(answer(1 << 25), "near 8") << "eight times as many as there, an eighth of the larger";
}

TEST_F(Predictions, OfAnotherToolchainAnswerAsWell) {
  StoredPrediction other = predicted(1 << 12, 128, Op::max);
  other.question.toolchain.driver = "7";
  publish({other});
  EXPECT_EQ(answer(1 << 12, Op::max), "predicted 128");
  EXPECT_EQ(ask(1 << 12, Op::max).differences.size(), 1U);
  publish({predicted(1 << 12, 256, Op::max)});
  EXPECT_EQ(answer(1 << 12, Op::max), "predicted 256");
}

TEST_F(Predictions, OfAnotherDeviceDoNot) {
  StoredPrediction other = predicted(1 << 12, 128, Op::max);
  other.question.device_class.model = "another";
  publish({other});
  EXPECT_EQ(answer(1 << 12, Op::max), "default");
}

TEST_F(Predictions, TakeThePlaceOfThoseOfBefore) {
  const std::int64_t before = Store::open(file_).bests().generation;
  EXPECT_EQ(publish({predicted(1 << 12, 128, Op::max)}), 1U);
  EXPECT_EQ(publish({predicted(1 << 12, 128, Op::max)}), 0U) << "nothing is new";
  EXPECT_EQ(Store::open(file_).bests().generation, before + 1);
  EXPECT_EQ(publish({predicted(1 << 12, 256, Op::max)}), 1U);
  const Store store = Store::open(file_);
  ASSERT_EQ(store.predictions().size(), 1U);
  EXPECT_EQ(store.predictions()[0].settings, sample_settings(256));
  EXPECT_EQ(store.bests().generation, before + 2) << "numbers only grow";
  EXPECT_EQ(std::get<Snapshot>(load_snapshot(folder_ / "my.db.best-v1.snap")), store.bests());
  EXPECT_TRUE(store.warnings().empty());
}

TEST_F(Predictions, OfTheFirstCountBehindAnotherAnswerFromThereOn) {
  publish({predicted(1 << 12, 128, Op::max), predicted((1 << 12) + 1, 256, Op::max),
           predicted(1 << 13, 512, Op::max)});
  EXPECT_EQ(answer(1 << 12, Op::max), "predicted 128");
  EXPECT_EQ(answer((1 << 12) + 1, Op::max), "predicted 256");
  EXPECT_EQ(answer(5700, Op::max), "predicted 256");
  EXPECT_EQ(answer(5900, Op::max), "predicted 512");
}

TEST_F(Predictions, AreNoResults) {
  publish({predicted(1 << 12, 128, Op::max)});
  const Store store = Store::open(file_);
  EXPECT_EQ(store.history().size(), 1U);
  EXPECT_EQ(store.bests().entries.size(), 1U);
  EXPECT_EQ(store.best(predicted(1 << 12, 128, Op::max).question), std::nullopt);
}

TEST_F(Predictions, AreToldOfForADeviceClassAndLeftOutOfResults) {
  const DeviceClass here = sample_start().device.device_class;
  EXPECT_FALSE(Store::open(file_).has_predictions(here));
  publish({predicted(1 << 22, 128), predicted(1 << 24, 256)});
  const Store store = Store::open(file_);
  EXPECT_TRUE(store.has_predictions(here));
  DeviceClass other = here;
  other.compute_units += 1;
  EXPECT_FALSE(store.has_predictions(other));
  Snapshot bests = store.bests();
  EXPECT_EQ(bests.predictions.size(), 2U);
  bests.predictions.clear();
  EXPECT_EQ(store.results().entries, bests.entries);
  EXPECT_EQ(store.results().borders, bests.borders);
  EXPECT_TRUE(store.results().predictions.empty());
}

TEST_F(Predictions, OfChangedRowsAreSkipped) {
  publish({predicted(1 << 12, 128, Op::max), predicted(1 << 14, 256, Op::max)});
  for (const char* change : {"settings = '{\"block_size\":\"1\"}'", "trials = 5", "family = 'x'"}) {
    const ScratchFolder other;
    std::filesystem::copy_file(file_, other / "copy.db");
    {
      Database database(other / "copy.db");
      database.execute(fmt::format("UPDATE prediction SET {} WHERE id = 1", change).c_str());
    }
    const Store store = Store::open(other / "copy.db");
    EXPECT_EQ(store.predictions().size(), 1U) << change;
    EXPECT_EQ(store.warnings().size(), 1U) << change;
    EXPECT_EQ(store.bests().entries.size(), 1U) << change;
  }
}

TEST_F(Predictions, OfAStoreThatIsGoneAreKnownFromItsSnapshot) {
  publish({predicted(1 << 12, 128, Op::max)});
  for (const char* part : {"", "-wal", "-shm"}) std::filesystem::remove(file_.string() + part);
  const Store store = Store::open(file_);
  ASSERT_EQ(store.predictions().size(), 1U);
  EXPECT_EQ(answer(1 << 12, Op::max), "predicted 128");
}

TEST(PredictionsInSnapshots, ComeBackAsTheyWent) {
  Snapshot snapshot = snapshot_with_border();
  snapshot.predictions = {predicted(1 << 10, 128), predicted(1 << 12, 256),
                          predicted(1 << 12, 512, Op::max)};
  snapshot.predictions[2].question.problem.outer = 3;
  std::ranges::sort(snapshot.predictions);
  EXPECT_EQ(std::get<Snapshot>(parse_snapshot(to_bytes(snapshot), "test")), snapshot);
  snapshot.entries.clear();
  snapshot.borders.clear();
  EXPECT_EQ(std::get<Snapshot>(parse_snapshot(to_bytes(snapshot), "test")), snapshot);
}

TEST(PredictionsInSnapshots, OfGroupsThatOverlapAreRefused) {
  Snapshot snapshot{.predictions = {predicted(1 << 10, 128), predicted(1 << 12, 256, Op::max)}};
  const std::string text = to_bytes(snapshot);
  const auto more = format::get<std::uint32_t>(
      &text[format::at_sections + 8 * static_cast<std::size_t>(format::Section::more)]);
  const auto groups = format::get<std::uint32_t>(&text[more + 8]);
  const auto with_count = [&](std::uint32_t count) {
    return fault_of(parse_snapshot(
        resealed(text, [&](auto& file) { format::put(&file[groups + 24], count); }), "test"));
  };
  EXPECT_EQ(with_count(1), "accepted");
  EXPECT_EQ(with_count(2), "garbage");
  EXPECT_EQ(with_count(0xffffffff), "garbage");
}

}  // namespace
}  // namespace redtune::cache
