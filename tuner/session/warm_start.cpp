// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/warm_start.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <utility>

#include "tuner/text/printable.hpp"

namespace redtune::tuner {
namespace {

// Weights of a distance; see the table in the header.
constexpr double sibling_device = 8;
constexpr double other_isa = 24;
constexpr double alike_operator = 0.5;
constexpr double factor_of_size = 1;
constexpr double other_kind = 1;
constexpr double other_cache_mode = 2;
constexpr double other_order = 1;

double between(const DeviceClass& a, const DeviceClass& b) {
  if (a == b) return 0;
  return a.isa == b.isa ? sibling_device : other_isa;
}

double between_operators(const Problem& a, const Problem& b, const OperatorWeights& weights) {
  if (a.op == b.op && a.custom == b.custom) return 0;
  if (are_alike(a.op, b.op)) return alike_operator;
  return weights.other_operator + (info(a.op).shape == info(b.op).shape ? 0 : weights.other_shape);
}

/// Integers with a sign and without are read and added alike.
double between(DType a, DType b) {
  const double factor =
      std::log2(static_cast<double>(size_of(a)) / static_cast<double>(size_of(b)));
  const auto is_floating = [](DType type) { return info(type).kind == DTypeKind::floating; };
  return factor_of_size * std::abs(factor) + (is_floating(a) == is_floating(b) ? 0 : other_kind);
}

search::Point default_point(const kernels::Family& family, const Problem& problem,
                            const Limits& limits) {
  return family.point_of(family.default_settings(problem, limits));
}

struct Neighbour {
  double distance = 0;
  std::int64_t age = 0;  ///< generation, negated
  const cache::StoredBest* stored = nullptr;
};

std::vector<Neighbour> neighbours_of(const cache::Question& asked,
                                     std::span<const cache::StoredBest> stored) {
  std::vector<Neighbour> found;
  for (const cache::StoredBest& one : stored) {
    if (const auto far = distance(asked, one.question)) {
      found.push_back({*far, -one.generation, &one});
    }
  }
  std::ranges::sort(found, {},
                    [](const Neighbour& one) { return std::pair(one.distance, one.age); });
  return found;
}

/// As far as both go, and neither is empty.
bool begins_alike(std::span<const search::Point> one, std::span<const search::Point> other) {
  const std::size_t both = std::min(one.size(), other.size());
  return both > 0 && std::ranges::equal(one.first(both), other.first(both));
}

/// What tells a result from one of the question asked.
std::string name_of(const cache::Question& asked, const cache::StoredBest& winner) {
  const cache::Question& question = winner.question;
  std::string name = describe(question.problem);
  if (question.device_class != asked.device_class) return name + " on " + winner.device_name;
  if (question.problem != asked.problem) return name;
  return name + " with another " +
         (question.toolchain != asked.toolchain ? "toolchain" : "version of redtune");
}

}  // namespace

bool are_alike(Op one, Op other) {
  constexpr std::array pairs{
      std::pair{Op::sum, Op::mean},      std::pair{Op::sum_of_squares, Op::l2_norm},
      std::pair{Op::min, Op::max},       std::pair{Op::min_ignore_nan, Op::max_ignore_nan},
      std::pair{Op::argmin, Op::argmax}, std::pair{Op::argmin_ignore_nan, Op::argmax_ignore_nan},
      std::pair{Op::all, Op::any},       std::pair{Op::mean_variance, Op::mean_sample_variance}};
  return std::ranges::any_of(pairs, [&](const auto& pair) {
    return pair == std::pair{one, other} || pair == std::pair{other, one};
  });
}

std::optional<double> distance(const cache::Question& asked, const cache::Question& stored,
                               const OperatorWeights& weights) {
  if (asked == stored || asked.family != stored.family) return std::nullopt;
  if (asked.device_class.platform != stored.device_class.platform) return std::nullopt;
  const Problem& a = asked.problem;
  const Problem& b = stored.problem;
  return between(asked.device_class, stored.device_class) + between_operators(a, b, weights) +
         between(a.in, b.in) + between(a.acc, b.acc) +
         kernels::find_family(asked.family).distance(a, b) +
         (a.cache_mode == b.cache_mode ? 0 : other_cache_mode) +
         (a.order == b.order ? 0 : other_order);
}

std::vector<cache::StoredBest> nearest_winners(const cache::Question& asked,
                                               const kernels::Family& family, const Limits& limits,
                                               std::span<const cache::StoredBest> stored) {
  const std::vector<Neighbour> neighbours = neighbours_of(asked, stored);
  if (neighbours.empty()) return {};
  std::set<search::Point> taken{default_point(family, asked.problem, limits)};
  std::vector<cache::StoredBest> winners;
  for (const Neighbour& neighbour : neighbours) {
    if (winners.size() == most_winners) break;
    const cache::StoredBest& stored_best = *neighbour.stored;
    if (!kernels::known_point(family, stored_best.best.settings)) continue;
    const auto scaled = family.of_same_bytes(stored_best.best.settings,
                                             stored_best.question.problem, asked.problem);
    for (const auto& settings : {std::optional(stored_best.best.settings), scaled}) {
      if (!settings || winners.size() == most_winners) continue;
      const search::Point point = family.point_of(*settings);
      if (!family.is_in_space(*settings, asked.problem, limits)) continue;
      if (!taken.insert(point).second) continue;
      winners.push_back(stored_best);
      winners.back().best.settings = *settings;
    }
  }
  return winners;
}

std::vector<cache::StoredBest> answers_at(std::span<const cache::PastResult> history,
                                          const std::string& at) {
  std::vector<cache::StoredBest> answers;
  std::set<cache::Question> answered;
  for (const cache::PastResult& past : history) {
    if (past.stored.at > at || (past.revoked && past.revoked->at <= at)) continue;
    if (answered.insert(past.stored.question).second) answers.push_back(past.stored);
  }
  return answers;
}

std::optional<std::vector<cache::StoredBest>> winners_for(const cache::Store& store,
                                                          const Journal& journal,
                                                          const kernels::Family& family,
                                                          const Limits& limits) {
  const cache::Question asked = journal.question();
  const auto run = journal.is_resumed() ? store.run(journal.run()) : std::nullopt;
  if (!run) return nearest_winners(asked, family, limits, store.results().entries);
  auto winners =
      nearest_winners(asked, family, limits, answers_at(store.history(), run->started_at));
  // Its own trials tell whether it was told not to: such a run begins with the known shapes.
  std::vector<search::Point> tried = journal.known(family).tried;
  const search::Point usual = default_point(family, asked.problem, limits);
  std::erase(tried, usual);
  std::vector<search::Point> shapes;
  for (const Settings& shape : family.known_shapes(asked.problem, limits, asked.device_class.isa)) {
    shapes.push_back(family.point_of(shape));
  }
  std::erase(shapes, usual);
  std::vector<search::Point> warm;
  for (const cache::StoredBest& winner : winners) {
    warm.push_back(family.point_of(winner.best.settings));
  }
  const bool began_cold = begins_alike(tried, shapes) && !begins_alike(tried, warm);
  return began_cold ? std::nullopt : std::optional(std::move(winners));
}

std::string describe(const cache::Question& asked, std::span<const cache::StoredBest> winners) {
  std::vector<std::string> problems;  // a winner may be there as it is and of the same bytes
  for (const cache::StoredBest& winner : winners) {
    std::string name = printable(name_of(asked, winner));
    if (std::ranges::find(problems, name) == problems.end()) problems.push_back(std::move(name));
  }
  const std::string names = fmt::format("{}", fmt::join(problems, ", "));
  return problems.size() == 1
             ? fmt::format("beginning with the winner of 1 problem like this one: {}", names)
             : fmt::format("beginning with the winners of {} problems like this one: {}",
                           problems.size(), names);
}

}  // namespace redtune::tuner
