// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune cache restore: the kept generations of the answers, and how to have one answer again.
#include <algorithm>
#include <charconv>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "cache/files/paths.hpp"
#include "cache/snapshot/generations.hpp"
#include "cli/cache_common.hpp"
#include "cli/commands.hpp"
#include "cli/names.hpp"
#include "cli/say.hpp"
#include "redtune/error.hpp"
#include "tuner/text/printable.hpp"
#include "tuner/text/table.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;

/// As the store writes times: UTC, ISO 8601, to the second.
std::string text_of(const cache::Generation& generation) {
  return fmt::format(
      "{:%Y-%m-%dT%H:%M:%S}Z",
      fmt::gmtime(std::chrono::system_clock::to_time_t(
          std::chrono::time_point_cast<std::chrono::system_clock::duration>(generation.at))));
}

cache::Snapshot load(const fs::path& file) {
  auto loaded = cache::load_snapshot(file);
  if (const auto* refusal = std::get_if<cache::SnapshotRefusal>(&loaded)) {
    throw UsageError(printable(refusal->detail));
  }
  return std::get<cache::Snapshot>(std::move(loaded));
}

/// A kept generation next to what answers now.
struct Row {
  cache::Generation generation;
  std::optional<cache::Snapshot> content;  ///< nothing: it is damaged
  std::size_t differing = 0;
};

std::vector<Row> rows_of(const Options& options) {
  const cache::Store store = copy_store(options);
  show_warnings(store);
  std::vector<Row> rows;
  for (cache::Generation& one :
       cache::kept_generations(cache::snapshot_of(existing_store(options)))) {
    Row row{std::move(one), {}};
    auto loaded = cache::load_snapshot(row.generation.file);
    if (auto* content = std::get_if<cache::Snapshot>(&loaded)) {
      row.differing = store.differing(*content);
      row.content = std::move(*content);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

int list(const Options& options) {
  const auto all = rows_of(options);
  if (options.has("json")) {
    Json generations = Json::array();
    for (const Row& row : all) {
      Json one{{"generation", row.generation.number},
               {"file", row.generation.file.string()},
               {"at", text_of(row.generation)},
               {"damaged", !row.content}};
      if (row.content) one["results"] = row.content->entries.size();
      if (row.content) one["differing"] = row.differing;
      generations.push_back(std::move(one));
    }
    print_json({{"generations", generations}});
    return 0;
  }
  std::vector<std::vector<std::string>> lines{{"generation", "when", "results", "differ from now"}};
  for (const Row& row : all) {
    lines.push_back({std::to_string(row.generation.number), text_of(row.generation).substr(0, 16),
                     row.content ? std::to_string(row.content->entries.size()) : "damaged",
                     row.content ? std::to_string(row.differing) : "-"});
  }
  fmt::print("{}", all.empty() ? std::string("no generation is kept\n") : table(lines));
  return 0;
}

/// A number means a kept generation, anything else a file.
fs::path file_meant(const std::string& word, const Options& options) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc{} || end != word.data() + word.size()) return word;
  std::string kept;
  for (const auto& one : cache::kept_generations(cache::snapshot_of(existing_store(options)))) {
    if (one.number == number) return one.file;
    kept += fmt::format("{}{}", kept.empty() ? "" : ", ", one.number);
  }
  throw UsageError(fmt::format("there is no generation {}; {}", number,
                               kept.empty() ? std::string("none is kept") : "kept are: " + kept));
}

/// The file may come from anywhere.
std::size_t leave_out_invalid(cache::Snapshot& snapshot, const fs::path& file) {
  const std::size_t unknown = snapshot.skipped;
  if (unknown > 0) {
    spdlog::warn("{}: left out {} results with names that this version of redtune does not know",
                 file.string(), unknown);
  }
  return unknown + std::erase_if(snapshot.entries, [&](const cache::StoredBest& shown) {
           const std::string why = why_invalid(shown.question, shown.best.settings);
           if (!why.empty()) {
             spdlog::warn("{}: left out {}: {}", file.string(), describe(shown.question.problem),
                          printable(why));
           }
           return !why.empty();
         });
}

std::string text_of(const cache::Restored& done, std::size_t left_out) {
  std::string text = fmt::format("{} result{} again, {} did already", done.restored,
                                 done.restored == 1 ? " answers" : "s answer", done.unchanged);
  if (left_out > 0) text += fmt::format("; {} left out", left_out);
  return text;
}

}  // namespace

int run_cache_restore(const Options& options) {
  if (options.words().empty()) return list(options);
  const fs::path file = file_meant(options.words()[0], options);
  cache::Snapshot snapshot = load(file);
  std::size_t left_out = leave_out_invalid(snapshot, file);
  cache::Store store = open_existing_store(options);
  const cache::Restored done =
      store.restore(snapshot, fmt::format("snapshot {}", fs::absolute(file).string()));
  for (const std::int64_t id : done.revoked) {
    spdlog::warn(
        "left out result {}, which was revoked; it answers again with: redtune cache "
        "revoke --restore {}",
        id, id);
  }
  left_out += done.revoked.size();
  show_warnings(store);
  if (options.has("json")) {
    print_json({{"generation", snapshot.generation},
                {"restored", done.restored},
                {"unchanged", done.unchanged},
                {"left_out", left_out}});
  } else {
    say("generation {}: {}\n", snapshot.generation, text_of(done, left_out));
  }
  return code_of(store);
}

}  // namespace redtune::cli
