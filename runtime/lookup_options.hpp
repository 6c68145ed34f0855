// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the environment adds to the options of a look-up.
#pragma once

#include <optional>
#include <vector>

#include "cache/lookup/lookup.hpp"
#include "redtune/find_best.hpp"

namespace redtune::runtime {

/// What strict takes at worst: somebody tuned it.
inline constexpr Match worst_strict = Match::near;

/// With REDTUNE_SNAPSHOT where no snapshot is named, REDTUNE_STRICT, and a minimum that says what
/// strict demands: each interface asks this once for the options it is given. Again it changes
/// nothing. Throws UsageError for what cannot be understood.
[[nodiscard]] LookupOptions completed(LookupOptions options);
/// Likewise in a place of the caller's, or the options themselves where there is nothing to say:
/// that takes no memory.
[[nodiscard]] const LookupOptions& completed(const LookupOptions& options,
                                             std::optional<LookupOptions>& place);

/// The results that completed options name, as they are now; files that have not changed are not
/// read again. Throws IoError where a pinned snapshot cannot be used.
[[nodiscard]] std::vector<cache::LoadedLayer> layers_of(const LookupOptions& options);

}  // namespace redtune::runtime
