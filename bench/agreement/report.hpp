// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How far tunes agree, for people and for programs.
#pragma once

#include <span>
#include <string>

#include "bench/agreement/summary.hpp"

namespace redtune::bench {

/// One problem: a line and its winners.
[[nodiscard]] std::string text_of(const Agreement& agreement);
/// The last lines, about all.
[[nodiscard]] std::string text_of_all(std::span<const Agreement> all);
/// Everything as one JSON document.
[[nodiscard]] std::string json_text(std::span<const Agreement> all);

}  // namespace redtune::bench
