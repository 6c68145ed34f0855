// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Best results as redtune's own JSON: what one machine found, for the stores of others.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cache/keys/borders.hpp"
#include "cache/keys/shared_run.hpp"

namespace redtune::cache {

/// Raised when a reader of older files would misread newer ones.
inline constexpr std::string_view results_format = "redtune results 1";

/// The results of runs, without their trials, and the borders between them. The same results give
/// the same text, whatever store they are from.
[[nodiscard]] std::string results_text(const std::vector<SharedRun>& runs,
                                       std::span<const StoredBorder> borders = {});

}  // namespace redtune::cache
