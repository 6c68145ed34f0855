// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A snapshot as runs that a store can take over: of each result the run that it is of, as far as a
// snapshot tells of it.
#pragma once

#include "cache/exchange/exchange.hpp"
#include "cache/snapshot/snapshot.hpp"

namespace redtune::cache {

/// The same result gives the same run each time, so that it is taken over once.
[[nodiscard]] SharedRun run_of(const StoredBest& result);

/// The answers in the content of a snapshot file. Throws UsageError for one that is damaged, or of
/// a newer redtune.
[[nodiscard]] Incoming runs_from_snapshot(std::string_view content);

/// Whether a content is that of a snapshot, whole or not.
[[nodiscard]] bool is_snapshot(std::string_view content);

}  // namespace redtune::cache
