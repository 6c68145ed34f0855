// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/lookup/pinned.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "cache/files/files.hpp"
#include "cache/files/paths.hpp"
#include "cache/snapshot/generations.hpp"
#include "redtune/error.hpp"

namespace redtune::cache {
namespace {

namespace fs = std::filesystem;

/// A file that may be the snapshot.
struct PinCandidate {
  fs::path file;
  bool is_named_by_hash = false;
  bool is_kept = false;  ///< no publication replaces it
};

std::vector<PinCandidate> pin_candidates(const SnapshotHash& hash, const std::vector<Layer>& places,
                                         bool is_named) {
  std::vector<PinCandidate> all;
  for (const Layer& place : places) all.push_back({kept_file(place.snapshot, hash), true, true});
  // Nobody publishes into a snapshot that is named as one.
  for (const Layer& place : places) all.push_back({place.snapshot, false, is_named});
  return all;
}

/// The snapshot, or why this file is none, empty where it is not there.
std::variant<SharedView, std::string> open_pinned(const PinCandidate& candidate,
                                                  const SnapshotHash& hash) {
  const std::string name = candidate.file.string();
  const auto content = read_whole(candidate.file, max_snapshot_bytes);
  if (const auto* error = std::get_if<std::errc>(&content)) {
    const bool is_missing =
        *error == std::errc::no_such_file_or_directory || *error == std::errc::not_a_directory;
    if (is_missing) return std::string();
    return fmt::format("{} cannot be read: {}", name, std::make_error_code(*error).message());
  }
  const auto& bytes = std::get<std::string>(content);
  const SnapshotHash found = snapshot_hash_of(bytes);
  if (found != hash) {
    return fmt::format("{} is {} ({})", name,
                       candidate.is_named_by_hash ? "damaged" : "another one", to_string(found));
  }
  OpenedSnapshot opened = open_snapshot(bytes, name);
  if (const auto* refusal = std::get_if<SnapshotRefusal>(&opened)) return refusal->detail;
  return std::get<SharedView>(std::move(opened));
}

/// A publication may have replaced it a moment ago: its generation stays for a while.
std::string where_it_still_is(const SnapshotHash& hash, const std::vector<Layer>& places) {
  for (const Layer& place : places) {
    std::error_code unreadable;
    if (!fs::exists(place.snapshot, unreadable)) continue;
    for (const Generation& generation : kept_generations(place.snapshot)) {
      const auto content = read_whole(generation.file, max_snapshot_bytes);
      const auto* bytes = std::get_if<std::string>(&content);
      if (bytes != nullptr && snapshot_hash_of(*bytes) == hash) return generation.file.string();
    }
  }
  return {};
}

std::string how_to_get(const SnapshotHash& hash, const std::vector<Layer>& places) {
  try {
    const std::string file = where_it_still_is(hash, places);
    if (!file.empty()) return fmt::format("{} is it: redtune cache pin {}", file, file);
  } catch (const fs::filesystem_error&) {
    // A folder that cannot be listed.
  }
  return "copy it from a machine that has it, where 'redtune cache pin --list' shows its file, and "
         "keep it: redtune cache pin FILE";
}

}  // namespace

std::optional<std::string_view> pin_of_environment() {
  const char* const value = std::getenv("REDTUNE_SNAPSHOT");
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

SnapshotHash parse_pin(std::string_view text, std::string_view by) {
  auto hash = parse_snapshot_hash(text);
  if (hash) return *std::move(hash);
  throw UsageError(fmt::format(
      "{} is '{}', which names no snapshot: write sha256: and 64 hexadecimal digits, as 'redtune "
      "cache pin' prints them",
      by, text));
}

PinnedSnapshot find_pinned(const SnapshotHash& hash, const std::optional<fs::path>& named) {
  const std::vector<Layer> places = layers(named);
  std::string reasons;
  const bool is_named = named && names_snapshot(*named);
  for (const PinCandidate& candidate : pin_candidates(hash, places, is_named)) {
    auto found = open_pinned(candidate, hash);
    if (auto* view = std::get_if<SharedView>(&found)) {
      const Layer layer{.name = "pinned", .snapshot = candidate.file, .trust = Trust::named};
      return {{layer, std::move(*view)}, candidate.is_kept};
    }
    if (const auto& why = std::get<std::string>(found); !why.empty()) reasons += "; " + why;
  }
  const bool has_own = named || results_folder();
  throw IoError(
      fmt::format("the pinned snapshot {} is not in {}{}{}; {}", to_string(hash),
                  has_own ? kept_folder(places.front().snapshot).string()
                          : "a place of this user: HOME is not set",
                  places.size() > (has_own ? 1U : 0U) ? " nor in the places for all users" : "",
                  reasons, how_to_get(hash, places)));
}

LoadedLayer load_pinned(const SnapshotHash& hash, const std::optional<fs::path>& named) {
  using Key = std::pair<std::string, std::string>;
  struct Found {
    std::mutex mutex;
    std::map<Key, LoadedLayer> layers;
  };
  static auto* const found = new Found;  // look-ups may come later than anything else
  Key key{hash.digits, named ? named->string() : std::string()};
  const std::lock_guard lock(found->mutex);
  const auto known = found->layers.find(key);
  if (known != found->layers.end()) return known->second;
  return found->layers.emplace(std::move(key), find_pinned(hash, named).layer).first->second;
}

}  // namespace redtune::cache
