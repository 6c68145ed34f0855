// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What travels between stores: runs with what they tried and published. Process, host name and
// command line stay at home.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cache/keys/records.hpp"

namespace redtune::cache {

struct StoredTrial {
  Trial trial;
  std::string at{};  ///< when it was recorded, UTC, ISO 8601; empty: not known

  bool operator==(const StoredTrial&) const = default;
};

struct SharedResult {
  std::string at{};  ///< when it was published
  Best best;
  /// Not empty: it is kept where it arrives, revoked for this reason, and answers nobody there.
  /// Does not travel.
  std::string revoked_because{};

  bool operator==(const SharedResult&) const = default;
};

/// A run and, of these, what is to travel. Two runs of the same question, strategy, seed and start
/// are one.
struct SharedRun {
  RunStart start;
  RunState state = RunState::done;
  std::string started_at{};
  std::string finished_at{};
  std::string note{};
  std::optional<ReadPeaks> peaks{};
  std::vector<StoredTrial> trials{};
  std::vector<SharedResult> results{};  ///< oldest first
};

/// What became of runs that came from elsewhere.
struct Adopted {
  std::size_t runs = 0;     ///< that were not known
  std::size_t trials = 0;   ///< likewise
  std::size_t results = 0;  ///< likewise, and newer than what was known
  std::size_t known = 0;    ///< results that are here already, revoked or not
  std::size_t older = 0;    ///< results than which a newer one is here
  std::size_t borders = 0;  ///< that were not known
  std::size_t refused = 0;  ///< results that claim to be of a run of this store's own
  std::size_t revoked = 0;  ///< results that were taken over as revoked

  bool operator==(const Adopted&) const = default;
  Adopted& operator+=(const Adopted& more) {
    runs += more.runs;
    trials += more.trials;
    results += more.results;
    known += more.known;
    older += more.older;
    borders += more.borders;
    refused += more.refused;
    revoked += more.revoked;
    return *this;
  }
};

}  // namespace redtune::cache
