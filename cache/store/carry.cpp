// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The part of Store that keeps what a snapshot answers: a snapshot is replaced as a whole, and what
// it alone knows would be gone.
#include <fmt/format.h>
#include <set>
#include <tuple>

#include "cache/exchange/of_snapshot.hpp"
#include "cache/files/paths.hpp"
#include "cache/files/trust.hpp"
#include "cache/store/best_rows.hpp"
#include "cache/store/file_kind.hpp"
#include "cache/store/impl.hpp"
#include "cache/store/open_database.hpp"
#include "cache/store/rows.hpp"
#include "cache/store/salvage.hpp"

namespace redtune::cache {
namespace {

/// What makes a result the one it is, wherever it is kept.
auto mark_of(const StoredBest& result) {
  return std::tie(result.question, result.at, result.best.settings);
}

/// In a snapshot, but not among the answers of its store.
std::vector<const StoredBest*> others_than(const Snapshot& own, const Snapshot& found) {
  const auto is_before = [](const StoredBest* one, const StoredBest* other) {
    return mark_of(*one) < mark_of(*other);
  };
  std::set<const StoredBest*, decltype(is_before)> known(is_before);
  for (const StoredBest& result : own.entries) known.insert(&result);
  std::vector<const StoredBest*> others;
  for (const StoredBest& result : found.entries) {
    if (!known.contains(&result)) others.push_back(&result);
  }
  return others;
}

/// Readers count on numbers that grow, and nobody should meet an old number on a new result.
void go_on_counting_from(Database& database, std::int64_t publication) {
  const std::int64_t behind = publication - change_count(database);
  if (behind <= 0) return;
  database.execute(
      "INSERT INTO sqlite_sequence (name, seq) SELECT 'best', 0"
      " WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'best')");
  database.prepare("UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'best'")
      .bind(behind + 1)
      .run();
}

/// The user's own snapshot answers nobody when others could have written it; one beside a file that
/// was named answers whoever names it.
std::string why_not_believed(const std::filesystem::path& snapshot) {
  const auto folder = results_folder();
  const bool is_named = !folder || snapshot_of(*folder / store_name) != snapshot;
  return is_named ? std::string() : why_untrusted(snapshot);
}

/// What stands where a snapshot is to be put; nothing where there is none, or a damaged one. Throws
/// IoError for what must stay: a file of somebody else's, and answers that this version cannot
/// carry over.
std::optional<Snapshot> replaceable(const std::filesystem::path& file) {
  const SeenFile seen = look_at_file(file);
  if (seen.kind == FileKind::missing || seen.kind == FileKind::empty) return std::nullopt;
  if (seen.kind != FileKind::snapshot) {
    throw IoError(fmt::format("{} {}, where the snapshot of the results belongs; move it away",
                              file.string(), seen.what));
  }
  auto loaded = load_snapshot(file);
  if (auto* snapshot = std::get_if<Snapshot>(&loaded)) {
    if (snapshot->skipped == 0) return std::move(*snapshot);
    throw IoError(fmt::format(
        "{} has {} that only a newer redtune knows; update redtune", file.string(),
        snapshot->skipped == 1 ? "1 result" : fmt::format("{} results", snapshot->skipped)));
  }
  const auto& refusal = std::get<SnapshotRefusal>(loaded);
  if (refusal.fault == SnapshotFault::newer) throw IoError(refusal.detail);
  return std::nullopt;
}

}  // namespace

std::size_t Store::carry_over(const Snapshot& found, const std::filesystem::path& snapshot) {
  Database& database = impl_->database;
  const Snapshot own = bests();
  std::vector<SharedRun> missing;
  for (const StoredBest* result : others_than(own, found)) {
    const auto present = best(result->question);
    const bool is_newer = !present || present->at < result->at;
    if (is_newer && !is_kept(database, result->question, {result->at, result->best})) {
      missing.push_back(run_of(*result));
    }
  }
  std::vector<StoredBorder> borders = found.borders;
  std::vector<StoredPrediction> predictions = found.predictions;
  if (const std::string why = why_not_believed(snapshot); !why.empty()) {
    if (!missing.empty()) {
      impl_->warnings.push_back(
          fmt::format("{} {}: its results that are not in the store ({}) are not taken over",
                      snapshot.string(), why, missing.size()));
    }
    missing.clear();
    borders.clear();
    predictions.clear();
  }
  go_on_counting_from(database, found.generation);
  const std::string origin = fmt::format("snapshot {}", snapshot.string());
  adopt_borders(borders, origin);
  adopt_predictions(predictions, own.predictions);
  return adopt_rows(missing, origin).results;
}

Store Store::look_at(const std::filesystem::path& named) {
  const std::filesystem::path file = follow_link(named);
  Store store = in_memory();
  store.impl_->name = named.string();
  try {
    if (look_at_file(file).kind != FileKind::missing) store.impl_->database = copy_database(file);
  } catch (const DamagedStore&) {
    const Salvaged saved = salvage(file, store.impl_->database);
    store.impl_->warnings.push_back(fmt::format(
        "{} is damaged; this shows what could be {}; redtune cache gc puts it aside and keeps that",
        file.string(), describe(saved)));
  }
  Transaction transaction(store.impl_->database);
  const std::filesystem::path snapshot = snapshot_of(file);
  const auto loaded = load_snapshot(snapshot);
  const auto* found = std::get_if<Snapshot>(&loaded);
  if (const auto* refusal = std::get_if<SnapshotRefusal>(&loaded);
      refusal != nullptr && refusal->fault != SnapshotFault::missing) {
    store.impl_->warnings.push_back(refusal->detail);
  }
  if (const std::size_t carried = found != nullptr ? store.carry_over(*found, snapshot) : 0;
      carried > 0) {
    store.impl_->warnings.push_back(
        fmt::format("{} known from {} only; the next redtune tune keeps {} in the store",
                    carried == 1 ? "1 result is" : fmt::format("{} results are", carried),
                    snapshot.string(), carried == 1 ? "it" : "them"));
  }
  transaction.commit();
  return store;
}

void Store::renew_snapshot() {
  if (!impl_->file) return;
  const std::filesystem::path file = snapshot_of(*impl_->file);
  // What was read in a transaction that is not committed may be gone, and its generation another's.
  const auto forget_read = [this] { impl_->known_bests.clear(); };
  try {
    // The write lock keeps the order: no older snapshot can replace a newer one.
    Transaction transaction(impl_->database);
    if (const auto found = replaceable(file)) {
      if (const std::size_t carried = carry_over(*found, file); carried > 0) {
        impl_->warnings.push_back(
            fmt::format("{} of {} not in the store; kept there now, marked as imported",
                        carried == 1 ? "1 result" : fmt::format("{} results", carried),
                        file.string() + (carried == 1 ? " was" : " were")));
      }
    }
    publish_snapshot(file, bests());
    transaction.commit();
    impl_->is_published = true;
  } catch (const IoError& error) {
    forget_read();
    impl_->is_published = false;
    impl_->warnings.push_back(
        fmt::format("the result is stored, but applications do not see it yet: {}", error.what()));
  } catch (...) {
    forget_read();
    throw;
  }
}

}  // namespace redtune::cache
