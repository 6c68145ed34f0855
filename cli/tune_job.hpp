// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What redtune tune is asked to do, and where it keeps what it finds.
#pragma once

#include <cstdint>
#include <string>

#include "cache/store/store.hpp"
#include "cli/command.hpp"
#include "cli/names.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/problem.hpp"
#include "search/budget.hpp"
#include "tuner/measure/peak.hpp"
#include "tuner/worker/device_frame.hpp"

namespace redtune::cli {

/// The store; where it cannot be written, what is known of it in memory, and the reason.
struct OpenStore {
  cache::Store store;
  std::string problem;
};

[[nodiscard]] OpenStore open_store(const std::string& option);

/// Everything one run needs, from the options.
struct Job {
  Problem problem;
  const kernels::Family* family = nullptr;
  cache::RunStart start;
  search::Budget budget;
  int jobs = 1;
  Probe probe;

  [[nodiscard]] std::int64_t cache_bytes() const {
    return start.device.device_class.last_level_cache_bytes;
  }
  [[nodiscard]] BenchOrder order() const {
    return {std::string(family->name()), problem, start.seed};
  }
  [[nodiscard]] Peak peak() const { return peak_for(problem, peaks_of(probe), cache_bytes()); }
};

/// Throws UsageError for what cannot be done on any device, before one is touched.
[[nodiscard]] Job job_of(const Options& options);

}  // namespace redtune::cli
