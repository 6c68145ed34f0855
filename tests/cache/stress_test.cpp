// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Fault 32: many processes read while many write to one store.
#include <array>
#include <gtest/gtest.h>

#include "cache/lookup/shared_layers.hpp"
#include "cache/store/sqlite.hpp"
#include "cache/store/store.hpp"
#include "samples.hpp"
#include "watched_writers.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

constexpr int readers = 64;
constexpr int tuners = 8;
constexpr int publications = 125;  // of each tuner: a thousand in all
constexpr int trials = 2;          // before each publication

/// Each tuner has a question of its own.
RunStart start_by(int tuner) {
  RunStart start = sample_start();
  start.problem.count = 1000 + tuner;
  return start;
}

/// Says whose it is and which: nothing of another result may be in it.
Best result_of(int tuner, int number) {
  Best best = sample_best(1000 * tuner + number);
  best.samples = number;
  best.time_us.high = best.time_us.median + number;
  best.reason = fmt::format("result {} of tuner {}", number, tuner);
  return best;
}

Trial trial_of(int tuner, int number) {
  return sample_trial(number, 1000 * tuner + number);
}

int tune(const std::filesystem::path& file, int tuner) {
  Store store = Store::open(file);
  const RunId run = store.begin(start_by(tuner));
  for (int number = 1; number <= publications; ++number) {
    for (int i = 0; i < trials; ++i) {
      const int trial = trials * (number - 1) + i;
      store.intend(run, std::array{Intent{trial_of(tuner, trial).settings, IntentStage::launch}});
      store.record(run, trial_of(tuner, trial));
    }
    store.publish(run, result_of(tuner, number));
  }
  store.finish(run, RunState::done);
  return store.warnings().empty() ? 0 : 1;
}

/// What one reader has seen so far; each number may only grow.
struct Seen {
  std::int64_t generation = 0;
  std::array<int, tuners> numbers{};

  /// 0, or what is wrong.
  int add(const Snapshot& snapshot) {
    if (snapshot.generation < generation) return 2;
    generation = snapshot.generation;
    if (snapshot.skipped > 0) return 3;
    for (const StoredBest& entry : snapshot.entries) {
      const auto tuner = entry.question.problem.count - 1000;
      if (tuner < 0 || tuner >= tuners) return 4;
      int& number = numbers[static_cast<std::size_t>(tuner)];
      if (entry.best.samples < number) return 5;
      number = entry.best.samples;
      if (entry.best != result_of(static_cast<int>(tuner), number)) return 6;
      if (entry.question != question_of(start_by(static_cast<int>(tuner)))) return 7;
    }
    return 0;
  }
};

/// Reads everything, and asks as an application does.
class Reader {
 public:
  explicit Reader(const Layer& layer) : layer_(layer) {}

  /// As WatchedWriters::read() wants it.
  int look() {
    const auto loaded = load_snapshot(layer_.snapshot);
    const auto* snapshot = std::get_if<Snapshot>(&loaded);
    if (snapshot == nullptr) return seen_.generation > 0 ? 1 : WatchedWriters::more;
    if (const int wrong = seen_.add(*snapshot); wrong != 0) return wrong;
    tuner_ = (tuner_ + 1) % tuners;
    if (const int wrong = ask(tuner_); wrong != 0) return wrong;
    return seen_.generation < tuners * publications ? WatchedWriters::more : 0;
  }

 private:
  /// 0, or what is wrong.
  int ask(int tuner) {
    const int known = seen_.numbers[static_cast<std::size_t>(tuner)];
    if (known == 0) return 0;
    query_.problem.count = 1000 + tuner;
    const LookupResult answer = look_up(load_shared(std::span(&layer_, 1)), query_);
    if (answer.match != Match::exact || answer.entry->best.samples < known) return 8;
    return answer.entry->best == result_of(tuner, answer.entry->best.samples) ? 0 : 9;
  }

  const Layer& layer_;
  Query query_ = sample_query();
  Seen seen_;
  int tuner_ = 0;
};

TEST(Fault32, EightTunersAndSixtyFourReadersOfOneStoreLoseAndTearNothing) {
  const ScratchFolder folder(memory_folder());
  const auto file = folder / "my.db";
  const Layer layer{"explicit", folder / "my.db.best-v1.snap", Trust::named};
  (void)Store::open(file);
  WatchedWriters watched(tuners);
  const auto ends = in_children(tuners + readers, [&](int process) {
    if (process < tuners) return watched.write([&] { return tune(file, process); });
    Reader reader(layer);
    return watched.read([&] { return reader.look(); });
  });
  EXPECT_EQ(ends, std::vector<int>(tuners + readers, 0));
  RecordProperty("reads", static_cast<int>(watched.reads()));
  fmt::print("{} reads\n", watched.reads());

  const Store store = Store::open(file);
  const auto runs = store.runs();
  ASSERT_EQ(runs.size(), std::size_t{tuners});
  for (const RunSummary& run : runs) {
    EXPECT_EQ(run.state, RunState::done);
    const int tuner = static_cast<int>(run.start.problem.count - 1000);
    std::vector<Trial> expected;
    for (int i = 0; i < trials * publications; ++i) expected.push_back(trial_of(tuner, i));
    EXPECT_EQ(store.trials(run.id), expected) << "of tuner " << tuner;
    EXPECT_EQ(store.best(question_of(start_by(tuner)))->best, result_of(tuner, publications));
  }
  Database database(file);
  EXPECT_EQ(database.integer("SELECT count(DISTINCT run || ' ' || samples) FROM best"),
            tuners * publications);
  EXPECT_EQ(database.integer("SELECT max(generation) FROM best"), tuners * publications);
  EXPECT_EQ(database.integer("SELECT count(*) FROM intent"), 0);
  EXPECT_EQ(std::get<Snapshot>(load_snapshot(layer.snapshot)), store.bests());
  EXPECT_TRUE(store.warnings().empty());
}

}  // namespace
}  // namespace redtune::cache
