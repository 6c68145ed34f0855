// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Tunes by the real program, each in empty folders of its own, as on a machine that has never tuned
// anything. Nothing here opens a device: the program must have it to itself.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/agreement/options.hpp"
#include "redtune/interval.hpp"
#include "redtune/settings.hpp"

namespace redtune::bench {

/// What a tune chose, and what it told of it.
struct Tune {
  std::uint64_t seed = 0;
  double seconds = 0;      ///< from the program's start to its end
  std::string device;      ///< its name
  Settings settings;       ///< of the winner
  std::string reason;      ///< "winner" or "no significant gain"
  Interval told_us;        ///< the time that was stored with it
  std::string went_wrong;  ///< one line; empty: nothing, else the rest means nothing
};

/// "sum-f32-262144-warm": a name for files.
[[nodiscard]] std::string file_name_of(const Problem& problem);

/// The words of a tune's command, without the program and the place of its results.
[[nodiscard]] std::vector<std::string> words_of(const AgreementOptions& options,
                                                const Problem& problem, std::uint64_t seed);

/// Tunes of all seeds of a problem, in turn, in a folder. Those that are kept there are not made
/// again; one that failed is. stop: a descriptor that ends it once it is readable. Throws
/// UsageError where the folder has a tune by another command, or, with Steps::time, none.
[[nodiscard]] std::vector<Tune> tunes_of(const AgreementOptions& options, const Problem& problem,
                                         const std::filesystem::path& folder, int stop);

}  // namespace redtune::bench
