// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Times of other libraries, from the documents that compare_cub and compare_rocprim write. Anybody
// may have written them: what is no such document is refused, what is not understood in one is left
// out.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/names.hpp"

namespace redtune::cli {

struct PeerTime {
  Problem problem;
  double time_us = 0;
  double redtune_us = 0;  ///< of redtune in the same rounds; 0: not there
  double gbps = 0;
};

struct PeerTimes {
  std::string file;
  std::string device;   ///< its marketing name
  std::string library;  ///< "cub" or "rocprim"
  std::string mode;     ///< how all of them were timed: "between", "behind", "stream" or "row"
  std::vector<PeerTime> times;
};

/// Throws UsageError for a file that cannot be read or is no such document.
[[nodiscard]] PeerTimes read_peers(const std::string& file);

/// Of this problem, where it was compared on such a device; null: it was not.
[[nodiscard]] const PeerTime* peer_of(const PeerTimes& peers, const std::string& device,
                                      const Problem& problem);

}  // namespace redtune::cli
