// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Fault 30: single bits flip in a store and in a snapshot. Whatever is read is what was written.
#include <gtest/gtest.h>
#include <random>

#include "cache/lookup/lookup.hpp"
#include "cache/store/store.hpp"
#include "redtune/error.hpp"
#include "samples.hpp"
#include "tests/support/samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

constexpr int flips = 10'000;
constexpr int parts = 10;

std::string flipped(std::string text, std::size_t bit) {
  text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
  return text;
}

TEST(Fault30, NoSnapshotWithAFlippedBitIsAccepted) {
  const std::string text =
      to_bytes({.generation = 9, .entries = {sample_entry(4), sample_entry(9)}});
  std::mt19937 random(1);
  for (int i = 0; i < flips; ++i) {
    const std::size_t bit = random() % (text.size() * 8);
    const auto result = parse_snapshot(flipped(text, bit), "test");
    EXPECT_TRUE(std::holds_alternative<SnapshotRefusal>(result)) << "bit " << bit;
  }
}

/// Look-ups read parts of a file: what they come upon is right, or the layer is skipped.
TEST(Fault30, NoLookUpInASnapshotWithAFlippedBitGivesAnythingThatWasNotWritten) {
  Snapshot snapshot{.generation = 300};
  for (std::int64_t generation = 1; generation <= 300; ++generation) {
    snapshot.entries.push_back(sample_entry(generation));
    snapshot.entries.back().question.problem.count = (1 << 24) + generation - 150;
    snapshot.entries.back().best = sample_best(static_cast<int>(generation));
  }
  const std::string text = to_bytes(snapshot);
  std::mt19937 random(1);
  int answered = 0;
  for (int i = 0; i < flips; ++i) {
    const std::size_t bit = random() % (text.size() * 8);
    Query query = sample_query();
    query.problem.count += static_cast<std::int64_t>(random() % 400) - 200;
    const LoadedLayer layer{{"user", "test"}, open_snapshot(flipped(text, bit), "test")};
    const LookupResult answer = look_up(std::span(&layer, 1), query);
    if (!answer.entry) {
      EXPECT_TRUE(std::holds_alternative<SnapshotRefusal>(layer.content) ||
                  answer.layers.at(0).skipped == "test is damaged: its checksum is wrong")
          << answer.layers.at(0).skipped << ", bit " << bit;
      continue;
    }
    ++answered;
    const auto generation = static_cast<std::size_t>(answer.entry->generation);
    ASSERT_TRUE(generation >= 1 && generation <= snapshot.entries.size()) << "bit " << bit;
    EXPECT_EQ(*answer.entry, snapshot.entries[generation - 1]) << "bit " << bit;
  }
  EXPECT_GT(answered, 0) << "a flip in what is not read harms nothing";
  EXPECT_LT(answered, flips);
}

/// What a store gives back of the sample run and results, and what it should.
struct Content {
  std::vector<Trial> trials;
  std::vector<Best> bests;
};

/// A small store, so that a flip hits what matters.
Content write_store(const std::filesystem::path& file) {
  Content content;
  Store store = Store::open(file);
  const RunId run = store.begin(sample_start());
  for (int i = 0; i < 40; ++i) {
    content.trials.push_back(sample_trial(i, i));
    store.record(run, content.trials.back());
  }
  for (int i = 0; i < 3; ++i) {
    content.bests.push_back(sample_best(i));
    content.bests.back().measurement = R"({"ties":[1,2,3]})";
    store.publish(run, content.bests.back());
  }
  store.finish(run, RunState::interrupted);
  return content;
}

template <class Thing>
bool is_one_of(const std::vector<Thing>& all, const Thing& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

/// What was read and never written; empty: nothing.
std::string invented(const Store& store, const Content& written) {
  const Question question = question_of(sample_start());
  for (const Trial& trial : store.trials(RunId{1})) {
    if (!is_one_of(written.trials, trial)) return fmt::format("trial {}", trial.sequence);
  }
  const auto best = store.best(question);
  if (best && !is_one_of(written.bests, best->best)) return "the best result";
  for (StoredBest entry : store.bests().entries) {
    if (entry.question != question) return "a question";
    entry.best.measurement = written.bests[0].measurement;
    if (!is_one_of(written.bests, entry.best)) return "a best result";
  }
  return {};
}

/// A store takes longer than a snapshot: fewer, but in a full run.
int flips_in_a_part() {
  return checks::is_full_run() ? flips / parts : 250;
}

/// A tenth of the flips each, so that they can run side by side.
class Fault30Part : public ::testing::TestWithParam<int> {};

TEST_P(Fault30Part, NoRowOfAStoreWithAFlippedBitIsAccepted) {
  const ScratchFolder folder(memory_folder());
  const Content written = write_store(folder / "intact.db");
  const std::string intact = read_text(folder / "intact.db");
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  int whole = 0;
  int skipped = 0;
  for (int i = 0; i < flips_in_a_part(); ++i) {
    const ScratchFolder one(memory_folder());
    const std::size_t bit = random() % (intact.size() * 8);
    write_text(one / "my.db", flipped(intact, bit));
    try {
      const Store store = Store::open(one / "my.db");
      EXPECT_EQ(invented(store, written), "") << "bit " << bit;
      const bool nothing_said = store.warnings().empty();
      ++(nothing_said ? whole : skipped);
    } catch (const IoError&) {  // said clearly: just as good
      ++skipped;
    }
  }
  RecordProperty("said", skipped);
  EXPECT_GT(skipped, 0);
  EXPECT_GT(whole, 0) << "flips in unused pages harm nothing";
}

INSTANTIATE_TEST_SUITE_P(Fault30, Fault30Part, ::testing::Range(0, parts));

}  // namespace
}  // namespace redtune::cache
