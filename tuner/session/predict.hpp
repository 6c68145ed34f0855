// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is likely the fastest config of a problem that was never tuned on a device, by the model
// that guides searches: from the trials of all problems that were.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "cache/keys/predictions.hpp"
#include "cache/store/store.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/limits.hpp"
#include "search/surrogate/prior.hpp"

namespace redtune::tuner {

/// What was tried for a problem of the device, and what won there.
struct ToldProblem {
  Problem problem;
  std::vector<cache::Trial> trials;
  std::optional<Settings> winner = std::nullopt;
};

/// The newest run of each problem that has trials of this question's family, space and device
/// class, whatever its toolchain; and what won for it, with this toolchain if anything did.
[[nodiscard]] std::vector<ToldProblem> told_problems(const cache::Store& store,
                                                     const cache::Question& like);

/// A value of a tunable in a family's points.
struct PlaceOnAxis {
  std::size_t axis;
  std::size_t place;
};

/// Of one family on one device.
class Predictor {
 public:
  /// like: a question of the device; its problem is of no account. excluded: what is never to run.
  Predictor(cache::Question like, const Limits& limits, std::vector<ToldProblem> told,
            std::set<Settings> excluded = {});

  /// Nothing where the model knows nothing: no count of its problems is within a factor of 16 of
  /// this one's. Else a config of its space that ran right for some of these problems, or the
  /// default. Where a problem was tuned that differs in nothing but an operator that is alike, its
  /// winner.
  [[nodiscard]] std::optional<cache::StoredPrediction> predict(const Problem& problem);
  /// Where one block is predicted that takes fewer than twice as many elements at once: of the
  /// first count behind those, what is expected of twice as many. Nothing where that is the same
  /// config. docs/decisions/0103.
  [[nodiscard]] std::optional<cache::StoredPrediction> predict_behind(
      const cache::StoredPrediction& found);
  /// How many times as fast as the default that config is expected to be, by the trials of all;
  /// nothing likewise.
  [[nodiscard]] std::optional<double> gain(const Problem& problem);

 private:
  /// A problem as it tells of others with elements of one size: its configs read as many bytes.
  struct Source {
    std::size_t trials = 0;
    search::SourceModel model;
    std::vector<PlaceOnAxis> impossible = {};
    std::vector<search::Point> fastest = {};
    std::map<search::Point, search::SourceModel::Told> told = {};  ///< what was asked before
  };
  struct Near {
    double weight = 0;
    Source* source = nullptr;
  };

  /// Costs of candidates, the default first; none where nothing is known.
  struct Expected {
    std::vector<search::Point> points;
    std::vector<double> log_costs;  ///< averages over sources
    std::size_t best = 0;           ///< the cheapest, or what won for a problem that is alike
    std::size_t trials = 0;
  };
  /// like: whose costs are told, a problem that differs in its count alone.
  [[nodiscard]] Expected expect(const Problem& problem, const Problem& like);
  [[nodiscard]] std::optional<cache::StoredPrediction> choose(const Problem& problem,
                                                              const Problem& like);
  /// What was tuned and differs from `like` in an operator that is alike, and from nothing else;
  /// null where nothing was, or where its winner cannot win for this problem.
  [[nodiscard]] const ToldProblem* alike(const Problem& problem, const Problem& like) const;
  [[nodiscard]] bool may_win(const Settings& settings, const Problem& problem) const;
  [[nodiscard]] Source* source_for(std::size_t told, const Problem& asked);
  [[nodiscard]] std::vector<Near> nearest(const cache::Question& asked);
  [[nodiscard]] static double log_cost(std::span<const Near> sources, const search::Point& point);
  [[nodiscard]] std::vector<search::Point> candidates(const Problem& problem,
                                                      std::span<const Near> sources) const;

  cache::Question like_;
  Limits limits_;
  const kernels::Family* family_;
  std::set<Settings> excluded_;
  std::vector<ToldProblem> told_;
  std::optional<search::Space>
      space_;  ///< any of the family's: what models know of them is the same
  std::map<std::pair<std::size_t, std::size_t>, Source> sources_;  ///< by place and element's size
};

/// Fewer whole arrays tell too little of operators and types that are not among them.
inline constexpr std::ptrdiff_t fewest_for_all_kinds = 32;

/// Whether so many are among those that were tuned on a device.
[[nodiscard]] bool tells_of_all_kinds(std::span<const Problem> tuned);

/// A device for which something is predicted.
struct PredictedOn {
  std::int64_t memory_bytes = 0;
  Limits limits = {};
};

/// Problems for which something is to be predicted: of each kind all powers of two from 2^8 to
/// 2^30, as far as they take no more than a quarter of the memory; without those within a factor of
/// the root of two of a tuned count, and those between two that are no more than twice apart. Of a
/// user's kernel, whose count is its first size, those outside of the tuned ones that its default
/// may have.
[[nodiscard]] std::vector<Problem> problems_to_predict(std::span<const Problem> kinds,
                                                       std::span<const Problem> tuned,
                                                       const PredictedOn& device);

/// Of what was predicted before and is not now, the counts behind one block, of kinds of which
/// something is: that block is another now, and so is what is to be said of them.
[[nodiscard]] std::vector<Problem> left_behind(std::span<const cache::StoredPrediction> before,
                                               std::span<const cache::StoredPrediction> now);

/// Whether predictions answer between these two, neighbours of one kind, instead of their winners:
/// some are made in between, and enough was tuned. docs/decisions/0102.
[[nodiscard]] bool is_predicted_between(const Problem& below, const Problem& above,
                                        std::span<const Problem> tuned, const PredictedOn& device);

}  // namespace redtune::tuner
