// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/launch_overhead/results.hpp"

#include "cache/store/store.hpp"
#include "kernel_templates/family/family.hpp"
#include "runtime/space_key.hpp"

namespace redtune::bench {

LookupOptions publish(const std::filesystem::path& file, const DeviceIdentity& device,
                      const std::vector<std::pair<Problem, Settings>>& tuned) {
  cache::Store store = cache::Store::open(file);
  for (const auto& [problem, chosen] : tuned) {
    const kernels::Family& family = kernels::family_of(problem);
    const auto run = store.begin({.family = std::string(family.name()),
                                  .space_key = runtime::space_key(family),
                                  .problem = problem,
                                  .device = device});
    store.publish(run, {.settings = chosen,
                        .time_us = {1, 1, 1},
                        .default_us = 1,
                        .gigabytes_per_second = 1,
                        .reason = "winner"});
  }
  return {.cache_file = file.string()};
}

LookupOptions publish(const std::filesystem::path& file, const Problem& problem,
                      const DeviceIdentity& device,
                      const std::map<std::int64_t, Settings>& settings) {
  std::vector<std::pair<Problem, Settings>> tuned;
  for (const auto& [count, chosen] : settings) {
    tuned.emplace_back(problem, chosen);
    tuned.back().first.count = count;
  }
  return publish(file, device, tuned);
}

}  // namespace redtune::bench
