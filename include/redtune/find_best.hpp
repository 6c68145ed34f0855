// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Query only: the best configuration known for a problem on a device, for those who launch their
// own kernels and for those who want to know what Reducer would use.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "redtune/device_identity.hpp"
#include "redtune/export.hpp"
#include "redtune/interval.hpp"
#include "redtune/match.hpp"
#include "redtune/problem.hpp"
#include "redtune/settings.hpp"

namespace redtune {

struct LookupOptions {
  /// A results file instead of the user's and the site's; empty: $REDTUNE_CACHE, else those.
  std::string cache_file = {};
  /// The worst answer the caller accepts; a worse one is an UnmetMatch.
  Match minimum = Match::fallback;
  /// "sha256:..." of a snapshot that answers alone, as `redtune cache pin` prints it; empty:
  /// $REDTUNE_SNAPSHOT, else whatever is the present one. Where it cannot be used, an IoError.
  std::string snapshot = {};
  /// What nobody tuned, a prediction or a default, is an UnmetMatch: as a minimum of Match::near.
  /// Also by REDTUNE_STRICT=on.
  bool strict = false;
};

/// A configuration and how it was found.
struct Answer {
  Problem problem;
  std::string family;  ///< the kernel template the settings belong to
  Settings settings;   ///< always valid on the device it was asked for
  Match match = Match::fallback;
  std::string source;       ///< file the answer comes from; empty for the built-in default
  std::string explanation;  ///< one line: why this match and not a better one
  std::optional<Interval> time_us = {};  ///< as measured when tuned; near: for that count
  std::optional<Interval> gain = {};     ///< the default's time / this, paired, in the same rounds
  std::string tuned_at = {};             ///< UTC, ISO 8601
};

/// "value" of a setting by its name, e.g. value_of(answer.settings, "block_size") == "256". Throws
/// UsageError that lists the names.
[[nodiscard]] REDTUNE_API std::string value_of(const Settings& settings, std::string_view name);

/// What this machine's device is. device: "auto" (first usable GPU, else the host), "host",
/// "hip:0". Throws UsageError for an unknown name, DeviceError when the device cannot be used.
[[nodiscard]] REDTUNE_API DeviceIdentity identify_device(std::string_view device = "auto");

/// Always answers: with the family's default where nothing is known. Needs no device, only its
/// identity. Never tunes, never compiles, opens no database. Throws UnmetMatch and IoError, see
/// LookupOptions, and UsageError where these or the environment cannot be understood.
[[nodiscard]] REDTUNE_API Answer find_best(const Problem& problem, const DeviceIdentity& device,
                                           const LookupOptions& options = {});

}  // namespace redtune
