// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// An evaluator that knows what becomes of every point by a formula, and remembers what it was
// asked.
#pragma once

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

#include "kernel_templates/family/family.hpp"
#include "tuner/measure/untrustworthy.hpp"
#include "tuner/session/evaluator.hpp"
#include "tuner/session/tune.hpp"

namespace redtune::tuner {

/// Right, and as fast as this.
[[nodiscard]] inline Outcome measured(double us) {
  return Measured{{us * 0.99, us, us * 1.01}, 9};
}

class FakeEvaluator final : public Evaluator {
 public:
  using Formula = std::function<Outcome(const search::Point&)>;

  explicit FakeEvaluator(Formula formula, double noise = 0.001)
      : formula_(std::move(formula)), error_(1, noise) {}

  [[nodiscard]] std::vector<Evaluation> evaluate(std::span<const search::Point> points) override {
    std::vector<Evaluation> evaluations;
    for (const search::Point& point : points) {
      asked_.push_back(point);
      evaluations.push_back({wobbling(formula_(point), point), 1, 1});
    }
    return evaluations;
  }
  void assume(const search::Point& point, const Outcome&) override { assumed.insert(point); }
  [[nodiscard]] std::optional<Update> challenge(const search::Point& point) override {
    challenged_.push_back(point);
    if (const auto found = stale_faults.find(point); found != stale_faults.end()) {
      return stale_faults.extract(found).mapped();
    }
    if (hidden_mistakes.contains(point)) return Update{point, WrongResult{"a hidden mistake"}};
    return std::nullopt;
  }
  [[nodiscard]] std::variant<Rounds, Update> confirm(std::span<const search::Point> points,
                                                     const FinalLimits& limits) override {
    confirmed_with = limits;
    if (const auto found = std::ranges::find_first_of(points, late_mistakes);
        found != points.end()) {
      return Update{*found, Crashed{"a late mistake"}};
    }
    Rounds times(limits.least_rounds);
    for (auto& round : times) {
      for (const search::Point& point : points) {
        const auto us = cost_of(formula_(point));
        EXPECT_TRUE(us.has_value()) << "a config that failed is timed in the final";
        EXPECT_FALSE(hidden_mistakes.contains(point)) << "a config that is wrong is timed";
        round.push_back(us.value_or(1e-9) * error_(random_));
      }
    }
    return times;
  }
  [[nodiscard]] Rounds displaced(std::span<const search::Point> points) override {
    timed_displaced = {points.begin(), points.end()};
    if (!no_displaced.empty()) throw ImplausibleSample(no_displaced);
    if (!displaced_us) return {};
    Rounds rounds(3);
    for (auto& round : rounds) {
      for (const search::Point& point : points) round.push_back(displaced_us(point));
    }
    return rounds;
  }
  [[nodiscard]] std::vector<Update> updates() override { return std::exchange(next_updates, {}); }
  [[nodiscard]] Figures figures(const search::Point& point) override {
    if (!no_figures.empty()) throw ImplausibleSample(no_figures);
    const double us = cost_of(formula_(point)).value_or(1e-9);
    return {.shares_us = {{Surrounding::small_kernel, us}}, .stream_us = us + 2, .row_us = us / 2};
  }
  [[nodiscard]] std::string disturbance() override { return others; }

  /// Every point that was evaluated, in order.
  [[nodiscard]] const std::vector<search::Point>& asked() const { return asked_; }
  /// Every point that was challenged, in order.
  [[nodiscard]] const std::vector<search::Point>& challenged() const { return challenged_; }

  /// Points that only a challenge finds out, and that only the final does.
  std::set<search::Point> hidden_mistakes;
  std::set<search::Point> late_mistakes;
  /// Of another point, coming to light once when this one is challenged.
  std::map<search::Point, Update> stale_faults;
  std::vector<Update> next_updates;
  std::string others;      ///< who else uses the device
  std::string no_figures;  ///< why the winner's figures cannot be had
  FinalLimits confirmed_with;
  /// Off the alignment of vectors; and who was asked about.
  std::function<double(const search::Point&)> displaced_us;
  std::string no_displaced;  ///< why they cannot be timed there
  std::vector<search::Point> timed_displaced;
  std::set<search::Point> assumed;  ///< of an earlier run, to race others against

 private:
  /// No two configs take quite the same time.
  [[nodiscard]] static Outcome wobbling(Outcome outcome, const search::Point& point) {
    if (auto* measured = std::get_if<Measured>(&outcome)) {
      const double factor =
          1 + 0.002 * static_cast<double>(std::hash<search::Point>{}(point) % 1000) / 1000;
      Interval& us = measured->time_us;
      us = {us.low * factor, us.median * factor, us.high * factor};
    }
    return outcome;
  }

  Formula formula_;
  std::mt19937_64 random_{1};
  std::normal_distribution<double> error_;
  std::vector<search::Point> asked_;
  std::vector<search::Point> challenged_;
};

/// The real space of 'reduce' for a GPU that need not be here.
[[nodiscard]] inline TuneRequest request_for_gpu() {
  TuneRequest request;
  request.family = &kernels::find_family("reduce");
  request.problem = make_problem(Op::sum, DType::f32, 1 << 20);
  request.limits = Limits{.compute_units = 104};
  request.strategy = "grid";
  request.seed = 1;
  request.budget = {.evaluations = 40};
  return request;
}

[[nodiscard]] inline search::Point default_point(const TuneRequest& request) {
  return request.family->point_of(
      request.family->default_settings(request.problem, request.limits));
}

/// The observer that keeps all trials.
struct Watcher {
  std::vector<Trial> trials;
  std::vector<Progress> steps;
  std::vector<std::size_t> finals;

  [[nodiscard]] TuneObserver observer() {
    return {[this](const Trial& trial, const Progress& progress) {
              trials.push_back(trial);
              steps.push_back(progress);
            },
            [this](std::size_t finalists) { finals.push_back(finalists); }};
  }
};

}  // namespace redtune::tuner
