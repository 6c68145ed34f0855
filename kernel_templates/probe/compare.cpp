// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/probe/compare.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "kernel_templates/text/device_names.hpp"
#include "kernel_templates/text/device_text.hpp"

namespace redtune::kernels {

const std::string& compare_text() {
  static const std::string text = program_text("compare.hip.h");
  return text;
}

std::string compare_same_name(const Problem& problem, const Limits& limits) {
  std::string result(device_type(problem.out));
  if (info(problem.op).shape == ResultShape::indexed) {
    result = fmt::format("redtune::indexed_value<{}>", result);
  }
  return fmt::format("redtune::compare_same<{}, {}>", result, compare_block(limits));
}

std::string compare_near_name(const Problem& problem, const Limits& limits) {
  return fmt::format("redtune::compare_near<{}, {}>", device_type(problem.out),
                     compare_block(limits));
}

int compare_block(const Limits& limits) {
  // Where lanes run one after another a block of more only costs.
  return limits.min_block_size == 1 ? 1
                                    : std::clamp(256, limits.min_block_size, limits.max_block_size);
}

std::int64_t compare_grid(std::int64_t results, const Limits& limits) {
  const std::int64_t wanted = std::min(std::int64_t{8} * limits.compute_units, limits.max_grid);
  return std::clamp<std::int64_t>(results / compare_block(limits), 1, wanted);
}

}  // namespace redtune::kernels
