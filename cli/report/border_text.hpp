// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Which counts a result answers, where that was measured: for people and as JSON.
#pragma once

#include <string>
#include <vector>

#include "cache/snapshot/snapshot.hpp"
#include "tuner/text/json.hpp"

namespace redtune::cli {

/// A line for each measured border beside a result, without a line break at its end; empty where
/// there is none, and for a result that does not answer.
[[nodiscard]] std::vector<std::string> border_lines(const cache::Snapshot& answers,
                                                    const cache::StoredBest& result);

/// Likewise: a list of objects.
[[nodiscard]] tuner::Json borders_json(const cache::Snapshot& answers,
                                       const cache::StoredBest& result);

}  // namespace redtune::cli
