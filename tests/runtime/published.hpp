// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Results files as the tuner would leave them, each in a folder of its own.
#pragma once

#include <string>

#include "cache/files/paths.hpp"
#include "cache/store/store.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/find_best.hpp"
#include "runtime/space_key.hpp"
#include "tests/cache/samples.hpp"

namespace redtune::testing_runtime {

/// Runs on the host, and differs from every default.
inline Settings unusual_settings() {
  return parse_settings(
      "finish=second_pass block_size=8 items_per_thread=4 vector_width=2 blocks_per_unit=2 "
      "tile_order=chunked load=cached fence=full cluster_size=1 early_start=off "
      "slot_stride=8 slot_reader=wave slot_wait=all exact_tiles=off");
}

/// Stores a result of a run.
inline void publish_result(const std::filesystem::path& file, const cache::RunStart& start,
                           const Settings& settings) {
  cache::Store store = cache::Store::open(file);
  cache::Best best = cache::testing::sample_best();
  best.settings = settings;
  store.publish(store.begin(start), best);
}

/// Stores a result as `redtune tune` does.
inline void publish_result(const std::filesystem::path& file, const Problem& problem,
                           const DeviceIdentity& device, const Settings& settings) {
  const kernels::Family& family = kernels::family_of(problem);
  publish_result(file,
                 {.family = std::string(family.name()),
                  .space_key = runtime::space_key(family),
                  .problem = problem,
                  .device = device},
                 settings);
}

/// A results file that vanishes with its folder. It does not exist until something is published.
class ResultsFile {
 public:
  /// As `redtune tune` stores it.
  void publish(const Problem& problem, const DeviceIdentity& device, const Settings& settings) {
    publish_result(path(), problem, device, settings);
  }
  /// As a version of redtune with other kernels stored it.
  void publish_older(const Problem& problem, const DeviceIdentity& device,
                     const Settings& settings) {
    publish_result(path(),
                   {.family = std::string(kernels::family_of(problem).name()),
                    .space_key = "of another version",
                    .problem = problem,
                    .device = device},
                   settings);
  }
  [[nodiscard]] std::string path() const { return (folder_ / "results.db").string(); }
  [[nodiscard]] std::string snapshot() const { return cache::snapshot_of(path()).string(); }
  [[nodiscard]] LookupOptions options(Match minimum = Match::fallback) const {
    return {.cache_file = path(), .minimum = minimum};
  }

 private:
  cache::testing::ScratchFolder folder_;
};

}  // namespace redtune::testing_runtime
