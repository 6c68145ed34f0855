// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune cache pin: snapshots that are kept for programs which are pinned to them.
#include <algorithm>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "cache/files/files.hpp"
#include "cache/files/paths.hpp"
#include "cache/lookup/pinned.hpp"
#include "cache/snapshot/kept.hpp"
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

/// Beside which the kept ones lie.
fs::path own_snapshot(const Options& options) {
  const auto store = cache::store_path(options.text("cache"));
  if (store) return cache::snapshot_of(*store);
  throw UsageError("there is no place for snapshots: HOME is not set; name a file with --cache");
}

std::string snapshot_content(const fs::path& file) {
  auto content = cache::read_whole(file, cache::max_snapshot_bytes);
  if (auto* bytes = std::get_if<std::string>(&content)) return std::move(*bytes);
  const std::errc error = std::get<std::errc>(content);
  throw UsageError(fmt::format("{} cannot be read: {}", printable(file.string()),
                               std::make_error_code(error).message()));
}

cache::Snapshot checked_snapshot(const std::string& content, const fs::path& file) {
  auto loaded = cache::parse_snapshot(content, file.string());
  if (auto* snapshot = std::get_if<cache::Snapshot>(&loaded)) return std::move(*snapshot);
  throw UsageError(printable(std::get<cache::SnapshotRefusal>(loaded).detail));
}

fs::path file_to_keep(const Options& options, const fs::path& own) {
  if (!options.words().empty()) return options.words()[0];
  std::error_code unreadable;
  if (fs::exists(own, unreadable) || unreadable) return own;
  throw UsageError(fmt::format(
      "{} does not exist, as nothing was tuned: run redtune tune, or name a snapshot to keep",
      printable(own.string())));
}

int keep_pin(const Options& options) {
  const fs::path own = own_snapshot(options);
  const fs::path file = file_to_keep(options, own);
  const std::string content = snapshot_content(file);
  const cache::Snapshot snapshot = checked_snapshot(content, file);
  const cache::SnapshotHash hash = cache::keep_content(own, content);
  const std::string kept = cache::kept_file(own, hash).string();
  if (options.has("json")) {
    print_json({{"snapshot", to_string(hash)},
                {"file", kept},
                {"generation", snapshot.generation},
                {"results", snapshot.entries.size()}});
    return 0;
  }
  // Alone on standard output, so that a script can take it.
  say("{}\n", to_string(hash));
  spdlog::info("{} results, kept as {}; programs are pinned to it by REDTUNE_SNAPSHOT={}",
               snapshot.entries.size(), printable(kept), to_string(hash));
  return 0;
}

struct PinRow {
  cache::SnapshotHash hash;
  fs::path file;
  std::string at;  ///< since when it is kept; empty: it is the present one, which is not
  std::size_t results = 0;
  bool is_present = false;
  std::string damage{};
};

PinRow pin_row(const fs::path& file, const std::string& content) {
  PinRow row{.hash = cache::snapshot_hash_of(content), .file = file, .at = {}};
  auto loaded = cache::parse_snapshot(content, file.string());
  if (const auto* snapshot = std::get_if<cache::Snapshot>(&loaded)) {
    row.results = snapshot->entries.size();
  } else {
    row.damage = std::string(to_string(std::get<cache::SnapshotRefusal>(loaded).fault));
  }
  return row;
}

PinRow pin_row(const cache::KeptSnapshot& kept) {
  PinRow row{.hash = kept.hash, .file = kept.file, .at = {}};
  const auto content = cache::read_whole(kept.file, cache::max_snapshot_bytes);
  if (const auto* bytes = std::get_if<std::string>(&content)) {
    row = pin_row(kept.file, *bytes);
    if (row.hash != kept.hash) row.damage = "damaged";
  } else {
    row.damage = std::make_error_code(std::get<std::errc>(content)).message();
  }
  row.hash = kept.hash;
  row.at =
      fmt::format("{:%Y-%m-%dT%H:%M:%S}Z",
                  fmt::gmtime(std::chrono::system_clock::to_time_t(
                      std::chrono::time_point_cast<std::chrono::system_clock::duration>(kept.at))));
  return row;
}

/// The present one first where it is not kept.
std::vector<PinRow> pin_rows(const fs::path& own) {
  std::vector<PinRow> rows;
  for (const cache::KeptSnapshot& kept : cache::kept_snapshots(own)) rows.push_back(pin_row(kept));
  const auto content = cache::read_whole(own, cache::max_snapshot_bytes);
  const auto* const bytes = std::get_if<std::string>(&content);
  if (bytes == nullptr) return rows;
  PinRow present = pin_row(own, *bytes);
  present.is_present = true;
  const auto same = std::ranges::find(rows, present.hash, &PinRow::hash);
  if (same == rows.end()) {
    rows.insert(rows.begin(), std::move(present));
  } else {
    same->is_present = true;
  }
  return rows;
}

std::string pin_state(const PinRow& row) {
  if (!row.damage.empty()) return printable(row.damage);
  if (row.at.empty()) return "present, not kept";
  return row.is_present ? "present" : "";
}

int list_pins(const Options& options) {
  const fs::path own = own_snapshot(options);
  const std::vector<PinRow> all = pin_rows(own);
  if (options.has("json")) {
    Json rows = Json::array();
    for (const PinRow& row : all) {
      rows.push_back({{"snapshot", to_string(row.hash)},
                      {"file", row.file.string()},
                      {"kept_since", row.at.empty() ? Json() : Json(row.at)},
                      {"present", row.is_present},
                      {"results", row.results},
                      {"damage", row.damage.empty() ? Json() : Json(row.damage)}});
    }
    print_json({{"snapshots", rows}});
    return 0;
  }
  std::vector<std::vector<std::string>> lines{{"snapshot", "kept since", "results", ""}};
  for (const PinRow& row : all) {
    lines.push_back({to_string(row.hash), row.at.empty() ? "-" : row.at.substr(0, 10),
                     row.damage.empty() ? std::to_string(row.results) : "-", pin_state(row)});
  }
  fmt::print("{}", all.empty() ? std::string("no snapshot is kept\n") : table(lines));
  say("in {}\n", cache::kept_folder(own).string());
  return 0;
}

int remove_pin(const Options& options) {
  const fs::path own = own_snapshot(options);
  const cache::SnapshotHash hash = cache::parse_pin(options.text("remove"), "--remove");
  if (!cache::let_go(own, hash)) {
    throw UsageError(fmt::format("{} is not kept in {}; see: redtune cache pin --list",
                                 to_string(hash), printable(cache::kept_folder(own).string())));
  }
  if (options.has("json")) {
    print_json({{"removed", to_string(hash)}});
  } else {
    say("{} is kept no longer\n", to_string(hash));
  }
  return 0;
}

void refuse_several(const Options& options) {
  const bool has_word = !options.words().empty();
  const int asked = (options.has("list") ? 1 : 0) + (options.has("remove") ? 1 : 0) + has_word;
  if (asked > 1) {
    throw UsageError("keep a FILE, --list and --remove exclude each other; leave out all but one");
  }
}

}  // namespace

int run_cache_pin(const Options& options) {
  refuse_several(options);
  if (options.has("list")) return list_pins(options);
  return options.has("remove") ? remove_pin(options) : keep_pin(options);
}

}  // namespace redtune::cli
