// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/reduce/planner.hpp"

#include "kernel_templates/reduce/rules.hpp"

namespace redtune::kernels {
namespace {

KernelCall reduce_call(const ReduceConfig& config) {
  return {.kernel = 0,
          .grid = 1,
          .block = config.block_size,
          .arguments = {Argument::in, Argument::count, Argument::out,
                        hands_over_words(config.finish) ? Argument::slots : Argument::partials,
                        Argument::counter, Argument::run}};
}

KernelCall second_call(const ReduceConfig& config, const Problem& problem) {
  KernelCall call{.kernel = 1, .grid = 1, .block = config.block_size};
  if (info(problem.op).shape == ResultShape::indexed) {
    call.arguments = {Argument::in, Argument::count, Argument::out, Argument::partials,
                      Argument::partial_count};
  } else {
    call.arguments = {Argument::partials, Argument::partial_count, Argument::out, Argument::count};
  }
  return call;
}

KernelCalls calls_of(const ReduceConfig& config, const Problem& problem, int wave_size) {
  KernelCalls calls;
  if (config.finish == Finish::atomic) {
    calls.push_back({.kernel = 1, .grid = 1, .block = wave_size, .arguments = {Argument::out}});
  }
  calls.push_back(reduce_call(config));
  if (config.finish == Finish::second_pass) calls.push_back(second_call(config, problem));
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const bool is_early =
        config.early_start == Early::on || (config.early_start == Early::second && i == 1);
    if (is_early) calls[i].start = CallStart::early;
  }
  return calls;
}

}  // namespace

ReducePlanner::ReducePlanner(const ReduceConfig& config, const Problem& problem,
                             const Limits& limits)
    : Planner(calls_of(config, problem, limits.wave_size), grid_rule_of(config, limits),
              slot_rule_of(config, problem), limits.compute_units),
      config_(config),
      problem_(problem),
      limits_(limits) {}

std::int64_t ReducePlanner::longest_chain(std::int64_t count) const {
  Problem problem = problem_;
  problem.count = count;
  return kernels::longest_chain(config_, problem, limits_);
}

}  // namespace redtune::kernels
