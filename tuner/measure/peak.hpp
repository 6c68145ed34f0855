// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Which of a device's peaks a problem is to be compared with. In GB/s, 1e9 bytes a second.
#pragma once

#include <cstdint>
#include <string>

#include "cache/keys/records.hpp"
#include "redtune/problem.hpp"
#include "tuner/measure/probe.hpp"

namespace redtune::tuner {

struct Peak {
  double gbps = 0;  ///< measured; 0: unknown
  std::string of;   ///< where the bytes come from, for people: "memory" or "cache"
};

/// The peak of where a problem's input lies: in the last-level cache when it fits and is warm, else
/// in memory.
[[nodiscard]] Peak peak_for(const Problem& problem, const cache::ReadPeaks& peaks,
                            std::int64_t cache_bytes);

/// What of a probe is worth keeping.
[[nodiscard]] cache::ReadPeaks peaks_of(const Probe& probe);

/// As a share of a peak, for people: "87 % of the 4321 GB/s this device reads from memory".
[[nodiscard]] std::string share_text(double gbps, const Peak& peak);

/// "12.34"; "-" for 0: of a user's kernel nobody may have said what it moves.
[[nodiscard]] std::string speed_text(double gbps);

/// No more than this can be read while a problem is measured: the peak of memory where the input is
/// too large for caches to help, else the larger peak. 0: nobody knows. Also 0 where a device's
/// times are those of the host's clock: they are true, and only its speed may have changed.
[[nodiscard]] double most_gbps(const Problem& problem, const Probe& probe,
                               std::int64_t cache_bytes);

}  // namespace redtune::tuner
