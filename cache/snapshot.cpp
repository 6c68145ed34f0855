// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/snapshot.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "cache/files.hpp"
#include "cache/generations.hpp"
#include "cache/snapshot_view.hpp"

namespace redtune::cache {
namespace {

SnapshotRefusal refusal(const SnapshotDamage& damage, const std::string& name) {
  return {damage.fault, fmt::format("{} {}", name, damage.why)};
}

Snapshot everything_in(const SnapshotView& view) {
  view.bytes().check_all();
  Snapshot snapshot{.generation = view.generation()};
  for (std::size_t index = 0; index < view.group_count(); ++index) {
    const GroupRow group = view.group(index);
    for (std::uint32_t i = 0; i < group.count; ++i) {
      if (auto entry = view.entry(group, std::size_t{group.first} + i)) {
        snapshot.entries.push_back(std::move(*entry));
      } else {
        ++snapshot.skipped;
      }
    }
    // Groups of one file do not overlap: more entries than rows is nobody's file.
    if (snapshot.entries.size() + snapshot.skipped > view.entry_count()) {
      throw SnapshotDamage{SnapshotFault::garbage, "is not a snapshot of redtune"};
    }
  }
  std::ranges::stable_sort(snapshot.entries, {}, &StoredBest::generation);
  return snapshot;
}

SnapshotResult everything_in(const OpenedSnapshot& opened, const std::string& name) {
  if (const auto* refused = std::get_if<SnapshotRefusal>(&opened)) return *refused;
  try {
    return everything_in(*std::get<std::shared_ptr<const SnapshotView>>(opened));
  } catch (const SnapshotDamage& damage) {
    return refusal(damage, name);
  }
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

OpenedSnapshot open_snapshot(const std::filesystem::path& file) {
  try {
    return std::make_shared<const SnapshotView>(file);
  } catch (const SnapshotDamage& damage) {
    return refusal(damage, file.string());
  }
}

OpenedSnapshot open_snapshot(std::string_view content, const std::string& name) {
  try {
    return std::make_shared<const SnapshotView>(content);
  } catch (const SnapshotDamage& damage) {
    return refusal(damage, name);
  }
}

std::optional<std::int64_t> generation_in(const std::filesystem::path& file) {
  try {
    const SnapshotView view(file);
    view.bytes().check_all();
    return view.generation();
  } catch (const SnapshotDamage&) {
    return std::nullopt;
  }
}

SnapshotResult load_snapshot(const std::filesystem::path& file) {
  return everything_in(open_snapshot(file), file.string());
}

SnapshotResult parse_snapshot(std::string_view content, const std::string& name) {
  return everything_in(open_snapshot(content, name), name);
}

void publish_snapshot(const std::filesystem::path& file, const Snapshot& snapshot) {
  replace_file(file, to_bytes(snapshot));
  keep_generation(file, snapshot.generation);
}

}  // namespace redtune::cache
