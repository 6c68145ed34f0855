// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/handover_stress/cases.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "kernel_templates/family/config_axes.hpp"
#include "kernel_templates/reduce/rules.hpp"
#include "redtune/error.hpp"

namespace redtune::bench {
namespace {

using kernels::Finish;
using kernels::ReduceConfig;
using kernels::SlotReader;
using kernels::SlotWait;

struct Plan {
  Op op;
  DType type;
  int log2_count;
  Extent extent;
};
constexpr std::array plans{
    Plan{Op::sum, DType::f32, 16, Extent::every_way},     // one word
    Plan{Op::sum, DType::f64, 16, Extent::some_ways},     // two
    Plan{Op::sum, DType::i64, 16, Extent::some_ways},     // two
    Plan{Op::argmin, DType::f32, 16, Extent::some_ways},  // two, one of which is an index
    Plan{Op::argmin, DType::f64, 16, Extent::some_ways},  // three
    Plan{Op::sum, DType::u8, 18, Extent::some_ways},      // counted as well
    Plan{Op::sum, DType::f32, 22, Extent::crowded},
    Plan{Op::argmin, DType::f64, 22, Extent::crowded},
    Plan{Op::sum, DType::u8, 22, Extent::crowded},
};

/// A tile for each block; few blocks; one for each compute unit.
constexpr ReduceConfig many_blocks{
    .block_size = 64, .items_per_thread = 4, .vector_width = 2, .blocks_per_unit = 0};
constexpr ReduceConfig few_blocks{
    .block_size = 512, .items_per_thread = 16, .vector_width = 2, .blocks_per_unit = 0};
constexpr ReduceConfig block_a_unit{
    .block_size = 128, .items_per_thread = 2, .vector_width = 2, .blocks_per_unit = 1};
/// No unit of any GPU has places for more than 2048 threads.
constexpr ReduceConfig crowd{
    .block_size = 1024, .items_per_thread = 1, .vector_width = 1, .blocks_per_unit = 16};

struct Reading {
  int stride;
  SlotReader reader;
  SlotWait wait;
};
/// Each stride with each reader, each wait with each reader.
constexpr std::array readings{
    Reading{8, SlotReader::wave, SlotWait::all},
    Reading{128, SlotReader::block, SlotWait::all},
    Reading{32, SlotReader::wave, SlotWait::missing},
    Reading{8, SlotReader::block, SlotWait::missing},
    Reading{128, SlotReader::wave, SlotWait::missing},
    Reading{32, SlotReader::block, SlotWait::all},
};

ReduceConfig in_slots(ReduceConfig shape, const Reading& reading) {
  shape.finish = Finish::slots;
  shape.slot_stride = reading.stride;
  shape.slot_reader = reading.reader;
  shape.slot_wait = reading.wait;
  return shape;
}

ReduceConfig counted(ReduceConfig shape) {
  shape.finish = Finish::counted;
  return shape;
}

ReduceConfig early(ReduceConfig config) {
  config.early_start = kernels::Early::on;
  return config;
}

std::vector<ReduceConfig> counted_ways() {
  return {counted(many_blocks), counted(few_blocks), counted(block_a_unit),
          early(counted(many_blocks))};
}

std::vector<ReduceConfig> configs_of(Extent extent) {
  if (extent == Extent::crowded) return {in_slots(crowd, readings[3]), counted(crowd)};
  std::vector<ReduceConfig> configs = counted_ways();
  if (extent == Extent::some_ways) {
    configs.push_back(in_slots(many_blocks, readings[0]));
    configs.push_back(in_slots(block_a_unit, readings[1]));
    return configs;
  }
  for (const Reading& reading : readings) configs.push_back(in_slots(many_blocks, reading));
  configs.push_back(in_slots(few_blocks, readings[0]));
  configs.push_back(in_slots(block_a_unit, readings[1]));
  configs.push_back(early(in_slots(many_blocks, readings[0])));
  return configs;
}

std::string why_not(const ReduceConfig& config, const Problem& problem, const Limits& limits) {
  std::string why = kernels::why_unbuildable(config, problem, limits);
  return why.empty() ? kernels::why_not_early(config, limits) : why;
}

StressCase case_of(const ReduceConfig& config, const Problem& problem, const Limits& limits) {
  return {problem, kernels::settings_of(config), kernels::grid_of(config, problem, limits)};
}

std::vector<StressCase> named_cases(const StressOptions& options, const Limits& limits) {
  std::vector<StressCase> cases;
  for (const Settings& settings : options.settings) {
    ReduceConfig config;
    for (const Setting& setting : settings) kernels::apply(config, setting);
    const std::string why = why_not(config, *options.problem, limits);
    if (!why.empty()) throw UsageError(fmt::format("{}: {}", to_string(settings), why));
    cases.push_back(case_of(config, *options.problem, limits));
  }
  return cases;
}

}  // namespace

std::vector<StressCase> cases_of(const Problem& problem, Extent extent, const Limits& limits) {
  std::vector<StressCase> cases;
  for (const ReduceConfig& config : configs_of(extent)) {
    if (!why_not(config, problem, limits).empty()) continue;
    StressCase one = case_of(config, problem, limits);
    if (one.blocks > 1) cases.push_back(std::move(one));
  }
  return cases;
}

std::vector<StressCase> cases_of(const StressOptions& options, const Limits& limits) {
  std::vector<StressCase> cases;
  if (!options.settings.empty()) {
    cases = named_cases(options, limits);
  } else if (options.problem) {
    cases = cases_of(*options.problem, Extent::every_way, limits);
  } else {
    for (const Plan& plan : plans) {
      const Problem problem =
          make_problem(plan.op, plan.type, std::int64_t{1} << plan.log2_count, CacheMode::warm);
      std::ranges::move(cases_of(problem, plan.extent, limits), std::back_inserter(cases));
    }
  }
  if (cases.empty()) {
    throw UsageError("one block does it all, and hands nothing over: ask for more elements");
  }
  return cases;
}

}  // namespace redtune::bench
