// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A search for the best of those configs alone that have certain values: which they are, and what
// they are compared with.
#pragma once

#include <string>

#include "cache/keys/records.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/limits.hpp"
#include "redtune/problem.hpp"
#include "redtune/settings.hpp"
#include "search/space.hpp"

namespace redtune::tuner {

/// Values that configs must have; of several for one tunable any. Empty: every config will do.
using Restriction = Settings;

/// Throws UsageError that lists what there is, for what is no tunable of a family or no value of
/// it.
void require_known(const Restriction& only, const kernels::Family& family);

[[nodiscard]] bool fits(const Settings& settings, const Restriction& only);

/// The configs that a search chooses among. Throws UsageError where none has these values.
[[nodiscard]] search::Space searched_space(const kernels::Family& family, const Problem& problem,
                                           const Limits& limits, const Restriction& only);

/// What they are compared with: the default, or the config among them that differs from it in the
/// fewest tunables. Throws likewise.
[[nodiscard]] Settings reference_config(const kernels::Family& family, const Problem& problem,
                                        const Limits& limits, const Restriction& only);

/// A strategy as it is kept of a run: "auto with block_size=64", in the order of names.
[[nodiscard]] std::string strategy_with(const std::string& strategy, Restriction only);
/// Whether a run's strategy says so: its trials are those of a part of the space.
[[nodiscard]] bool is_restricted(const cache::RunStart& run);

}  // namespace redtune::tuner
