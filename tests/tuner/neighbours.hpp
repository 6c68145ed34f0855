// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A question, and stored results of problems like it, for the tests of warm starts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "cache/keys/records.hpp"
#include "tests/cache/samples.hpp"
#include "tests/tuner/fake_evaluator.hpp"
#include "tuner/session/warm_start.hpp"

namespace redtune::tuner {

using cache::Question;
using cache::StoredBest;

[[nodiscard]] inline Question asked_question() {
  return cache::question_of(cache::testing::sample_start());
}

[[nodiscard]] inline Question about(const Problem& problem) {
  Question question = asked_question();
  question.problem = problem;
  return question;
}

[[nodiscard]] inline Question of_count(std::int64_t count) {
  return about(make_problem(Op::sum, DType::f32, count));
}

/// The real space of an invented GPU, and results for it.
class WarmStart : public ::testing::Test {
 protected:
  WarmStart() { request.problem = asked_question().problem; }

  /// A config of the space, different for each number, and never the default.
  [[nodiscard]] Settings config(std::size_t number) const {
    const std::size_t rank = space.rank(default_point(request)).value();
    return request.family->settings_at(space[(rank + 1 + number * 7) % space.size()]);
  }
  [[nodiscard]] static StoredBest result(const Question& question, const Settings& settings,
                                         std::int64_t generation = 1) {
    StoredBest stored = cache::testing::sample_entry(generation);
    stored.question = question;
    stored.best.settings = settings;
    return stored;
  }
  [[nodiscard]] std::vector<StoredBest> nearest(const std::vector<StoredBest>& stored) const {
    return nearest_winners(asked_question(), *request.family, request.limits, stored);
  }
  [[nodiscard]] std::vector<search::Point> points_of(const std::vector<StoredBest>& all) const {
    std::vector<search::Point> points;
    for (const StoredBest& one : all) {
      points.push_back(request.family->point_of(one.best.settings));
    }
    return points;
  }

  TuneRequest request = request_for_gpu();
  search::Space space = request.family->space(asked_question().problem, request.limits);
};

}  // namespace redtune::tuner
