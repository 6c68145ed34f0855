// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Faults 31 and 32: snapshots that are no snapshots, and many readers while one is replaced.
#include <algorithm>
#include <array>
#include <chrono>
#include <gtest/gtest.h>

#include "cache/lookup/lookup.hpp"
#include "cache/snapshot/format.hpp"
#include "cache/store/store.hpp"
#include "samples.hpp"
#include "watched_writers.hpp"

namespace redtune::cache {
namespace {

using namespace testing;
using Clock = std::chrono::steady_clock;

/// The answer of a bad layer and a good one behind it.
LookupResult ask_behind(const std::filesystem::path& bad, const std::filesystem::path& good) {
  const std::vector<Layer> layers{{"user", bad}, {"site", good}};
  return look_up(std::span<const Layer>(layers), sample_query());
}

/// The fastest of some look-ups, in ms: what the machine does beside them is not what is asked.
double look_up_ms(const std::filesystem::path& bad, const std::filesystem::path& good) {
  double fastest = 1e9;
  for (int i = 0; i < 20; ++i) {
    const auto begin = Clock::now();
    (void)ask_behind(bad, good);
    fastest =
        std::min(fastest, std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
  }
  return fastest;
}

TEST(Fault31, ATruncatedEmptyGarbageNewerOrHugeSnapshotIsALayerThatIsSkippedWithItsReason) {
  const ScratchFolder folder;
  publish_snapshot(folder / "good.snap", {.generation = 1, .entries = {sample_entry()}});
  const std::string good = read_text(folder / "good.snap");
  std::string newer = good;
  newer[format::at_version] = static_cast<char>(format::version + 1);
  const std::vector<std::array<std::string, 2>> contents{
      {good.substr(0, good.size() / 2), "ends too early"},
      {"", "ends too early"},
      {std::string(4096, '\xa5'), "is not a snapshot"},
      {newer, "newer redtune"},
      {"huge", "larger than 64 MiB"}};
  for (const auto& [text, reason] : contents) {
    const auto bad = folder / "bad.snap";
    write_text(bad, text);
    if (text == "huge") std::filesystem::resize_file(bad, max_snapshot_bytes + 1);
    const LookupResult answer = ask_behind(bad, folder / "good.snap");
    EXPECT_EQ(answer.match, Match::exact) << reason;
    EXPECT_NE(answer.layers.at(0).skipped.find(reason), std::string::npos)
        << answer.layers.at(0).skipped;
    const std::string time = fmt::format("{:.1f} us", 1e3 * look_up_ms(bad, folder / "good.snap"));
    fmt::print("\"{}\" and an answer in {}\n", reason, time);
  }
}

TEST(Fault32, SixtyFourReadersDuringAThousandPublicationsSeeNothingTornAndNothingOlder) {
  const ScratchFolder folder(memory_folder());
  const auto file = folder / "my.db";
  constexpr int publications = 1000;
  constexpr int readers = 64;
  {
    Store store = Store::open(file);
    store.publish(store.begin(sample_start()), sample_best(1));
  }
  const auto publish_all = [&] {
    Store store = Store::open(file);
    for (int i = 2; i <= publications; ++i) store.publish(RunId{1}, sample_best(i));
    return store.warnings().empty() ? 0 : 1;
  };
  WatchedWriters watched(1);
  const auto ends = in_children(readers + 1, [&](int process) {
    if (process == 0) return watched.write(publish_all);
    return watched.read([&, newest = std::int64_t{0}]() mutable {
      const auto seen = load_snapshot(folder / "my.db.best-v1.snap");
      const auto* snapshot = std::get_if<Snapshot>(&seen);
      if (snapshot == nullptr) return 1;
      if (snapshot->generation < newest) return 2;
      newest = snapshot->generation;
      // The settings say which publication this is: nothing of another may be in it.
      if (snapshot->entries.at(0).generation != newest) return 3;
      if (snapshot->entries.at(0).best != sample_best(static_cast<int>(newest))) return 4;
      return newest < publications ? WatchedWriters::more : 0;
    });
  });
  EXPECT_EQ(ends, std::vector<int>(readers + 1, 0));
  EXPECT_GT(watched.reads(), publications);
  RecordProperty("reads", static_cast<int>(watched.reads()));
}

}  // namespace
}  // namespace redtune::cache
