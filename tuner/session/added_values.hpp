// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Values that the file of a kernel has got since its answer was found: what is known of the others
// stays, and these are tried.
#pragma once

#include <vector>

#include "cache/keys/records.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/limits.hpp"
#include "tuner/text/json.hpp"

namespace redtune::tuner {

/// The values among which a search for a described kernel chooses, kept with its result; null for
/// families whose key has them.
[[nodiscard]] Json searched_values(const kernels::Family& family);

/// Values that were not among those of an answer. None where the answer does not tell them: it is
/// from before they were kept.
[[nodiscard]] Settings added_values(const kernels::Family& family, const cache::Best& best);

/// For each added value a config that has it and may run: the winner's or the default's but for
/// this value, else the first of the space. A value that no config may have has none.
[[nodiscard]] std::vector<Settings> first_configs_with(const Settings& added,
                                                       const kernels::Family& family,
                                                       const Problem& problem, const Limits& limits,
                                                       const Settings& winner);

}  // namespace redtune::tuner
