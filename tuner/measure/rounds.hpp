// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The times of a final, and what each half of them says. Finalists are chosen and dropped by the
// odd rounds alone, so that the even ones, which are reported, know nothing of luck.
#pragma once

#include <cstddef>
#include <vector>

#include "redtune/interval.hpp"

namespace redtune::tuner {

/// rounds[r][i]: microseconds of finalist i in round r; not a number once it has dropped out.
/// Finalist 0 is the default and never does.
using Rounds = std::vector<std::vector<double>>;

enum class Half : std::size_t { even = 0, odd = 1 };

/// Whether a finalist was in the last round; there must be one.
[[nodiscard]] bool is_still_in(const Rounds& rounds, std::size_t finalist);

/// The times of a finalist, as far as it has any.
[[nodiscard]] std::vector<double> times_in(const Rounds& rounds, std::size_t finalist, Half half);
/// Of both halves, where nothing is chosen and reported by the same.
[[nodiscard]] std::vector<double> times_in(const Rounds& rounds, std::size_t finalist);

/// The interval of a's time / b's, round by round where both have one.
[[nodiscard]] Interval ratio_in(const Rounds& rounds, std::size_t a, std::size_t b, Half half);

/// The fastest of those still in, by the odd rounds; there must be one.
[[nodiscard]] std::size_t fastest_of(const Rounds& rounds);

}  // namespace redtune::tuner
