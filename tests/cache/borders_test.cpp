// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Borders between tuned counts: which hold, how they are kept and travel, and what they answer.
#include "cache/keys/borders.hpp"

#include <functional>
#include <gtest/gtest.h>

#include "cache/exchange/exchange.hpp"
#include "cache/exchange/json.hpp"
#include "cache/exchange/results.hpp"
#include "cache/keys/predictions.hpp"
#include "cache/store/sqlite.hpp"
#include "cache/store/store.hpp"
#include "redtune/error.hpp"
#include "snapshot_samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

constexpr std::int64_t small_count = 1'000;
constexpr std::int64_t large_count = 100'000;

RunStart border_start(std::int64_t count) {
  RunStart start = sample_start();
  start.problem.count = count;
  return start;
}

Question border_question(std::int64_t count) {
  return question_of(border_start(count));
}

/// Between winners with these block sizes.
Border border_of_winners(std::int64_t first, int below = 64, int above = 512) {
  return {.above = large_count,
          .below_config = key_of(sample_settings(below)).hash,
          .above_config = key_of(sample_settings(above)).hash,
          .first = first,
          .still_below = first - 500,
          .first_above = first + 500};
}

class Borders : public ::testing::Test {
 protected:
  void SetUp() override {
    publish(small_count, 64);
    publish(large_count, 512);
    Store store = Store::open(file_);
    store.publish(border_question(small_count), border_of_winners(40'000));
  }

  void publish(std::int64_t count, int block_size) const {
    Store store = Store::open(file_);
    store.publish(store.begin(border_start(count)), sample_best(block_size));
  }

  [[nodiscard]] Snapshot snapshot() const {
    return std::get<Snapshot>(load_snapshot(folder_ / "my.db.best-v1.snap"));
  }

  [[nodiscard]] LookupResult answer(std::int64_t count,
                                    const std::function<void(Query&)>& edit = {}) const {
    Query query = sample_query();
    query.problem.count = count;
    if (edit) edit(query);
    return look_up(layers(file_), query);
  }

  /// Of which count the answer is.
  [[nodiscard]] std::int64_t answered(std::int64_t count) const {
    const LookupResult found = answer(count);
    return found.entry ? found.entry->question.problem.count : -1;
  }

  void forget_store() const {
    for (const char* part : {"", "-wal", "-shm"}) std::filesystem::remove(file_.string() + part);
  }

  const ScratchFolder folder_;
  const std::filesystem::path file_ = folder_ / "my.db";
};

TEST_F(Borders, DecideWhichOfTwoCountsAnswers) {
  EXPECT_EQ(answered(small_count), small_count);
  EXPECT_EQ(answered(39'999), small_count) << "nearer to the larger, and measured";
  EXPECT_EQ(answered(40'000), large_count);
  EXPECT_EQ(answered(large_count), large_count);
  const LookupResult found = answer(39'999);
  EXPECT_EQ(found.match, Match::near);
  EXPECT_EQ(found.border, (MeasuredBorder{small_count, large_count, 40'000}));
  EXPECT_EQ(answer(small_count).border, std::nullopt);
}

TEST_F(Borders, DecideNothingBeyondTheirCounts) {
  EXPECT_EQ(answered(10), small_count);
  EXPECT_EQ(answer(10).border, std::nullopt);
  EXPECT_EQ(answered(1'000'000), large_count);
  EXPECT_EQ(answer(1'000'000).border, std::nullopt);
}

/// A prediction answers from the root of two on, and from a factor of four where a border was
/// measured.
TEST_F(Borders, LetWinnersReachAsFarAgainBeforePredictionsAnswer) {
  std::vector<StoredPrediction> all;
  for (const std::int64_t count : {3'000, 8'000, 30'000}) {
    all.push_back(
        {.question = border_question(count), .settings = sample_settings(128), .trials = 40});
  }
  Store::open(file_).publish(all);
  const auto matches = [&](std::int64_t count) {
    return answer(count,
                  [](Query& query) {
                    query.farthest_beyond = 0.5;
                    query.farthest_between = 2;
                  })
        .match;
  };
  EXPECT_EQ(matches(3'000), Match::near) << "three times as many";
  EXPECT_EQ(matches(8'000), Match::predicted) << "eight times as many";
  EXPECT_EQ(matches(60'000), Match::near);
  publish(small_count, 256);  // another winner: the border is nobody's
  EXPECT_EQ(matches(1'300), Match::near);
  EXPECT_EQ(matches(1'900), Match::predicted);
  EXPECT_EQ(matches(3'000), Match::predicted);
  EXPECT_EQ(matches(30'000), Match::predicted) << "less than a third of the larger";
  EXPECT_EQ(matches(60'000), Match::near);
}

TEST_F(Borders, DecideNothingForOtherShapesThanTheirs) {
  const LookupResult found = answer(39'999, [](Query& query) { query.problem.outer = 2; });
  EXPECT_EQ(found.entry->question.problem.count, large_count);
  EXPECT_EQ(found.border, std::nullopt);
}

TEST_F(Borders, AreOfNoAccountForAResultThatMayNotAnswer) {
  const LookupResult found = answer(39'999, [](Query& query) {
    query.may_answer = [](const StoredBest& one, const auto&) {
      return one.question.problem.count != small_count;
    };
  });
  EXPECT_EQ(found.entry->question.problem.count, large_count);
  EXPECT_EQ(found.border, std::nullopt);
}

TEST_F(Borders, AreToldToWhoeverSaysWhatMayAnswer) {
  const LookupResult found = answer(39'999, [](Query& query) {
    query.may_answer = [](const StoredBest& one, const std::optional<MeasuredBorder>& border) {
      return border.has_value() && one.question.problem.count == small_count;
    };
  });
  EXPECT_EQ(found.entry->question.problem.count, small_count);
  EXPECT_NE(found.border, std::nullopt);
}

TEST_F(Borders, DoNotKeepANearerResultOfAnotherToolchainFromAnswering) {
  RunStart other = border_start(38'000);
  other.device.toolchain.driver = "7";
  {
    Store store = Store::open(file_);
    store.publish(store.begin(other), sample_best(128));
  }
  EXPECT_EQ(answered(39'999), 38'000);
  EXPECT_EQ(answered(95'000), large_count);
  EXPECT_EQ(answered(1'001), small_count);
}

TEST_F(Borders, AreInTheSnapshotAsInTheStore) {
  const Store store = Store::open(file_);
  ASSERT_EQ(store.bests().borders.size(), 1U);
  EXPECT_EQ(store.bests().borders[0].border, border_of_winners(40'000));
  EXPECT_EQ(store.bests().borders[0].question, border_question(small_count));
  EXPECT_EQ(snapshot(), store.bests());
  EXPECT_EQ(snapshot().generation, 3) << "each border is a publication";
  EXPECT_TRUE(store.warnings().empty());
}

TEST_F(Borders, MeasuredAgainReplaceThoseOfBefore) {
  Store store = Store::open(file_);
  store.publish(border_question(small_count), border_of_winners(20'000));
  EXPECT_EQ(answered(19'999), small_count);
  EXPECT_EQ(answered(20'000), large_count);
  EXPECT_EQ(store.borders().size(), 2U);
}

TEST_F(Borders, HoldForTheirWinnersAndNeighboursAlone) {
  publish(small_count, 128);  // another winner
  EXPECT_TRUE(snapshot().borders.empty());
  EXPECT_EQ(answered(39'999), large_count);
  Store store = Store::open(file_);
  store.mark(store.history().front().stored.generation, Word::revoked, "");
  EXPECT_EQ(answered(39'999), small_count) << "the winner of before answers again";
  publish(10'000, 256);  // in between
  EXPECT_TRUE(snapshot().borders.empty());
}

TEST_F(Borders, ThatLieElsewhereAreRefused) {
  Store store = Store::open(file_);
  for (const auto& edit : std::vector<std::function<void(Border&)>>{
           [](Border& b) { b.first = b.still_below; },
           [](Border& b) { b.first = b.first_above + 1; },
           [](Border& b) { b.first_above = b.above + 1; },
           [](Border& b) { b.still_below = small_count - 1; }, [](Border& b) { b.above = 0; }}) {
    Border border = border_of_winners(40'000);
    edit(border);
    EXPECT_THROW(store.publish(border_question(small_count), border), UsageError);
  }
  EXPECT_EQ(store.borders().size(), 1U);
}

TEST_F(Borders, OfChangedRowsAreSkipped) {
  for (const char* change :
       {"first = 39999", "still_below = 1", "first_above = 90000", "above_config = 'x'",
        "below_config = 'x'", "family = 'x'", "above = 99999"}) {
    const ScratchFolder other;
    std::filesystem::copy_file(file_, other / "copy.db");
    {
      Database database(other / "copy.db");
      database.execute("DROP TRIGGER border_is_not_updated");
      database.execute(fmt::format("UPDATE border SET {}", change).c_str());
    }
    const Store store = Store::open(other / "copy.db");
    EXPECT_TRUE(store.borders().empty()) << change;
    EXPECT_EQ(store.bests().entries.size(), 2U) << change;
    ASSERT_EQ(store.warnings().size(), 1U) << change;
    EXPECT_TRUE(store.warnings()[0].starts_with("1 damaged row")) << store.warnings()[0];
  }
}

TEST_F(Borders, OfAStoreThatIsGoneAreKnownFromItsSnapshot) {
  forget_store();
  const Store store = Store::open(file_);
  ASSERT_EQ(store.borders().size(), 1U);
  EXPECT_EQ(store.borders()[0].border, border_of_winners(40'000));
  EXPECT_EQ(answered(39'999), small_count);
  EXPECT_EQ(snapshot(), store.bests());
  EXPECT_EQ(Store::look_at(file_).borders().size(), 1U);
}

TEST_F(Borders, AreSavedFromADamagedStore) {
  std::string content = read_text(file_);
  content.replace(0, 100, std::string(100, '\xa5'));  // its header
  write_text(file_, content);
  for (const char* part : {"-wal", "-shm"}) std::filesystem::remove(file_.string() + part);
  std::filesystem::remove(folder_ / "my.db.best-v1.snap");
  const Store store = Store::open(file_);
  EXPECT_EQ(store.borders().size(), 1U);
  EXPECT_EQ(answered(39'999), small_count);
}

TEST_F(Borders, TravelWithTheirResults) {
  const Store store = Store::open(file_);
  const std::string text = results_text(store.share(), store.borders());
  const Incoming incoming = read_exchange(text);
  EXPECT_TRUE(incoming.skipped.empty());
  EXPECT_EQ(incoming.borders, store.borders());
  EXPECT_EQ(results_text(incoming.runs, incoming.borders), text);
  const Incoming from_snapshot = read_exchange(read_text(folder_ / "my.db.best-v1.snap"));
  EXPECT_EQ(from_snapshot.borders, store.borders());
  for (const Incoming& one : {incoming, from_snapshot}) {
    Store other = Store::in_memory();
    EXPECT_EQ(other.adopt(one.runs, "a file", one.borders).borders, 1U);
    EXPECT_EQ(other.bests().borders, store.bests().borders);
    EXPECT_EQ(other.adopt(one.runs, "a file", one.borders).borders, 0U) << "known";
  }
}

TEST_F(Borders, ThatAreNewerReplaceThoseThatAreHere) {
  Store store = Store::open(file_);
  StoredBorder other = store.borders()[0];
  other.border = border_of_winners(20'000);
  other.at = "2020-01-01T00:00:00.000Z";
  EXPECT_EQ(store.adopt({}, "a file", {&other, 1}).borders, 0U);
  other.at = "2099-01-01T00:00:00.000Z";
  EXPECT_EQ(store.adopt({}, "a file", {&other, 1}).borders, 1U);
  EXPECT_EQ(answered(20'000), large_count) << "applications see it";
}

TEST_F(Borders, ThatNobodyMeasuredStayOutside) {
  const Store store = Store::open(file_);
  for (const auto& edit : std::vector<std::function<void(Json&)>>{
           [](Json& b) { b["first"] = 1; }, [](Json& b) { b["first"] = "x"; },
           [](Json& b) { b.erase("above"); }, [](Json& b) { b["at"] = "yesterday"; },
           [](Json& b) { b["at"] = "2999-01-01T00:00:00.000Z"; },
           [](Json& b) { b["below_config"] = "a\nb"; }, [](Json& b) { b["problem"]["op"] = "x"; },
           [](Json& b) { b["device_class"]["wave_size"] = "3"; }, [](Json& b) { b = 5; }}) {
    Json document = Json::parse(results_text(store.share(), store.borders()));
    edit(document["borders"][0]);
    const Incoming incoming = read_exchange(document.dump());
    EXPECT_TRUE(incoming.borders.empty()) << document["borders"];
    EXPECT_EQ(incoming.skipped.size(), 1U) << document["borders"];
    EXPECT_EQ(incoming.runs.size(), 2U);
  }
  Json document = Json::parse(results_text({}));
  document["borders"] = 5;
  EXPECT_THROW((void)read_exchange(document.dump()), UsageError);
}

TEST(BordersInSnapshots, ComeBackAsTheyWent) {
  EXPECT_EQ(std::get<Snapshot>(parse_snapshot(to_bytes(snapshot_with_border()), "test")),
            snapshot_with_border());
  Snapshot of_rows = snapshot_with_border();
  for (StoredBest& entry : of_rows.entries) entry.question.problem.outer = 7;
  of_rows.borders[0].question.problem.outer = 7;
  EXPECT_EQ(std::get<Snapshot>(parse_snapshot(to_bytes(of_rows), "test")), of_rows);
}

TEST(BordersInSnapshots, AreNotWrittenWhereTheyDoNotHold) {
  StoredBorder other = sample_border();
  other.border.below_config = "another";
  EXPECT_EQ(to_bytes(snapshot_with_border(other)), to_bytes(sample_snapshot()));
}

TEST(BordersInSnapshots, StandAtTheNewestResultOfEachCount) {
  Snapshot snapshot = sample_snapshot();
  for (int block_size : {64, 128}) {
    for (const std::int64_t count : {std::int64_t{1000}, std::int64_t{1} << 24}) {
      StoredBest entry = sample_entry(block_size);
      entry.question.problem.count = count;
      entry.best.settings = sample_settings(block_size + (count == 1000 ? 0 : 1));
      snapshot.entries.push_back(entry);
    }
  }
  StoredBorder border = sample_border();
  border.border.below_config = key_of(sample_settings(128)).hash;
  border.border.above_config = key_of(sample_settings(129)).hash;
  snapshot.borders = {border};
  const auto read = std::get<Snapshot>(parse_snapshot(to_bytes(snapshot), "test"));
  EXPECT_EQ(read.borders, snapshot.borders);
  const LoadedLayer layer{{"user", "a.snap"}, open_snapshot(to_bytes(snapshot), "a.snap")};
  Query query = sample_query();
  for (const std::int64_t count : {49'999, 50'000}) {
    query.problem.count = count;
    const LookupResult found = look_up({&layer, 1}, query);
    EXPECT_EQ(found.entry->best.settings, sample_settings(count < 50'000 ? 128 : 129));
  }
}

TEST(BordersInSnapshots, ThatMakeNoSenseAreNotThere) {
  const std::string text = to_bytes(snapshot_with_border());
  const auto more = format::get<std::uint32_t>(
      &text[format::at_sections + 8 * static_cast<std::size_t>(format::Section::more)]);
  const auto rows = format::get<std::uint32_t>(&text[more]);
  const auto borders_with = [&](std::size_t at, auto value) {
    const auto read = parse_snapshot(
        resealed(text, [&](auto& file) { format::put(&file[rows + at], value); }), "test");
    const auto* snapshot = std::get_if<Snapshot>(&read);
    if (snapshot == nullptr || snapshot->entries.size() != 2) return std::size_t{99};
    return snapshot->borders.size();
  };
  const std::size_t first = format::border_at_first;
  EXPECT_EQ(borders_with(first, std::int64_t{50'001}), 1U);
  for (const std::int64_t bad : {std::int64_t{-1}, std::int64_t{1000}, std::int64_t{1} << 40}) {
    EXPECT_EQ(borders_with(first, bad), 0U) << bad;
  }
  EXPECT_EQ(borders_with(first + 8, std::int64_t{999}), 0U);
  EXPECT_EQ(borders_with(first + 16, (std::int64_t{1} << 24) + 1), 0U);
  for (const std::uint32_t entry : {1U, 2U, 0xffffffffU}) {
    EXPECT_EQ(borders_with(format::border_at_entry, entry), 0U) << entry;
  }
}

}  // namespace
}  // namespace redtune::cache
