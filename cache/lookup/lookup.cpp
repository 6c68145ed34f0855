// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/lookup/lookup.hpp"

#include <fmt/format.h>
#include <set>

#include "cache/files/paths.hpp"
#include "cache/files/trust.hpp"
#include "cache/lookup/search.hpp"

namespace redtune::cache {
namespace {

namespace fs = std::filesystem;

/// What one layer has to say.
struct Finding {
  std::optional<Candidate> candidate{};
  std::string refusal{};    ///< why it cannot be asked
  bool is_missing = false;  ///< there is no such file

  [[nodiscard]] Match match() const { return candidate ? candidate->grade.match : Match::fallback; }
};

Finding ask(const LoadedLayer& layer, const Query& query) {
  if (const auto* refusal = std::get_if<SnapshotRefusal>(&layer.content)) {
    return {.refusal = refusal->detail, .is_missing = refusal->fault == SnapshotFault::missing};
  }
  try {
    return {.candidate = find_candidate(*std::get<SharedView>(layer.content), query)};
  } catch (const SnapshotDamage& damage) {
    return {.refusal = fmt::format("{} {}", layer.layer.snapshot.string(), damage.why)};
  }
}

/// Why a layer without anything usable has nothing usable.
std::string why_empty(const LoadedLayer& layer, const Finding& finding, const Query& query) {
  if (!finding.refusal.empty()) return finding.refusal;
  return fmt::format("none of its {} results fits this {} question",
                     std::get<SharedView>(layer.content)->entry_count(), query.family);
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
  if (named) return {{"explicit", snapshot_of(*named), Trust::named, *named}};
  std::vector<Layer> all;
  if (const auto folder = results_folder())
    all.push_back({"user", snapshot_of(*folder / store_name)});
  for (const char* folder : {"/etc/redtune", "/var/lib/redtune"}) {
    all.push_back({"site", std::filesystem::path(folder) / snapshot_name});
  }
  return all;
}

bool LoadedLayer::operator==(const LoadedLayer& other) const {
  if (layer != other.layer) return false;
  if (content == other.content) return true;
  const auto* view = std::get_if<SharedView>(&content);
  const auto* others = std::get_if<SharedView>(&other.content);
  if (view == nullptr || others == nullptr) return false;
  const auto& mark = (*view)->bytes().mark();
  return mark && mark == (*others)->bytes().mark();
}

SnapshotRefusal missing_snapshot(const Layer& layer) {
  const std::string snapshot = layer.snapshot.string();
  const auto refusal = [](std::string detail) {
    return SnapshotRefusal{SnapshotFault::missing, std::move(detail)};
  };
  std::error_code error;
  if (layer.named.empty() || layer.named == layer.snapshot) {
    const fs::path store = layer.snapshot.parent_path() / store_name;
    const bool has_store =
        layer.snapshot.filename() == snapshot_name && fs::is_regular_file(store, error);
    if (!has_store) return refusal(snapshot + " does not exist");
    const std::string of = layer.name == "user" ? "" : " --cache " + store.string();
    return {SnapshotFault::unreadable,
            fmt::format("{} is there, but {}, which answers are read from, is not; if results are "
                        "in it, write that: redtune cache gc{}; else run: redtune tune",
                        store.string(), snapshot, of)};
  }
  const std::string named = layer.named.string();
  const fs::file_status status = fs::status(layer.named, error);
  switch (status.type()) {
    case fs::file_type::directory:
      return refusal(named + " is a folder, not a results file");
    case fs::file_type::regular:
      return refusal(
          fmt::format("{} is there, but {}, which redtune tune writes beside a results "
                      "file, is not; see: redtune cache verify --cache {}",
                      named, snapshot, named));
    case fs::file_type::not_found: {
      const fs::path target = fs::read_symlink(layer.named, error);
      if (!error) {
        return refusal(fmt::format("{} is a symbolic link to {}, which does not exist", named,
                                   target.string()));
      }
      return refusal(
          fmt::format("{} does not exist; create it: redtune tune --cache {}", named, named));
    }
    default:
      return refusal(error ? fmt::format("{} cannot be read: {}", named, error.message())
                           : named + " is not a regular file");
  }
}

LoadedLayer load(const Layer& layer, Reading reading) {
  const std::string why =
      layer.trust == Trust::owner ? why_untrusted(layer.snapshot) : std::string();
  if (why.empty()) {
    OpenedSnapshot opened = open_snapshot(layer.snapshot, reading);
    const auto* refusal = std::get_if<SnapshotRefusal>(&opened);
    if (refusal != nullptr && refusal->fault == SnapshotFault::missing) {
      opened = missing_snapshot(layer);
    }
    return {layer, std::move(opened)};
  }
  return {layer, SnapshotRefusal{SnapshotFault::untrusted,
                                 fmt::format("{} {}", layer.snapshot.string(), why)}};
}

std::vector<LoadedLayer> load(std::span<const Layer> layers) {
  std::vector<LoadedLayer> loaded;
  for (const Layer& layer : layers) loaded.push_back(load(layer));
  return loaded;
}

LookupResult look_up(std::span<const LoadedLayer> layers, const Query& query) {
  LookupResult answer;
  std::optional<Candidate> best;
  std::size_t winner = layers.size();
  for (std::size_t i = 0; i < layers.size(); ++i) {
    Finding finding = ask(layers[i], query);
    const Match match = finding.match();
    const bool usable = match != Match::fallback;
    answer.layers.push_back({layers[i].layer, match,
                             usable ? "" : why_empty(layers[i], finding, query),
                             finding.is_missing});
    // Among misses the closest one of all layers explains; among matches the earlier layer wins.
    const Match best_match = best ? best->grade.match : Match::fallback;
    const bool better = usable ? match < best_match
                               : best_match == Match::fallback && finding.candidate &&
                                     (!best || finding.candidate->grade < best->grade);
    if (usable && better) winner = i;
    if (better) best = std::move(finding.candidate);
  }
  if (!best) return answer;
  answer.differences = std::move(best->differences);
  if (winner == layers.size()) return answer;
  answer.match = best->grade.match;
  answer.entry = std::move(best->entry);
  answer.source = layers[winner].layer.snapshot;
  answer.shape_distance = best->grade.shape_distance;
  answer.border = best->border;
  answer.trials = best->trials;
  explain_skipped(answer.layers, &answer.layers[winner]);
  return answer;
}

LookupResult look_up(std::span<const Layer> layers, const Query& query) {
  return look_up(load(layers), query);
}

std::vector<Shape> tuned_shapes(std::span<const LoadedLayer> layers, const Query& query) {
  std::set<Shape> shapes;
  for (const LoadedLayer& layer : layers) {
    const auto* const view = std::get_if<SharedView>(&layer.content);
    if (view == nullptr) continue;
    try {
      add_tuned_shapes(**view, query, shapes);
    } catch (const SnapshotDamage&) {
      // Look-ups meet it too, and say so.
    }
  }
  return {shapes.begin(), shapes.end()};
}

}  // namespace redtune::cache
