// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/in_context/verdict.hpp"

#include <algorithm>
#include <cmath>

#include "tuner/measure/statistics.hpp"

namespace redtune::bench {
namespace {

using Values = std::vector<Noisy>;

/// Medians with their noise of one time of every contestant.
template <class TimesOf>
Values values_of(const ProblemFindings& findings, const TimesOf& times_of) {
  Values values;
  for (const ContestantTimes& one : findings.contestants) {
    values.push_back(noisy_median(times_of(one)));
  }
  return values;
}

std::size_t index_of_least(const Values& values) {
  return static_cast<std::size_t>(std::ranges::min_element(values, {}, &Noisy::value) -
                                  values.begin());
}

double typical_noise(const Values& values) {
  std::vector<double> noises;
  for (const Noisy& one : values) noises.push_back(one.noise);
  return tuner::median(noises);
}

/// Values at some places.
Values at(const Values& values, const std::vector<std::size_t>& places) {
  Values some;
  for (const std::size_t place : places) some.push_back(values[place]);
  return some;
}

std::optional<double> correlation(const Values& a, const Values& b) {
  return rank_correlation(tied_ranks(a), tied_ranks(b));
}

/// Who is near the least.
std::vector<std::size_t> near_places(const Values& own) {
  const double most = near_share * own[index_of_least(own)].value;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (own[i].value <= most) places.push_back(i);
  }
  return places;
}

template <class TimesOf>
std::vector<Times> times_of_all(const ProblemFindings& findings, const TimesOf& times_of) {
  std::vector<Times> all;
  for (const ContestantTimes& one : findings.contestants) all.push_back(times_of(one));
  return all;
}

ScoreFacts facts_of(const Values& score) {
  const auto ends = std::ranges::minmax_element(score, {}, &Noisy::value);
  return {.winner = index_of_least(score),
          .best_us = ends.min->value,
          .worst_us = ends.max->value,
          .noise_us = typical_noise(score),
          .ranks = distinct(tied_ranks(score))};
}

/// What all predictions of a pattern are held against.
struct Truth {
  Values own;
  std::vector<std::size_t> near;
  std::vector<Times> own_us;
  std::vector<Times> step_us;
};

/// The order that a score says there is, and which config would be chosen.
Prediction prediction(const Values& score, std::size_t winner, const Truth& truth) {
  return {.correlation = correlation(score, truth.own),
          .near_correlation = correlation(at(score, truth.near), at(truth.own, truth.near)),
          .own_regret = regret(truth.own_us, winner),
          .step_regret = regret(truth.step_us, winner)};
}

PatternVerdict judge_pattern(const ProblemFindings& findings, std::size_t pattern,
                             const ScoreFacts& score, const Values& row) {
  const auto own_us = [=](const ContestantTimes& one) { return one.patterns[pattern].own_us; };
  const auto step_us = [=](const ContestantTimes& one) { return one.patterns[pattern].step_us; };
  const auto half = [&](Rounds rounds) {
    return values_of(findings,
                     [&](const ContestantTimes& one) { return samples_in(rounds, own_us(one)); });
  };
  Truth truth{.own = values_of(findings, own_us),
              .near = {},
              .own_us = times_of_all(findings, own_us),
              .step_us = times_of_all(findings, step_us)};
  truth.near = near_places(truth.own);
  const PatternFacts& facts = findings.patterns[pattern];
  const Values scores = values_of(findings, [&](const ContestantTimes& one) {
    return facts.is_graph ? one.uncharged_us : one.score_us;
  });
  return {.name = facts.name,
          .alone_us = tuner::median(facts.alone_us),
          .best_own_us = truth.own[index_of_least(truth.own)].value,
          .noise_us = typical_noise(truth.own),
          .ranks = distinct(tied_ranks(truth.own)),
          .near = truth.near.size(),
          .by_score = prediction(scores, score.winner, truth),
          .by_row = prediction(row, index_of_least(row), truth),
          .itself = correlation(half(Rounds::odd), half(Rounds::even))};
}

/// What there is of a figure in all verdicts on a pattern.
template <class FigureOf>
std::vector<double> collect(const std::vector<ProblemVerdict>& verdicts, std::size_t pattern,
                            const FigureOf& figure_of) {
  std::vector<double> figures;
  for (const ProblemVerdict& verdict : verdicts) {
    const std::optional<double> figure = figure_of(verdict.patterns[pattern]);
    if (figure) figures.push_back(*figure);
  }
  return figures;
}

std::optional<double> mean(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

std::optional<double> geometric_mean(std::vector<double> values) {
  for (double& value : values) value = std::log(value);
  const auto logarithm = mean(values);
  return logarithm ? std::optional(std::exp(*logarithm)) : std::nullopt;
}

std::optional<double> largest(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(std::ranges::max(values));
}

std::optional<double> ratio_of(const std::optional<Regret>& regret) {
  return regret ? std::optional(regret->ratio) : std::nullopt;
}

PatternSummary::Means means_of(const std::vector<ProblemVerdict>& verdicts, std::size_t pattern,
                               Prediction PatternVerdict::*by) {
  const auto all = [&](auto&& figure_of) {
    return collect(verdicts, pattern,
                   [&](const PatternVerdict& verdict) { return figure_of(verdict.*by); });
  };
  const auto own = all([](const Prediction& one) { return ratio_of(one.own_regret); });
  return {.correlation = mean(all([](const Prediction& one) { return one.correlation; })),
          .near_correlation = mean(all([](const Prediction& one) { return one.near_correlation; })),
          .own_regret = geometric_mean(own),
          .worst_own_regret = largest(own),
          .step_regret =
              geometric_mean(all([](const Prediction& one) { return ratio_of(one.step_regret); }))};
}

}  // namespace

ProblemVerdict judge(const ProblemFindings& findings) {
  const Values score = values_of(findings, [](const auto& one) { return one.score_us; });
  const Values row = values_of(findings, [](const auto& one) { return one.row_us; });
  ProblemVerdict verdict{.score = facts_of(score), .row = facts_of(row), .patterns = {}};
  for (std::size_t i = 0; i < findings.patterns.size(); ++i) {
    verdict.patterns.push_back(judge_pattern(findings, i, verdict.score, row));
  }
  return verdict;
}

std::vector<PatternSummary> summary_of(const std::vector<ProblemVerdict>& verdicts) {
  std::vector<PatternSummary> summaries;
  if (verdicts.empty()) return summaries;
  for (std::size_t i = 0; i < verdicts[0].patterns.size(); ++i) {
    summaries.push_back(
        {.name = verdicts[0].patterns[i].name,
         .by_score = means_of(verdicts, i, &PatternVerdict::by_score),
         .by_row = means_of(verdicts, i, &PatternVerdict::by_row),
         .itself = mean(collect(verdicts, i, [](const auto& one) { return one.itself; }))});
  }
  return summaries;
}

}  // namespace redtune::bench
