// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How much faster than the default a problem's winner is likely to be, before it is tuned.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "tuner/session/predict.hpp"

namespace redtune::tuner {

class ExpectedGains {
 public:
  /// store: outlives this.
  explicit ExpectedGains(const cache::Store& store) : store_(store) {}

  /// The default's time by the winner's; nothing where no model knows the problem.
  [[nodiscard]] std::optional<double> of(const cache::Question& question, const Limits& limits);

 private:
  const cache::Store& store_;
  std::map<std::tuple<std::string, DeviceClass, std::string>, Predictor> predictors_;
};

}  // namespace redtune::tuner
