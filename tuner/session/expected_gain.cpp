// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/expected_gain.hpp"

namespace redtune::tuner {

std::optional<double> ExpectedGains::of(const cache::Question& question, const Limits& limits) {
  const std::tuple key(question.family, question.device_class, question.space_key);
  auto known = predictors_.find(key);
  if (known == predictors_.end()) {
    known = predictors_.emplace(key, Predictor(question, limits, told_problems(store_, question)))
                .first;
  }
  return known->second.gain(question.problem);
}

}  // namespace redtune::tuner
