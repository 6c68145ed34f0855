// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What goes to a fleet store from this machine's own, and what comes from there.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "cache/keys/shared_run.hpp"
#include "cli/command.hpp"
#include "fleet/signing.hpp"
#include "fleet/store.hpp"

namespace redtune::cli {

/// Throws IoError where this machine's clock and the database's are too far apart: what was
/// measured by a wrong clock would be old, or to come, for everybody else.
void check_clock(fleet::FleetStore& fleet);

struct Pushed {
  std::size_t results = 0;  ///< that were not there
  std::size_t borders = 0;  ///< likewise
  std::size_t runs = 0;     ///< likewise, with their trials
  std::size_t known = 0;    ///< documents that were there
  std::size_t wanted = 0;   ///< questions that are asked
  std::size_t asked = 0;    ///< of them, those that nobody has asked before
};

/// Results, trials and questions of the store that the options name. What a push that broke off
/// has sent is not sent again.
Pushed push_to(fleet::FleetStore& fleet, const Options& options, const fleet::SigningKey* key);

struct PulledAll {
  cache::Adopted adopted{};
  std::size_t entries = 0;        ///< that were read
  std::size_t unsigned_ones = 0;  ///< left out: nobody who is believed has signed them
  std::size_t forged = 0;         ///< left out: torn, or their signature is not theirs
  std::size_t left_out = 0;       ///< for other reasons
  std::size_t revoked = 0;        ///< results that answer no more
  bool is_published = true;       ///< applications see it
  bool is_anew = false;
};

PulledAll pull_from(fleet::FleetStore& fleet, const Options& options);

}  // namespace redtune::cli
