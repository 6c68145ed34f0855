// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Answers a question from the snapshots of several layers, and says why the answer is what it is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cache/keys/records.hpp"
#include "cache/snapshot/snapshot.hpp"
#include "redtune/match.hpp"

namespace redtune::cache {

/// Whose word a layer is read on.
enum class Trust {
  named,  ///< somebody named the file: it is read whoever may write it
  owner,  ///< found where it always lies: only when it is the user's or root's alone
};

struct Layer {
  std::string name;                ///< "explicit", "user" or "site"
  std::filesystem::path snapshot;  ///< need not exist
  Trust trust = Trust::owner;
  std::filesystem::path named{};  ///< what somebody named, where that is what the layer is of

  bool operator==(const Layer&) const = default;
};

/// Where to look, first layer first. A named store (see named_store) is asked alone; without one:
/// the user's, then the site's (/etc/redtune, /var/lib/redtune).
[[nodiscard]] std::vector<Layer> layers(const std::optional<std::filesystem::path>& named);

/// A layer whose file has been opened once and can be asked many times, from any thread where it
/// was read whole.
struct LoadedLayer {
  Layer layer;
  OpenedSnapshot content;

  /// The same file as it was read, or the same reason why there is none.
  bool operator==(const LoadedLayer& other) const;
};

/// Of a layer without a snapshot: what stands in its place, for people.
[[nodiscard]] SnapshotRefusal missing_snapshot(const Layer& layer);

[[nodiscard]] LoadedLayer load(const Layer& layer, Reading reading = Reading::whole);
[[nodiscard]] std::vector<LoadedLayer> load(std::span<const Layer> layers);

/// How far two shapes are from each other, in factors of two of their extents together.
[[nodiscard]] double log2_distance(const Shape& one, const Shape& other);

/// Between two tuned counts, as it was measured.
struct MeasuredBorder {
  std::int64_t below = 0;  ///< the smaller count
  std::int64_t above = 0;  ///< the larger
  std::int64_t first = 0;  ///< the smallest count that the larger's winner answers

  auto operator<=>(const MeasuredBorder&) const = default;
};

struct Query {
  std::string family;
  std::optional<std::string> space_key{};  ///< without one, any space of the family is as good
  Problem problem;
  DeviceIdentity device;
  /// From the shape that is asked for to that of a result: which of two is nearer; grows with the
  /// distance of their counts.
  std::function<double(const Shape&, const Shape&)> distance = log2_distance;
  /// How far a near result may be before a prediction that is nearer takes its place: beyond the
  /// tuned counts of the problem, and between them. Of whole arrays those between which no border
  /// was measured are as far as those beyond.
  double farthest_beyond = std::numeric_limits<double>::infinity();
  double farthest_between = std::numeric_limits<double>::infinity();
  /// Whether a result may answer, by what border where one decided; one that may not is passed over
  /// for what comes next. Without it all may.
  std::function<bool(const StoredBest&, const std::optional<MeasuredBorder>&)> may_answer{};
};

/// A field in which an entry is not what was asked for.
struct Difference {
  std::string name;
  std::string asked;
  std::string stored;

  auto operator<=>(const Difference&) const = default;
};

struct LayerReport {
  Layer layer;
  Match match = Match::fallback;  ///< the best that it has
  std::string skipped;            ///< why it did not answer; empty for the one that did
  bool is_missing = false;        ///< there is no such file
};

struct LookupResult {
  Match match = Match::fallback;
  std::optional<StoredBest> entry;  ///< nothing for fallback
  std::filesystem::path source;     ///< snapshot file of the entry
  /// Asked against entry; for fallback, against an entry that came closest: with the fewest
  /// differences but for the count, and of those the newest (empty: no entry of the family at all).
  std::vector<Difference> differences;
  /// How far the shape is off, by the query's distance; 0 unless the match is near. Where a border
  /// decides, that of the nearer of its two counts.
  double shape_distance = 0;
  std::optional<MeasuredBorder> border = {};  ///< that decided; near only
  std::int64_t trials = 0;  ///< that a prediction follows from: its entry has settings and no times
  std::vector<LayerReport> layers;  ///< all of them, in order
};

/// The best match of all layers. The grades, best first:
///   exact    everything asked for is equal;
///   drift    the toolchain or the space differ, problem and device class do not;
///   sibling  platform, ISA, partition and compute units of the device class are equal, the problem
///            too;
///   near     the device class is equal and the problem differs in its shape only, however far
///            (see shape_distance); the nearest is taken, but between two tuned counts with a
///            measured border the one on the same side of it;
///   predicted  likewise, of what is expected: where nothing is near, or too far for the query.
/// Of Order::rows shapes are equal where their counts are (shape_of_answer), and of several results
/// for one count the newest answers: how many rows were tuned, and are asked for, is of no account.
/// A better grade in a later layer beats a worse one in an earlier layer; among equal grades the
/// earlier layer answers, and within a layer the entry with the nearest shape, then the fewest
/// differences, then the newest. The settings are untrusted text: validate them before use.
[[nodiscard]] LookupResult look_up(std::span<const LoadedLayer> layers, const Query& query);
[[nodiscard]] LookupResult look_up(std::span<const Layer> layers, const Query& query);

/// The grade that look_up() would give one stored result.
[[nodiscard]] Match match_of(const Query& query, const Question& stored);

/// The shapes for which look_up() would find more than near, whatever the query's own: those of all
/// layers, for a problem, kind of device and family like the query's, each once.
[[nodiscard]] std::vector<Shape> tuned_shapes(std::span<const LoadedLayer> layers,
                                              const Query& query);

}  // namespace redtune::cache
