// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Results as a C++ header that needs nothing of redtune: for builds that compile their kernels
// ahead. docs/reference/exchange.md is its description.
#pragma once

#include <span>
#include <string>

#include "cache/keys/borders.hpp"
#include "cache/keys/records.hpp"

namespace redtune::cli {

/// Of results of one device class whose configs are valid. Of two for the same problem the newer
/// one is taken; custom operators, which have a text of their own, are left out and named in a
/// comment. Kernels of users are constants. Between two counts the config changes at their border,
/// where one of these holds. Throws UsageError for none, and for several device classes.
[[nodiscard]] std::string header_text(std::span<const cache::StoredBest> results,
                                      std::span<const cache::StoredBorder> borders = {});

}  // namespace redtune::cli
