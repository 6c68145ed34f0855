// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a model expects to be the fastest config of a problem that was never tuned. No measurement:
// whatever was tuned comes before it.
#pragma once

#include <cstdint>
#include <string>

#include "cache/keys/records.hpp"

namespace redtune::cache {

struct StoredPrediction {
  Question question;
  Settings settings{};
  std::int64_t trials = 0;  ///< of other problems, that it follows from
  std::string at{};         ///< when it was made: UTC, ISO 8601

  auto operator<=>(const StoredPrediction&) const = default;
};

}  // namespace redtune::cache
