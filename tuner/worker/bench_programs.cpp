// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/worker/bench_programs.hpp"

#include "kernel_templates/description/described_family.hpp"
#include "kernel_templates/probe/checksum.hpp"
#include "kernel_templates/probe/compare.hpp"
#include "kernel_templates/probe/fill.hpp"
#include "kernel_templates/probe/pace.hpp"
#include "kernel_templates/probe/surroundings.hpp"
#include "tuner/measure/input_filler.hpp"
#include "tuner/measure/surroundings.hpp"
#include "tuner/own_kernel/caretaker.hpp"
#include "tuner/verify/device_comparison.hpp"

namespace redtune::tuner {

std::vector<ConfigProgram> bench_programs(const Problem& problem, std::uint64_t seed,
                                          const Limits& limits) {
  std::vector<ConfigProgram> programs{{kernels::surroundings_text(), surrounding_units(limits), {}},
                                      {kernels::pace_text(), {{kernels::pace_name(limits)}}, {}}};
  const bool is_reduction = problem.op != Op::kernel;
  if (is_reduction && input_bytes(problem) >= least_filled_bytes) {
    const Recipe recipe = recipe_of(problem, seed);
    programs.push_back(
        {kernels::fill_text(), {{kernels::fill_name(recipe.type, recipe.pattern, limits)}}, {}});
  }
  const bool is_known_to_host = is_reduction && problem.op != Op::custom;
  if (is_known_to_host && results_of(problem) >= least_compared_results) {
    programs.push_back({kernels::compare_text(), {ComparisonKernel::unit(problem, limits)}, {}});
  }
  if (const auto* described = kernels::as_described(kernels::family_of(problem))) {
    const auto types = types_of_outputs(described->description());
    programs.push_back({kernels::checksum_text(), {Caretaker::unit(types, limits)}, {}});
  }
  return programs;
}

}  // namespace redtune::tuner
