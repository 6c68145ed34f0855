// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernels that compare results, for every type that results have.
#pragma once

#include <string>
#include <vector>

#include "kernel_templates/probe/compare.hpp"

namespace redtune::checks {

[[nodiscard]] inline std::vector<std::string> compare_names(const Limits& limits) {
  std::vector<std::string> names;
  for (const DTypeInfo& type : all_dtypes()) {
    for (const Op op : {Op::max, Op::argmax}) {
      names.push_back(kernels::compare_same_name(make_problem(op, type.dtype, 1), limits));
    }
    if (type.kind != DTypeKind::floating) continue;
    const Problem sum = make_problem(Op::sum, type.dtype, 1, ProblemChoices{.out = type.dtype});
    names.push_back(kernels::compare_near_name(sum, limits));
  }
  return names;
}

}  // namespace redtune::checks
