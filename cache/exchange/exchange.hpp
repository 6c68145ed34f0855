// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What all formats of exchange have in common: how much is read, and which runs are fit to be taken
// over. Whoever wrote a file is not trusted. The formats: docs/reference/exchange.md.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cache/keys/borders.hpp"
#include "cache/keys/shared_run.hpp"

namespace redtune::cache {

/// Of a file that is imported.
inline constexpr std::size_t max_exchange_bytes = std::size_t{64} << 20;

/// What a file held.
struct Incoming {
  std::vector<SharedRun> runs{};
  std::vector<StoredBorder> borders{};
  std::vector<std::string> skipped{};  ///< of each thing that is unfit: which one, and why
};

/// Of any format: results, T4, a snapshot. Throws UsageError for a text that is of none, of another
/// version, or of another tuner; the text goes on after the name of a file.
[[nodiscard]] Incoming read_exchange(std::string_view text);

/// "2026-01-02T03:04:05.678Z", and such a day exists.
[[nodiscard]] bool is_time(std::string_view text);

/// Now and some days on or, with less than none, back, as such a text.
[[nodiscard]] std::string time_in_days(double days);

/// Why a run cannot be what redtune measured: texts that are no names, impossible numbers, times
/// that are none or to come. Empty when nothing speaks against it. Whether its configs are valid is
/// for their family to say.
[[nodiscard]] std::string why_unfit(const SharedRun& run);
/// Likewise of a border.
[[nodiscard]] std::string why_unfit(const StoredBorder& border);

}  // namespace redtune::cache
