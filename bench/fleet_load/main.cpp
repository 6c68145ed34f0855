// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a fleet store bears: many nodes that pull and some that publish, against a real server.
// bench/fleet_load/run.sh starts one. The database named should have nothing else in it.
#include <algorithm>
#include <atomic>
#include <boost/program_options.hpp>
#include <chrono>
#include <fmt/format.h>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cache/exchange/results.hpp"
#include "cache/exchange/t4.hpp"
#include "fleet/documents.hpp"
#include "fleet/store.hpp"
#include "redtune/error.hpp"
#include "redtune/version.hpp"

namespace {

using namespace redtune;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

struct Load {
  std::string url;
  int nodes = 1000;
  int publishers = 100;
  double period = 60;
  double seconds = 120;
  std::int64_t trials = 1'000'000;
  int trials_of_a_run = 100;
  int connections = 16;
};

/// A run as a tune leaves it, with a result; the number makes it another one.
cache::SharedRun made_run(std::int64_t number, int trials) {
  cache::RunStart start{
      .family = "reduce",
      .space_key = "0123456789abcdef0123456789abcdef",
      .problem = make_problem(Op::sum, DType::f32, 1000 + number),
      .device = {.device_class = {.platform = "hip",
                                  .isa = "gfx90a:sramecc+:xnack-",
                                  .model = "1002:740c:0b0c",
                                  .partition = "SPX",
                                  .compute_units = 104,
                                  .wave_size = 64,
                                  .last_level_cache_bytes = 8 << 20,
                                  .memory_bytes = std::int64_t{64} << 30},
                 .toolchain = {.driver = "6.3", .runtime = "6.3.1", .compiler = "a compiler 6.3"},
                 .name = "A made-up GPU"},
      .strategy = "surrogate",
      .seed = static_cast<std::uint64_t>(number),
      .budget = "auto",
      .program_version = version};
  cache::SharedRun run{.start = start,
                       .started_at = "2026-01-02T03:04:05.678Z",
                       .finished_at = "2026-01-02T03:05:05.678Z"};
  std::minstd_rand random(static_cast<unsigned>(number + 1));
  for (int i = 0; i < trials; ++i) {
    const double us = 10 + static_cast<double>(random() % 10'000) / 1000;
    run.trials.push_back({{.sequence = i,
                           .settings = {{"finish", "last_block"},
                                        {"block_size", std::to_string(64 << (i % 5))},
                                        {"items_per_thread", std::to_string(1 + i % 32)},
                                        {"vector_width", std::to_string(1 << (i % 3))},
                                        {"blocks_per_unit", std::to_string(i % 9)},
                                        {"load", "cached"}},
                           .phase = "search",
                           .status = "ok",
                           .time_us = Interval{us, us + 0.1, us + 0.3},
                           .samples = 30,
                           .compile_ms = 120.5,
                           .wall_ms = 12.25},
                          "2026-01-02T03:04:15.678Z"});
  }
  run.results.push_back({"2026-01-02T03:05:00.000Z",
                         {.settings = {{"finish", "last_block"}, {"block_size", "256"}},
                          .time_us = {10.25, 10.5, 11.125},
                          .default_us = 12.6,
                          .gain = {1.125, 1.2, 1.23},
                          .gigabytes_per_second = 6391.3,
                          .reason = "winner"}});
  return run;
}

/// The result and the trials of a run.
std::vector<fleet::Entry> entries_of(std::int64_t number, int trials) {
  cache::SharedRun run = made_run(number, trials);
  const fleet::QuestionKeys keys = fleet::keys_of(question_of(run.start));
  const auto entry = [&](std::string_view kind, std::string document) {
    return fleet::Entry{.kind = std::string(kind),
                        .device_class = keys.device_class,
                        .question = keys.question,
                        .subject = keys.subject,
                        .document = std::move(document)};
  };
  std::vector<fleet::Entry> entries;
  entries.push_back(entry(fleet::trials_kind, cache::t4_text(run)));
  run.trials.clear();
  entries.push_back(entry(fleet::result_kind, cache::results_text({run})));
  return entries;
}

/// Times of many threads.
class Times {
 public:
  void add(double seconds) {
    const std::lock_guard lock(mutex_);
    all_.push_back(seconds);
  }
  [[nodiscard]] std::size_t count() const { return all_.size(); }
  /// In milliseconds.
  [[nodiscard]] double quantile(double share) {
    if (all_.empty()) return 0;
    std::ranges::sort(all_);
    const auto last = static_cast<double>(all_.size() - 1);
    return 1000 * all_[static_cast<std::size_t>(share * last)];
  }

 private:
  std::mutex mutex_;
  std::vector<double> all_;
};

/// So many threads; each is told its number.
template <class Work>
void in_threads(int count, const Work& work) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
}

nlohmann::ordered_json filled(const Load& load) {
  const std::int64_t runs = load.trials / load.trials_of_a_run;
  std::atomic<std::int64_t> next = 0;
  std::atomic<std::int64_t> bytes = 0;
  const auto begin = Clock::now();
  in_threads(load.connections, [&](int) {
    fleet::FleetStore store(load.url, version);
    constexpr std::int64_t runs_of_a_batch = 50;
    for (std::int64_t first = next.fetch_add(runs_of_a_batch); first < runs;
         first = next.fetch_add(runs_of_a_batch)) {
      std::vector<fleet::Entry> batch;
      for (std::int64_t i = first; i < std::min(runs, first + runs_of_a_batch); ++i) {
        for (fleet::Entry& entry : entries_of(i, load.trials_of_a_run)) {
          bytes += static_cast<std::int64_t>(entry.document.size());
          batch.push_back(std::move(entry));
        }
      }
      (void)store.add(batch);
    }
  });
  const double seconds = Seconds(Clock::now() - begin).count();
  const fleet::Status status = fleet::FleetStore(load.url, version).status();
  return {{"rows", 2 * runs},
          {"trials", load.trials},
          {"seconds", seconds},
          {"rows_per_second", static_cast<double>(2 * runs) / seconds},
          {"document_bytes", bytes.load()},
          {"database_bytes", status.bytes}};
}

nlohmann::ordered_json whole_pull(const Load& load) {
  const auto begin = Clock::now();
  fleet::FleetStore store(load.url, version);
  fleet::Cursor cursor;
  std::size_t rows = 0;
  for (fleet::Page page = store.pull(cursor, {"result", "border"}); !page.entries.empty();
       page = store.pull(cursor, {"result", "border"})) {
    rows += page.entries.size();
    cursor = page.next;
  }
  const double seconds = Seconds(Clock::now() - begin).count();
  return {{"rows", rows},
          {"seconds", seconds},
          {"rows_per_second", static_cast<double>(rows) / seconds}};
}

/// Where all nodes are when the load begins: at the end of what there is.
fleet::Cursor end_of(const Load& load) {
  fleet::FleetStore store(load.url, version);
  fleet::Cursor cursor;
  for (fleet::Page page = store.pull(cursor, {"result", "border"}); !page.entries.empty();
       page = store.pull(cursor, {"result", "border"})) {
    cursor = page.next;
  }
  return cursor;
}

/// Each node and publisher once a period, each time with a connection of its own, as the commands
/// do; nobody waits for another.
nlohmann::ordered_json loaded(const Load& load) {
  const fleet::Cursor end = end_of(load);
  std::vector<fleet::Cursor> cursors(static_cast<std::size_t>(load.nodes), end);
  Times pulls;
  Times pushes;
  std::atomic<std::int64_t> pulled = 0;
  std::atomic<std::int64_t> late = 0;
  const int all = load.nodes + load.publishers;
  const auto turns = static_cast<std::int64_t>(load.seconds / load.period * all);
  std::atomic<std::int64_t> next = 0;
  std::atomic<std::int64_t> fresh = load.trials / load.trials_of_a_run + 1'000'000;
  const auto begin = Clock::now();
  in_threads(load.connections, [&](int) {
    for (std::int64_t turn = next++; turn < turns; turn = next++) {
      const auto due = begin + std::chrono::duration_cast<Clock::duration>(
                                   Seconds(static_cast<double>(turn) * load.period / all));
      std::this_thread::sleep_until(due);
      late += Clock::now() - due > std::chrono::milliseconds(100) ? 1 : 0;
      // Publishers are spread evenly among the others.
      const std::int64_t who = turn % all;
      const bool is_publisher = who * load.publishers / all != (who + 1) * load.publishers / all;
      const std::int64_t before = who * load.publishers / all;
      fleet::Cursor& cursor =
          cursors[static_cast<std::size_t>(std::min<std::int64_t>(who - before, load.nodes - 1))];
      std::vector<fleet::Entry> entries;
      if (is_publisher) entries = entries_of(fresh++, load.trials_of_a_run);
      const auto start = Clock::now();
      fleet::FleetStore store(load.url, version);
      if (is_publisher) {
        (void)store.missing(entries);
        (void)store.add(entries);
      } else {
        const fleet::Page page = store.pull(cursor, {"result", "border"});
        (void)store.mark_of_revoked();
        pulled += static_cast<std::int64_t>(page.entries.size());
        cursor = page.next;
      }
      (is_publisher ? pushes : pulls).add(Seconds(Clock::now() - start).count());
    }
  });
  const double seconds = Seconds(Clock::now() - begin).count();
  const auto told = [](Times& times) {
    return nlohmann::ordered_json{{"count", times.count()},
                                  {"median_ms", times.quantile(0.5)},
                                  {"p99_ms", times.quantile(0.99)},
                                  {"longest_ms", times.quantile(1)}};
  };
  return {{"seconds", seconds},
          {"nodes", load.nodes},
          {"publishers", load.publishers},
          {"period_s", load.period},
          {"begun_late", late.load()},
          {"rows_pulled", pulled.load()},
          {"rows_pulled_per_second", static_cast<double>(pulled) / seconds},
          {"pull", told(pulls)},
          {"push", told(pushes)}};
}

Load load_from(int count, char** words) {
  namespace po = boost::program_options;
  Load load;
  po::options_description known("fleet_load URL: fills a fleet store, and loads it");
  auto add = known.add_options();
  add("help,h", "show this");
  add("url", po::value(&load.url), "of an empty database; or without the option");
  add("nodes", po::value(&load.nodes)->default_value(load.nodes), "that pull");
  add("publishers", po::value(&load.publishers)->default_value(load.publishers), "that push");
  add("period", po::value(&load.period)->default_value(load.period), "seconds between two turns");
  add("seconds", po::value(&load.seconds)->default_value(load.seconds), "of load");
  add("trials", po::value(&load.trials)->default_value(load.trials), "that are there before");
  add("connections", po::value(&load.connections)->default_value(load.connections), "at most");
  po::positional_options_description words_alone;
  words_alone.add("url", 1);
  po::variables_map given;
  po::store(po::command_line_parser(count, words).options(known).positional(words_alone).run(),
            given);
  if (given.count("help") != 0) {
    std::cout << known;
    std::exit(0);
  }
  po::notify(given);
  const bool is_possible = !load.url.empty() && load.nodes > 0 && load.publishers >= 0 &&
                           load.period > 0 && load.seconds > 0 && load.trials >= 0 &&
                           load.connections > 0;
  if (!is_possible)
    throw UsageError("name an empty database, and numbers that are not negative; see --help");
  return load;
}

}  // namespace

int main(int count, char** words) try {
  const Load load = load_from(count, words);
  (void)fleet::FleetStore::init(load.url, version);
  nlohmann::ordered_json report;
  report["filled"] = filled(load);
  report["whole_pull"] = whole_pull(load);
  report["loaded"] = loaded(load);
  report["database_bytes"] = fleet::FleetStore(load.url, version).status().bytes;
  fmt::print("{}\n", report.dump(2));
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "fleet_load: {}\n", error.what());
  return 2;
}
