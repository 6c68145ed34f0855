// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a run over many problems came to, for people and as JSON.
#pragma once

#include <span>
#include <string>

#include "cli/names.hpp"
#include "tuner/text/json.hpp"
#include "tuner/tune_all.hpp"

namespace redtune::cli {

/// One line of progress for a problem that is done: "sum f32 2^24 cold: 23.6 us, 1.11x the
/// default".
[[nodiscard]] std::string line_of(const TuneTask& task, const TaskEnd& end);

/// "sum f32 4096 cold to 65536": between which problems a border is.
[[nodiscard]] std::string describe(const Contestants& between);
/// Likewise, and where it is.
[[nodiscard]] std::string line_of(const BorderEnd& end);

/// A row for each problem, with its device where there are several; then what each of these did,
/// and how many were tuned, known, failed and not reached; the same of borders where there are any.
[[nodiscard]] std::string text_of(std::span<const TuneTask> tasks, const TunedAll& all);
[[nodiscard]] Json json_of(std::span<const TuneTask> tasks, const TunedAll& all);

}  // namespace redtune::cli
