// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A tuning run on its way and its end, for people; the end as JSON too.
#pragma once

#include <string>

#include "cli/names.hpp"
#include "tuner/measure/peak.hpp"
#include "tuner/session/tune.hpp"
#include "tuner/text/json.hpp"

namespace redtune::cli {

/// How many trials there were and what is fastest: part of a line.
[[nodiscard]] std::string text_of(const Progress& progress);

/// What was found, how sure that is, and what failed: a few lines. With a peak, how near to it.
[[nodiscard]] std::string text_of(const TuneResult& result, const Problem& problem,
                                  const Peak& peak = {});
[[nodiscard]] Json json_of(const TuneResult& result, const Problem& problem, const Peak& peak = {});

/// GB/s of input at a time for a problem.
[[nodiscard]] double gigabytes_per_second(const Problem& problem, double us);

}  // namespace redtune::cli
