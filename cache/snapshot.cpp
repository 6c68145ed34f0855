// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Layout: one JSON object whose first line is fixed to the byte, so that its checksum can be found
// without parsing:
//   {"format":"redtune-best","version":1,"sha256":"<64 digits>",
//   "payload":{"generation":G,"entries":[...]}}
// The SHA-256 covers the payload from its opening to its closing brace.
#include "cache/snapshot.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <optional>

#include "cache/files.hpp"
#include "cache/json.hpp"
#include "cache/paths.hpp"
#include "cache/sha256.hpp"

namespace redtune::cache {
namespace {

constexpr std::string_view opening = R"({"format":"redtune-best","version":)";
constexpr std::string_view before_hash = R"(,"sha256":")";
constexpr std::string_view before_payload = "\",\n\"payload\":";
constexpr std::string_view closing = "}\n";
constexpr std::size_t hash_digits = 64;

/// Payload, list, entry, fields: a deeper text is not ours and not worth parsing.
constexpr int max_depth = 4;

/// A refusal as text would follow the name of the file.
struct Refuse {
  SnapshotFault fault;
  std::string_view why;
};
using Payload = std::variant<std::string_view, Refuse>;

constexpr Refuse cut_short{SnapshotFault::truncated, "ends too early"};
constexpr Refuse not_ours{SnapshotFault::garbage, "is not a snapshot of redtune"};

/// Takes expected off the front of text. Refuses what differs, and a text that ends before it.
std::optional<Refuse> take(std::string_view& text, std::string_view expected) {
  if (text.starts_with(expected)) {
    text.remove_prefix(expected.size());
    return std::nullopt;
  }
  return expected.starts_with(text) ? cut_short : not_ours;
}

std::optional<Refuse> take_version(std::string_view& text) {
  int version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (text.empty()) return cut_short;
  if (error == std::errc::result_out_of_range || (error == std::errc{} && version > schema_major)) {
    return Refuse{SnapshotFault::newer, "was written by a newer redtune; update redtune to use it"};
  }
  if (error != std::errc{} || version != schema_major || text.front() == '0') return not_ours;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return std::nullopt;
}

/// The payload of an undamaged text.
Payload checked_payload(std::string_view text) {
  if (const auto refused = take(text, opening)) return *refused;
  if (const auto refused = take_version(text)) return *refused;
  if (const auto refused = take(text, before_hash)) return *refused;
  if (text.size() < hash_digits) return cut_short;
  const std::string_view hash = text.substr(0, hash_digits);
  text.remove_prefix(hash_digits);
  if (const auto refused = take(text, before_payload)) return *refused;
  if (!text.ends_with(closing)) return cut_short;
  text.remove_suffix(closing.size());
  if (sha256_hex(text) != hash) {
    return Refuse{SnapshotFault::wrong_checksum, "is damaged: its checksum is wrong"};
  }
  return text;
}

/// Nesting of a JSON text, counted without parsing it.
int depth_of(std::string_view text) {
  int depth = 0;
  int deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '{' || c == '[')) {
      deepest = std::max(deepest, ++depth);
    } else if (!in_string && (c == '}' || c == ']')) {
      --depth;
    }
  }
  return deepest;
}

/// Nothing when the payload is not what the format says, whoever wrote its checksum.
std::optional<Snapshot> read_payload(std::string_view payload) {
  if (depth_of(payload) > max_depth) return std::nullopt;
  const auto json = parse_json(payload);
  if (!json) return std::nullopt;
  MemberReader reader(*json);
  Snapshot snapshot{.generation = reader.integer("generation")};
  const auto* entries = reader.any("entries").array();
  if (!reader.good() || entries == nullptr) return std::nullopt;
  for (const JsonValue& row : *entries) {
    if (auto entry = stored_best_from(row)) {
      snapshot.entries.push_back(std::move(*entry));
    } else {
      ++snapshot.skipped;
    }
  }
  return snapshot;
}

SnapshotRefusal refusal(const Refuse& refuse, const std::string& name) {
  return {refuse.fault, fmt::format("{} {}", name, refuse.why)};
}

}  // namespace

std::string_view to_string(SnapshotFault fault) {
  switch (fault) {
    case SnapshotFault::missing:
      return "missing";
    case SnapshotFault::unreadable:
      return "unreadable";
    case SnapshotFault::too_large:
      return "too large";
    case SnapshotFault::truncated:
      return "truncated";
    case SnapshotFault::garbage:
      return "garbage";
    case SnapshotFault::wrong_checksum:
      return "wrong checksum";
    case SnapshotFault::newer:
      return "newer";
    case SnapshotFault::untrusted:
      return "untrusted";
  }
  return "?";
}

SnapshotResult parse_snapshot(std::string_view text, const std::string& name) {
  const Payload payload = checked_payload(text);
  if (const auto* refuse = std::get_if<Refuse>(&payload)) return refusal(*refuse, name);
  if (auto snapshot = read_payload(std::get<std::string_view>(payload))) {
    return std::move(*snapshot);
  }
  return refusal(not_ours, name);
}

SnapshotResult load_snapshot(const std::filesystem::path& file) {
  const auto content = read_whole(file, max_snapshot_bytes);
  if (const auto* text = std::get_if<std::string>(&content)) {
    return parse_snapshot(*text, file.string());
  }
  const std::errc error = std::get<std::errc>(content);
  if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory) {
    return refusal({SnapshotFault::missing, "does not exist"}, file.string());
  }
  if (error == std::errc::file_too_large) {
    return refusal({SnapshotFault::too_large, "is larger than 64 MiB"}, file.string());
  }
  const std::string why = "cannot be read: " + std::make_error_code(error).message();
  return refusal({SnapshotFault::unreadable, why}, file.string());
}

std::string to_text(const Snapshot& snapshot) {
  Json entries = Json::array();
  for (const StoredBest& entry : snapshot.entries) entries.push_back(to_json(entry));
  Json payload;
  payload["generation"] = snapshot.generation;
  payload["entries"] = std::move(entries);
  const std::string text = dump(payload);
  return fmt::format("{}{}{}{}{}{}{}", opening, schema_major, before_hash, sha256_hex(text),
                     before_payload, text, closing);
}

void publish_snapshot(const std::filesystem::path& file, const Snapshot& snapshot) {
  replace_file(file, to_text(snapshot));
}

}  // namespace redtune::cache
