// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/predict.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "redtune/error.hpp"
#include "tuner/session/restriction.hpp"
#include "tuner/session/sources.hpp"
#include "tuner/session/warm_start.hpp"
#include "vocabulary/described.hpp"

namespace redtune::tuner {
namespace {

/// Of each problem's configs so many may be predicted for another.
constexpr std::size_t most_fastest = 32;

/// Problems that are asked: more than a search has, which sees for itself what they did not tell.
constexpr std::size_t most_told = 10;

/// Bytes decide what is fast: another operator is as far away as twice the bytes, one of both that
/// gives an index as eight times as many. Weights of this size did best on an H200, and none made
/// much of a difference there: docs/decisions/0101.
constexpr OperatorWeights operator_weights{.other_operator = 2, .other_shape = 4};

/// So many deviations are added to what is expected. Searches leave good trials behind; what nobody
/// tried is not as good as these on average.
constexpr double caution = 0.5;

/// In a family's distances, of which a factor of two is 2. Beyond, winners are of another regime:
/// docs/decisions/0007.
constexpr double farthest_known = 8;

constexpr std::int64_t least_predicted = std::int64_t{1} << 8;
constexpr std::int64_t most_predicted = std::int64_t{1} << 30;
constexpr std::int64_t step_of_predicted = 2;
constexpr double parts_of_memory = 4;

/// Of two tuned counts of whole arrays, between which a winner answers everywhere.
constexpr std::int64_t most_apart = 2;

/// Of as many bytes as it has, with elements as large as those of another.
Problem with_elements_of(const Problem& asked, Problem told) {
  const auto here = static_cast<std::int64_t>(size_of(asked.in));
  const auto there = static_cast<std::int64_t>(size_of(told.in));
  if (is_whole_array(told)) told.count = (told.count * there + here - 1) / here;
  return told;
}

Problem without_count(Problem problem) {
  problem.count = 0;
  return problem;
}

/// Whether winners say more of it: one was tuned for as much, nearly, or it lies between two that
/// are no more than twice apart. docs/decisions/0102. Of a user's kernel all that lie between.
bool is_told_by_tuned(const std::set<std::int64_t>& tuned, std::int64_t count, bool of_a_kernel) {
  const auto is_near = [count](std::int64_t other) {
    const auto [least, most] =
        std::minmax({static_cast<double>(count), static_cast<double>(other)});
    return most * most <= 2 * least * least;
  };
  const auto above = tuned.lower_bound(count);
  const bool has_below = above != tuned.begin();
  if (above != tuned.end() && is_near(*above)) return true;
  if (has_below && is_near(*std::prev(above))) return true;
  if (above == tuned.end() || !has_below) return false;
  return of_a_kernel || *above / most_apart <= *std::prev(above);
}

/// A kernel of a user's counts by its first size, whatever the others are.
bool is_predicted(const Problem& kind) {
  return kind.op == Op::kernel || (is_whole_array(kind) && !is_batch_invariant(kind));
}

/// Bytes that a problem takes; nothing where it cannot be: a kernel's file says what its sizes may
/// be.
std::optional<double> bytes_of(const Problem& problem, const Limits& limits) {
  if (problem.op != Op::kernel) return static_cast<double>(input_bytes(problem));
  const kernels::Family& family = kernels::family_of(problem);
  const Settings usual = family.default_settings(problem, limits);
  if (!is_possible(problem) || !family.why_invalid(usual, problem, limits).empty()) {
    return std::nullopt;
  }
  try {
    return static_cast<double>(family.bytes_held(problem));
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

/// Settings by the axes of a family's points.
std::vector<PlaceOnAxis> places_of(const kernels::Family& family, const Settings& settings) {
  std::vector<PlaceOnAxis> places;
  const auto tunables = family.tunables();
  for (const Setting& setting : settings) {
    const auto tunable = std::ranges::find(tunables, setting.name, &kernels::TunableInfo::name);
    const auto value = std::ranges::find(tunable->values, setting.value);
    places.push_back({static_cast<std::size_t>(tunable - tunables.begin()),
                      static_cast<std::size_t>(value - tunable->values.begin())});
  }
  return places;
}

}  // namespace

std::vector<ToldProblem> told_problems(const cache::Store& store, const cache::Question& like) {
  const auto is_like = [&](const cache::Question& question) {
    return question.family == like.family && question.space_key == like.space_key &&
           question.device_class == like.device_class;
  };
  std::map<Problem, Settings> winners;
  for (const cache::StoredBest& result : store.results().entries) {
    if (!is_like(result.question)) continue;
    const auto [known, is_new] = winners.try_emplace(result.question.problem, result.best.settings);
    if (!is_new && result.question.toolchain == like.toolchain) {
      known->second = result.best.settings;
    }
  }
  std::vector<ToldProblem> told;
  std::set<Problem> known;
  for (const cache::RunSummary& run : store.runs()) {  // newest first
    const cache::Question question = cache::question_of(run.start);
    if (!is_like(question) || run.trial_count == 0 || is_restricted(run.start) ||
        !known.insert(question.problem).second)
      continue;
    ToldProblem& one = told.emplace_back(question.problem, store.trials(run.id));
    const auto winner = winners.find(question.problem);
    if (winner != winners.end()) one.winner = winner->second;
  }
  return told;
}

Predictor::Predictor(cache::Question like, const Limits& limits, std::vector<ToldProblem> told,
                     std::set<Settings> excluded)
    : like_(std::move(like)),
      limits_(limits),
      family_(&kernels::find_family(like_.family)),
      excluded_(std::move(excluded)),
      told_(std::move(told)) {
  if (!told_.empty()) space_ = family_->space(told_.front().problem, limits_);
}

/// Made when it is first asked for.
Predictor::Source* Predictor::source_for(std::size_t told, const Problem& asked) {
  const auto key = std::pair(told, size_of(asked.in));
  if (const auto known = sources_.find(key); known != sources_.end()) return &known->second;
  const Problem& problem = told_[told].problem;
  std::vector<cache::Trial> trials = told_[told].trials;
  std::erase_if(trials, [&](cache::Trial& trial) {
    if (!kernels::known_point(*family_, trial.settings)) return true;
    const auto scaled = family_->of_same_bytes(trial.settings, problem, asked);
    if (scaled) trial.settings = *scaled;
    return !scaled;
  });
  cache::Question question = like_;
  question.problem = problem;
  question.space_key.clear();  // any but the very same question is a source
  auto task = source_of(like_, question, trials, *family_);
  auto observations = task ? std::move(task->observations) : std::vector<search::Observation>();
  std::ranges::sort(observations, {}, [](const auto& seen) { return seen.cost.value(); });
  Source source{.trials = observations.size(),
                .model = search::SourceModel(*space_, observations),
                .impossible = places_of(*family_, family_->impossible_values(problem))};
  for (std::size_t i = 0; i < std::min(most_fastest, observations.size()); ++i) {
    source.fastest.push_back(observations[i].point);
  }
  return &sources_.emplace(key, std::move(source)).first->second;
}

/// The nearest first. A search begins by their nearness and is soon corrected by what it sees;
/// where nobody corrects it, those far away count for less: by the square.
std::vector<Predictor::Near> Predictor::nearest(const cache::Question& asked) {
  std::vector<std::pair<double, std::size_t>> found;
  for (std::size_t i = 0; i < told_.size(); ++i) {
    cache::Question question = like_;
    question.problem = with_elements_of(asked.problem, told_[i].problem);
    question.space_key.clear();
    if (const auto far = distance(asked, question, operator_weights)) found.emplace_back(*far, i);
  }
  std::ranges::sort(found);
  std::vector<Near> sources;
  bool is_known = false;
  for (const auto& [far, i] : found) {
    const bool is_near = family_->distance(asked.problem, told_[i].problem) <= farthest_known;
    if (sources.size() == most_told && (is_known || !is_near)) continue;
    Source* source = source_for(i, asked.problem);
    if (source->model.empty()) continue;
    is_known = is_known || is_near;
    if (sources.size() == most_told) continue;
    const double nearness = 1 / (1 + far);
    sources.push_back({nearness * nearness, source});
  }
  if (!is_known) return {};
  return sources;
}

bool Predictor::may_win(const Settings& settings, const Problem& problem) const {
  const auto at_once = family_->elements_at_once(settings, limits_);
  return (!at_once || problem.count <= *at_once) && !excluded_.contains(settings) &&
         family_->is_in_space(settings, problem, limits_);
}

const ToldProblem* Predictor::alike(const Problem& problem, const Problem& like) const {
  const auto found = std::ranges::find_if(told_, [&](const ToldProblem& one) {
    if (!one.winner || !are_alike(one.problem.op, like.op)) return false;
    Problem other = one.problem;
    other.op = like.op;
    other.out = like.out;
    return other == like && kernels::known_point(*family_, *one.winner) &&
           may_win(*one.winner, problem);
  });
  return found == told_.end() ? nullptr : &*found;
}

std::vector<search::Point> Predictor::candidates(const Problem& problem,
                                                 std::span<const Near> sources) const {
  const Settings usual = family_->default_settings(problem, limits_);
  std::vector<search::Point> points{family_->point_of(usual)};
  std::set<search::Point> known(points.begin(), points.end());
  for (const Near& near : sources) {
    for (const search::Point& point : near.source->fastest) {
      if (!known.insert(point).second) continue;
      if (may_win(family_->settings_at(point), problem)) points.push_back(point);
    }
  }
  return points;
}

Predictor::Expected Predictor::expect(const Problem& problem, const Problem& like) {
  Expected expected;
  cache::Question asked = like_;
  asked.problem = like;
  const auto sources = nearest(asked);
  if (sources.empty()) return expected;
  expected.points = candidates(problem, sources);
  for (const search::Point& point : expected.points) {
    expected.log_costs.push_back(log_cost(sources, point));
  }
  for (const Near& near : sources) expected.trials += near.source->trials;
  if (const ToldProblem* const told = alike(problem, like)) {
    const search::Point winner = family_->point_of(*told->winner);
    const auto known = std::ranges::find(expected.points, winner);
    expected.best = static_cast<std::size_t>(known - expected.points.begin());
    if (known == expected.points.end()) {
      expected.points.push_back(winner);
      expected.log_costs.push_back(log_cost(sources, winner));
    }
  } else {
    expected.best = static_cast<std::size_t>(std::ranges::min_element(expected.log_costs) -
                                             expected.log_costs.begin());
  }
  return expected;
}

/// A problem where nothing like this was tried says little of it, and what it says is no praise;
/// one that cannot have it says nothing.
double Predictor::log_cost(std::span<const Near> sources, const search::Point& point) {
  double sum = 0;
  double weights = 0;
  for (const auto& [nearness, source] : sources) {
    const bool cannot_have_it = std::ranges::any_of(
        source->impossible, [&](const PlaceOnAxis& one) { return point[one.axis] == one.place; });
    if (cannot_have_it) continue;
    auto known = source->told.find(point);
    if (known == source->told.end()) {
      known = source->told.emplace(point, source->model.tell(point)).first;
    }
    const auto& [cost, deviation, similarity] = known->second;
    const double weight = nearness * similarity * similarity;
    sum += weight * (cost + caution * deviation);
    weights += weight;
  }
  return weights > 0 ? sum / weights : std::numeric_limits<double>::infinity();  // nobody knows it
}

std::optional<cache::StoredPrediction> Predictor::choose(const Problem& problem,
                                                         const Problem& like) {
  if (const ToldProblem* const told = alike(problem, like)) {  // the model need not be asked
    cache::StoredPrediction found{
        .question = like_, .settings = *told->winner, .trials = std::ssize(told->trials)};
    found.question.problem = problem;
    return found;
  }
  const Expected expected = expect(problem, like);
  if (expected.points.empty()) return std::nullopt;
  cache::StoredPrediction found{.question = like_,
                                .settings = family_->settings_at(expected.points[expected.best]),
                                .trials = static_cast<std::int64_t>(expected.trials)};
  found.question.problem = problem;
  return found;
}

std::optional<cache::StoredPrediction> Predictor::predict(const Problem& problem) {
  return choose(problem, problem);
}

std::optional<cache::StoredPrediction> Predictor::predict_behind(
    const cache::StoredPrediction& found) {
  Problem problem = found.question.problem;
  const auto at_once = family_->elements_at_once(found.settings, limits_);
  Problem twice = problem;
  twice.count *= 2;
  if (!at_once || *at_once < problem.count || *at_once + 1 >= twice.count) return std::nullopt;
  problem.count = *at_once + 1;
  return choose(problem, twice);
}

std::optional<double> Predictor::gain(const Problem& problem) {
  const Expected expected = expect(problem, problem);
  if (expected.points.empty()) return std::nullopt;
  return std::exp(expected.log_costs.front() - expected.log_costs[expected.best]);
}

bool tells_of_all_kinds(std::span<const Problem> tuned) {
  return std::ranges::count_if(tuned, [](const Problem& problem) {
           return problem.op != Op::kernel && is_whole_array(problem);
         }) >= fewest_for_all_kinds;
}

bool is_predicted_between(const Problem& below, const Problem& above,
                          std::span<const Problem> tuned, const PredictedOn& device) {
  if (below.op == Op::kernel || !tells_of_all_kinds(tuned)) return false;
  const std::vector<Problem> both{below, above};
  return std::ranges::any_of(problems_to_predict({&below, 1}, both, device),
                             [&](const Problem& problem) {
                               return below.count < problem.count && problem.count < above.count;
                             });
}

std::vector<Problem> left_behind(std::span<const cache::StoredPrediction> before,
                                 std::span<const cache::StoredPrediction> now) {
  std::set<Problem> kinds;
  std::set<cache::Question> made;
  for (const cache::StoredPrediction& one : now) {
    kinds.insert(without_count(one.question.problem));
    made.insert(one.question);
  }
  std::vector<Problem> left;
  for (const cache::StoredPrediction& one : before) {
    const Problem& problem = one.question.problem;
    const bool is_behind =
        problem.op != Op::kernel && !std::has_single_bit(static_cast<std::uint64_t>(problem.count));
    if (is_behind && kinds.contains(without_count(problem)) && !made.contains(one.question)) {
      left.push_back(problem);
    }
  }
  return left;
}

std::vector<Problem> problems_to_predict(std::span<const Problem> kinds,
                                         std::span<const Problem> tuned,
                                         const PredictedOn& device) {
  std::map<Problem, std::set<std::int64_t>> counts_of;
  for (const Problem& problem : tuned) counts_of[without_count(problem)].insert(problem.count);
  std::set<Problem> all;
  for (const Problem& kind : kinds) {
    if (!is_predicted(kind)) continue;
    const std::set<std::int64_t>& known = counts_of[without_count(kind)];
    for (std::int64_t count = least_predicted; count <= most_predicted;
         count *= step_of_predicted) {
      if (is_told_by_tuned(known, count, kind.op == Op::kernel)) continue;
      Problem problem = kind;
      problem.count = count;
      const auto bytes = bytes_of(problem, device.limits);
      if (bytes && *bytes <= static_cast<double>(device.memory_bytes) / parts_of_memory) {
        all.insert(problem);
      }
    }
  }
  return {all.begin(), all.end()};
}

}  // namespace redtune::tuner
