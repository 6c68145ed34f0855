// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a run-time compiler is asked for of an example of a user's kernel.
#pragma once

#include "device/compiler.hpp"
#include "kernel_templates/description/kernel_plan.hpp"
#include "kernel_templates/description/kernel_text.hpp"
#include "kernel_templates/description/read_description.hpp"
#include "tests/support/own_kernel_examples.hpp"

namespace redtune::checks {

/// The default and two others: those whose tunables have their first, and their last, values.
[[nodiscard]] inline std::vector<device::CompileRequest> own_kernel_requests(
    const std::string& name, const std::string& arch, const Limits& limits) {
  const auto description = kernels::read_description(own_kernel_folder + name);
  const auto sizes = kernels::problems_of(description).front();
  const search::Space space = kernels::space_of(description, sizes, limits);
  const std::string text = kernels::text_with_includes(description.text_file);
  std::vector<device::CompileRequest> requests;
  for (const search::Point& config :
       {kernels::default_config(description), space[0], space[space.size() - 1]}) {
    const kernels::KernelPlan plan = kernels::plan_kernel(description, config, sizes, limits);
    device::CompileRequest request{
        kernels::program_of(description, text, config, kernels::KernelWords::known, limits),
        {},
        arch};
    for (const auto& launch : plan.launches) request.name_expressions.push_back(launch.kernel);
    for (const auto& launch : plan.references) request.name_expressions.push_back(launch.kernel);
    requests.push_back(std::move(request));
  }
  return requests;
}

}  // namespace redtune::checks
