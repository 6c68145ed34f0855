// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Snapshots: as they stand, and as a payload for which somebody made the right checksum.
#include "cache/lookup.hpp"
#include "cache/sha256.hpp"
#include "cache/snapshot.hpp"
#include "tests/cache/samples.hpp"
#include "tests/fuzz/targets.hpp"

namespace redtune::fuzz {
namespace {

using namespace cache;

std::string with_checksum(std::string_view payload) {
  return R"({"format":"redtune-best","version":1,"sha256":")" + sha256_hex(payload) +
         "\",\n\"payload\":" + std::string(payload) + "}\n";
}

void read_text_of_snapshot(const std::string& text) {
  const auto result = parse_snapshot(text, "fuzz");
  const auto* snapshot = std::get_if<Snapshot>(&result);
  if (snapshot == nullptr) return;
  for (const StoredBest& entry : snapshot->entries) {
    promise(is_plausible(entry.best), "an accepted entry is a measurement");
  }
  Snapshot kept = *snapshot;
  kept.skipped = 0;
  const auto again = parse_snapshot(to_text(kept), "fuzz");
  promise(std::holds_alternative<Snapshot>(again), "what is written can be read");
  promise(std::get<Snapshot>(again) == kept, "what is written is what is read");
  const std::vector<LoadedLayer> layers{{{"user", "fuzz"}, *snapshot}};
  (void)look_up(std::span<const LoadedLayer>(layers), cache::testing::sample_query());
}

}  // namespace

void read_snapshot(std::string_view bytes) {
  read_text_of_snapshot(std::string(bytes));
  read_text_of_snapshot(with_checksum(bytes));
}

std::vector<std::string> snapshot_samples() {
  Snapshot snapshot{.generation = 9};
  snapshot.entries = {cache::testing::sample_entry(4), cache::testing::sample_entry(9)};
  snapshot.entries[1].question.problem.count = 1000;
  snapshot.entries[1].best.samples = 3;
  const std::string text = to_text(snapshot);
  const std::size_t begin = text.find("\"payload\":") + 10;
  return {text, text.substr(begin, text.size() - begin - 2), to_text({}),
          R"({"generation":1,"entries":[]})", "[[[[[[[[[["};
}

}  // namespace redtune::fuzz
