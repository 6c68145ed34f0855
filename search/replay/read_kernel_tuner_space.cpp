// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The cache files of Kernel Tuner: an object of configurations, each with its values and times.
#include <fmt/format.h>

#include "redtune/error.hpp"
#include "search/replay/space_parts.hpp"

namespace redtune::search {
namespace {

Record record_from(const SpaceJson& entry, const std::string& objective, const std::string& which) {
  Record record{.cost = cost_of(member(entry, objective), which),
                .launches = launches_of(member(entry, "times"))};
  const SpaceJson& benchmark = member(entry, "benchmark_time");
  record.seconds = seconds_of(member(entry, "compile_time"), record.launches,
                              benchmark.is_number() ? benchmark : member(entry, "framework_time"));
  return record;
}

}  // namespace

bool is_kernel_tuner_space(const SpaceJson& document) {
  return member(document, "tune_params").is_object() && member(document, "cache").is_object();
}

RawSpace read_kernel_tuner_space(const SpaceJson& document) {
  RawSpace space{names_of(member(document, "tune_params")), {}};
  std::string objective = text_in(document, "objective");
  if (objective.empty()) objective = "time";
  require_minimised(objective);
  for (const auto& entry : member(document, "cache").items()) {
    const std::string which = fmt::format("configuration {}", shown(entry.key()));
    space.configs.push_back({values_of(entry.value(), space.names, which),
                             record_from(entry.value(), objective, which)});
  }
  return space;
}

}  // namespace redtune::search
