// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Snapshots: as they stand, and as somebody would write them who makes sizes and hashes right, so
// that what stands behind the hashes is read too.
#include <algorithm>

#include "cache/lookup/lookup.hpp"
#include "cache/snapshot/format.hpp"
#include "cache/snapshot/snapshot.hpp"
#include "tests/cache/samples.hpp"
#include "tests/fuzz/targets.hpp"

namespace redtune::fuzz {
namespace {

using namespace cache;

/// With one block for the head: that is enough for 245 behind it.
std::string with_right_hashes(std::string_view bytes) {
  constexpr std::size_t most_blocks = 200;
  const std::size_t blocks =
      std::clamp<std::size_t>(bytes.size() / format::block_bytes, 1, most_blocks);
  std::string file((blocks + 1) * format::block_bytes, '\0');
  bytes.copy(file.data(), file.size());
  format::magic.copy(file.data(), format::magic.size());
  format::put(file.data() + format::at_version, format::version);
  format::put(file.data() + format::at_block_bytes, std::uint32_t{format::block_bytes});
  format::put(file.data() + format::at_file_bytes, std::uint64_t{file.size()});
  format::put(file.data() + format::at_head_bytes, std::uint32_t{format::block_bytes});
  format::seal(file);
  return file;
}

/// Whatever is found is a measurement that the file holds; so is the sample's question.
void ask(std::string_view file, const Query& query) {
  const LoadedLayer layer{{"user", "fuzz"}, open_snapshot(file, "fuzz")};
  const LookupResult answer = look_up(std::span(&layer, 1), query);
  promise((answer.match == Match::fallback) == !answer.entry, "an answer has an entry");
  promise(!answer.entry || is_plausible(answer.entry->best), "an answer is a measurement");
}

void read_content(std::string_view file) {
  ask(file, cache::testing::sample_query());
  const auto result = parse_snapshot(file, "fuzz");
  const auto* snapshot = std::get_if<Snapshot>(&result);
  if (snapshot == nullptr) return;
  for (const StoredBest& entry : snapshot->entries) {
    promise(is_plausible(entry.best), "an accepted entry is a measurement");
  }
  if (!snapshot->entries.empty()) {
    const Question& question = snapshot->entries.front().question;
    ask(file, {question.family,
               question.space_key,
               question.problem,
               {.device_class = question.device_class, .toolchain = question.toolchain}});
  }
  const std::string written = to_bytes(*snapshot);
  const auto again = parse_snapshot(written, "fuzz");
  promise(std::holds_alternative<Snapshot>(again), "what is written can be read");
  promise(to_bytes(std::get<Snapshot>(again)) == written, "what is written is what is read");
}

}  // namespace

void read_snapshot(std::string_view bytes) {
  read_content(bytes);
  read_content(with_right_hashes(bytes));
}

std::vector<std::string> snapshot_samples() {
  Snapshot snapshot{.generation = 9};
  snapshot.entries = {cache::testing::sample_entry(4), cache::testing::sample_entry(9)};
  snapshot.entries[1].question.problem.count = 1000;
  snapshot.entries[1].best.samples = 3;
  Snapshot other = snapshot;
  other.entries[0].question.problem = make_problem(CustomOp{"mine", "text"}, DType::f32, 5);
  other.entries[1].question.toolchain.driver = "6.4";
  // One large text, and many settings that could name it.
  Snapshot large = snapshot;
  large.entries[0].best.settings = Settings(100, {"a", "1"});
  large.entries[1].best.reason = std::string(100'000, 'x');
  return {to_bytes(snapshot), to_bytes(other), to_bytes(large), to_bytes({}),
          std::string(format::magic)};
}

}  // namespace redtune::fuzz
