// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is written is byte for byte what was written before records were described by tables. The
// sums were recorded with redtune as it was then; whoever changes one makes older files unreadable,
// or stored answers unreachable, and has a version to raise.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cache/exchange/json.hpp"
#include "cache/exchange/results.hpp"
#include "cache/keys/described_best.hpp"
#include "cache/keys/key.hpp"
#include "cache/keys/row_hash.hpp"
#include "cache/keys/sha256.hpp"
#include "cache/snapshot/snapshot.hpp"
#include "samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;

/// All that a best result may say.
Best told_best() {
  return {.settings = sample_settings(),
          .time_us = {10.25, 10.5, 11.125},
          .default_us = 12.6,
          .gain = {1.125, 1.2, 1.23},
          .gigabytes_per_second = 6391.3,
          .reason = "winner",
          .samples = 30,
          .batch_us = 200.5,
          .noise_floor = 0.004,
          .protocol = 2,
          .stream_us = 9.75,
          .measurement = R"({"ties":[1]})"};
}

/// Of every order and cache mode, built in and custom, of two counts.
std::vector<StoredBest> told_entries() {
  std::vector<StoredBest> entries;
  for (const Op op : {Op::sum, Op::custom}) {
    for (const Order order : {Order::any, Order::fixed}) {
      for (const CacheMode mode : {CacheMode::warm, CacheMode::cold}) {
        for (const std::int64_t count : {std::int64_t{1} << 33, std::int64_t{1000}}) {
          StoredBest entry = sample_entry(static_cast<std::int64_t>(entries.size()) + 1);
          Problem& problem = entry.question.problem;
          problem.op = op;
          if (op == Op::custom) problem.custom = {"a.hpp", "struct custom {};"};
          problem.order = order;
          problem.cache_mode = mode;
          problem.count = count;
          entry.best = told_best();
          entries.push_back(entry);
        }
      }
    }
  }
  return entries;
}

std::vector<SharedRun> told_runs() {
  std::vector<SharedRun> runs;
  for (const StoredBest& entry : told_entries()) {
    RunStart start = sample_start();
    start.problem = entry.question.problem;
    runs.push_back({.start = start,
                    .started_at = entry.at,
                    .finished_at = entry.at,
                    .results = {{entry.at, entry.best}}});
  }
  return runs;
}

std::string hex_of(const std::string& bytes) {
  std::string digits;
  for (const char byte : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return digits;
}

TEST(SameBytes, OfKeysAndTheirFields) {
  std::string keys;
  for (const StoredBest& entry : told_entries()) {
    const Key key = key_of(entry.question.problem);
    keys += key.hash + to_string(key.fields);
  }
  keys += key_of(sample_device().device_class).hash + key_of(sample_device().toolchain).hash;
  EXPECT_EQ(sha256_hex(keys), "992d66d4daa1ef99759ffb29bd700c73dd1ca8504868283c8f4683bfc354e333");
}

TEST(SameBytes, OfChecksumsOfRows) {
  EXPECT_EQ(hex_of(row_hash(RunId{7}, {"reduce", "space-1", "p", "d", "t"}, told_best())),
            "e5810fb3b8ca1c0da97cb29f95002288");
  Trial trial = sample_trial(3);
  trial.detail = "x";
  trial.attempts = 2;
  trial.worker = 5;
  EXPECT_EQ(hex_of(row_hash(RunId{7}, trial, key_of(trial.settings).hash)),
            "b12c4e4f76acbaaf53c96aff40c01f8e");
}

TEST(SameBytes, OfSnapshotsAndTheirJson) {
  const Snapshot snapshot{.generation = 16, .entries = told_entries()};
  EXPECT_EQ(sha256_hex(to_bytes(snapshot)),
            "e5d81c5179f4d2b18dae28d84227d6fc93ee45de726a1dfd207b537c6d67f9c4");
  EXPECT_EQ(sha256_hex(describe_as_json(snapshot)),
            "9776c6e25bf1c0ec8309ad3551e8b47bd5995c482e0e1882c9d31feb6304f2f7");
}

/// But for members that came later.
TEST(SameBytes, OfExportedResults) {
  auto document = nlohmann::ordered_json::parse(results_text(told_runs()));
  for (auto& result : document.at("results")) {
    for_each_row<Best>([&](const auto& row) {
      if (row.kept == Kept::in_later_stores) result.erase(std::string(row.name));
    });
  }
  EXPECT_EQ(sha256_hex(document.dump(1) + '\n'),
            "5f8ed549d6ecf57420f2a8b725c0f929ababb35c11254b4a58e6124be3aa1f2d");
}

}  // namespace
}  // namespace redtune::cache
