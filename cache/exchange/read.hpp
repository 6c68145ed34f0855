// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The readers of the formats of exchange, for a document that was parsed. Private to this folder.
#pragma once

#include <string>
#include <string_view>

#include "cache/exchange/exchange.hpp"
#include "cache/exchange/json.hpp"

namespace redtune::cache {

/// The beginning of a text of a stranger, as a terminal may show it.
[[nodiscard]] std::string shown_text(std::string_view text);

/// A run for each result. Throws UsageError for a document that is none or of another version.
[[nodiscard]] Incoming runs_from_results(const Json& document);

/// The run whose trials the file holds. Throws UsageError for a document that is none, and for one
/// of another tuner: it does not say what was tuned.
[[nodiscard]] Incoming runs_from_t4(const Json& document);

}  // namespace redtune::cache
