// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// tune --record: the trials of a run as a file.
#pragma once

#include <cstddef>
#include <string>

#include "cli/names.hpp"
#include "tuner/tuner.hpp"

namespace redtune::cli {

/// Of --record: all trials of a run as a packed T4 file, for redtune simulate and others.
struct Recording {
  std::string file;        ///< beside the run's log, named like it
  std::size_t trials = 0;  ///< those of earlier sessions of the run, too
  std::string problem;     ///< why it was not written; empty: it was
};

/// Of each config the last trial that the run's search has of it.
[[nodiscard]] Recording write_recording(const cache::Store& store, const Tuned& tuned);

}  // namespace redtune::cli
