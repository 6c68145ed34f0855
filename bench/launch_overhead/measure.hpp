// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a launch and a construction cost on a device, beside what the driver takes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace redtune::bench {

/// A device as --device names it; "null" for the one that does nothing.
struct Target {
  std::string device;    ///< as Reducer takes it
  std::string platform;  ///< whose driver is called bare
};

struct Nanoseconds {
  double median = 0;
  double low = 0;  ///< of nine tenths of the rounds
  double high = 0;
};

/// One reduction of few elements, launched in turns.
struct LaunchCost {
  std::string settings;
  int kernels = 1;
  std::optional<Nanoseconds> bare;        ///< the driver's calls alone; nothing where none is known
  Nanoseconds reducer;                    ///< Reducer::launch in a workspace that the caller made
  std::optional<Nanoseconds> above_bare;  ///< round by round
};

struct ConstructionCost {
  std::size_t classes = 0;  ///< with a config of their own
  double compiled_ms = 0;   ///< the first, which compiles
  double from_disk_ms = 0;  ///< median of those that find everything compiled
  double open_ms = 0;       ///< of these, to open the device
};

[[nodiscard]] std::vector<LaunchCost> measure_launches(const Target& target,
                                                       const std::filesystem::path& folder);
/// Of a Reducer with ten size classes that were tuned, each with another config.
[[nodiscard]] ConstructionCost measure_construction(const Target& target,
                                                    const std::filesystem::path& folder);

}  // namespace redtune::bench
