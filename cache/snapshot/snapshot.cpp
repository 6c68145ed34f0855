// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/snapshot/snapshot.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <span>

#include "cache/files/files.hpp"
#include "cache/keys/key.hpp"
#include "cache/keys/limits.hpp"
#include "cache/snapshot/generations.hpp"
#include "cache/snapshot/view.hpp"

namespace redtune::cache {
namespace {

SnapshotRefusal refusal(const SnapshotDamage& damage, const std::string& name) {
  return {damage.fault, fmt::format("{} {}", name, damage.why)};
}

/// What an entry takes in memory, about: itself and its texts.
std::size_t bytes_of(const StoredBest& entry) {
  const auto& [family, space_key, problem, device_class, toolchain] = entry.question;
  std::size_t bytes =
      sizeof(StoredBest) + family.size() + space_key.size() + problem.custom.name.size() +
      problem.custom.source.size() + device_class.platform.size() + device_class.isa.size() +
      device_class.model.size() + device_class.partition.size() + toolchain.driver.size() +
      toolchain.runtime.size() + toolchain.compiler.size() + entry.device_name.size() +
      entry.at.size() + entry.best.reason.size();
  for (const auto& [name, value] : entry.best.settings) {
    bytes += sizeof(Setting) + name.size() + value.size();
  }
  return bytes;
}

/// Those between the entries of a group; all of them were read.
void add_borders(const SnapshotView& view, const GroupRow& group, Snapshot& snapshot) {
  if (view.border_count() == 0) return;
  const std::span<const StoredBest> entries = std::span(snapshot.entries).last(group.count);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::size_t next = view.next_count(group, group.first + i) - group.first;
    if (next == entries.size() || next != i + 1) continue;  // not the newest of its count
    const auto row = view.border_behind(group, group.first + i);
    if (!row || row->at.size() > most_name_bytes) continue;
    const std::size_t newest = view.next_count(group, group.first + next) - group.first - 1;
    snapshot.borders.push_back(
        {.question = entries[i].question,
         .border = {.above = entries[newest].question.problem.count,
                    .below_config = key_of(entries[i].best.settings).hash,
                    .above_config = key_of(entries[newest].best.settings).hash,
                    .first = row->first,
                    .still_below = row->still_below,
                    .first_above = row->first_above},
         .at = std::string(row->at)});
  }
}

/// Groups do not overlap: there are no more predictions than rows.
void add_predictions(const SnapshotView& view, Snapshot& snapshot) {
  std::size_t rows = 0;
  for (std::size_t index = 0; index < view.predicted_group_count(); ++index) {
    const GroupRow group = view.predicted_group(index);
    rows += group.count;
    if (rows > view.prediction_count()) {
      throw SnapshotDamage{SnapshotFault::garbage, "is not a snapshot of redtune"};
    }
    for (std::uint32_t i = 0; i < group.count; ++i) {
      auto one = view.prediction(group, std::size_t{group.first} + i);
      if (one) snapshot.predictions.push_back(std::move(*one));
    }
  }
  std::ranges::sort(snapshot.predictions);
}

Snapshot everything_in(const SnapshotView& view) {
  view.bytes().check_all();
  const std::size_t most = max_loaded_bytes(view.bytes().size());
  std::size_t bytes = 0;
  Snapshot snapshot{.generation = view.generation()};
  for (std::size_t index = 0; index < view.group_count(); ++index) {
    const GroupRow group = view.group(index);
    const std::size_t skipped = snapshot.skipped;
    for (std::uint32_t i = 0; i < group.count; ++i) {
      if (auto entry = view.entry(group, std::size_t{group.first} + i)) {
        bytes += bytes_of(*entry);
        snapshot.entries.push_back(std::move(*entry));
      } else {
        ++snapshot.skipped;
      }
      if (bytes > most) {
        throw SnapshotDamage{
            SnapshotFault::too_large,
            fmt::format("would take more than {} MiB of memory, as no snapshot of its size does; "
                        "use another",
                        most >> 20)};
      }
    }
    // Groups of one file do not overlap: more entries than rows is nobody's file.
    if (snapshot.entries.size() + snapshot.skipped > view.entry_count()) {
      throw SnapshotDamage{SnapshotFault::garbage, "is not a snapshot of redtune"};
    }
    if (snapshot.skipped == skipped) add_borders(view, group, snapshot);
  }
  std::ranges::sort(snapshot.borders);
  add_predictions(view, snapshot);
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

OpenedSnapshot open_snapshot(const std::filesystem::path& file, Reading reading) {
  try {
    return std::make_shared<const SnapshotView>(file, reading);
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
