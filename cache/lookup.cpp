// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/lookup.hpp"

#include <fmt/format.h>

#include "cache/grade.hpp"
#include "cache/paths.hpp"
#include "cache/trust.hpp"

namespace redtune::cache {
namespace {

/// The entry of one layer that fits best, whatever its grade.
struct Candidate {
  const StoredBest* entry = nullptr;
  Grade grade;
};

Candidate best_of(const Snapshot& snapshot, const Query& query) {
  Candidate best;
  for (const StoredBest& entry : snapshot.entries) {
    if (entry.question.family != query.family) continue;
    const Grade found = grade(query, entry);
    if (best.entry == nullptr || found < best.grade) best = {&entry, found};
  }
  return best;
}

SnapshotResult content_of(const Layer& layer) {
  const std::string why =
      layer.trust == Trust::owner ? why_untrusted(layer.snapshot) : std::string();
  if (why.empty()) return load_snapshot(layer.snapshot);
  return SnapshotRefusal{SnapshotFault::untrusted,
                         fmt::format("{} {}", layer.snapshot.string(), why)};
}

/// Why a layer without anything usable has nothing usable.
std::string why_empty(const LoadedLayer& layer, const Query& query) {
  if (const auto* refusal = std::get_if<SnapshotRefusal>(&layer.content)) return refusal->detail;
  const auto& snapshot = std::get<Snapshot>(layer.content);
  std::string text = fmt::format("none of its {} results fits this {} question",
                                 snapshot.entries.size(), query.family);
  if (snapshot.skipped > 0) text += fmt::format("; {} unreadable ones skipped", snapshot.skipped);
  return text;
}

/// Says of every layer that did not answer why it did not.
void explain_skipped(std::vector<LayerReport>& reports, const LayerReport* winner) {
  for (LayerReport& report : reports) {
    if (&report == winner || !report.skipped.empty()) continue;
    report.skipped = report.match == winner->match
                         ? fmt::format("the {} layer comes first", winner->layer.name)
                         : fmt::format("it has a {} match, the {} layer has a better one",
                                       to_string(report.match), winner->layer.name);
  }
}

}  // namespace

std::vector<Layer> layers(const std::optional<std::filesystem::path>& named) {
  if (named) return {{"explicit", snapshot_of(*named), Trust::named}};
  std::vector<Layer> all;
  if (const auto folder = results_folder()) all.push_back({"user", *folder / snapshot_name});
  for (const char* folder : {"/etc/redtune", "/var/lib/redtune"}) {
    all.push_back({"site", std::filesystem::path(folder) / snapshot_name});
  }
  return all;
}

std::vector<LoadedLayer> load(std::span<const Layer> layers) {
  std::vector<LoadedLayer> loaded;
  for (const Layer& layer : layers) loaded.push_back({layer, content_of(layer)});
  return loaded;
}

Answer look_up(std::span<const LoadedLayer> layers, const Query& query) {
  Answer answer;
  Candidate best;
  std::size_t winner = layers.size();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto* snapshot = std::get_if<Snapshot>(&layers[i].content);
    const Candidate found = snapshot != nullptr ? best_of(*snapshot, query) : Candidate{};
    const bool usable = found.grade.match != Match::fallback;
    answer.layers.push_back(
        {layers[i].layer, found.grade.match, usable ? "" : why_empty(layers[i], query)});
    if (usable && found.grade.match < best.grade.match) winner = i;
    // Among misses the closest one of all layers explains; among matches the earlier layer wins.
    const bool closer_miss = !usable && best.grade.match == Match::fallback &&
                             (best.entry == nullptr || found.grade < best.grade);
    if (winner == i || (closer_miss && found.entry != nullptr)) best = found;
  }
  if (best.entry != nullptr) answer.differences = differences(query, *best.entry);
  if (winner == layers.size() || best.entry == nullptr) return answer;
  answer.match = best.grade.match;
  answer.entry = *best.entry;
  answer.source = layers[winner].layer.snapshot;
  answer.count_log2_distance = best.grade.count_log2_distance;
  explain_skipped(answer.layers, &answer.layers[winner]);
  return answer;
}

Answer look_up(std::span<const Layer> layers, const Query& query) {
  return look_up(load(layers), query);
}

}  // namespace redtune::cache
