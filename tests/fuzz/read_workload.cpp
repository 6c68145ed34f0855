// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Workloads in TOML, and the lists and ranges in them.
#include "redtune/error.hpp"
#include "search/budget.hpp"
#include "tests/fuzz/targets.hpp"
#include "tuner/workload/workload_file.hpp"

namespace redtune::fuzz {

void read_workload(std::string_view bytes) {
  try {
    const tuner::Workload workload = tuner::workload_from_toml(bytes, "w.toml");
    promise(!workload.items.empty(), "a workload has problems");
    for (const tuner::WorkloadItem& item : workload.items) {
      promise(item.problem.count >= 0, "a count is not negative");
      if (!item.budget.empty()) (void)search::parse_budget(item.budget);
    }
  } catch (const UsageError& error) {
    const std::string_view why = error.what();
    promise(why.starts_with("w.toml:"), "a refusal says where");
    promise(why.find('\n') == std::string_view::npos, "a refusal is one line");
  }
}

std::vector<std::string> workload_samples() {
  return {
      "budget = \"64,20s\"\n[[problem]]\nop = \"sum,mean\"\ntype = [\"f32\", \"bf16\"]\n"
      "count = [\"2^10..2^28:4\", 1000000]\n",
      "[[problem]]\nop = 'sum'\ntype = 'f16'\ncount = 4096\nacc = 'f64'\nout = 'f32'\n"
      "order = 'any'\ncache_mode = 'warm'\nbudget = '500ms'\n",
      "problem = [{op = 'bit_or', type = 'f32,i32', count = '1..4'}]\n",
      "[[problem]]\nop = 'max'\ntype = 'f32'\nshape = ['4096x2..64:4', '3x5']\naxis = [-1]\n"
      "strides = '8192,1'\n",
      "[[problem]]\nop = 'sum'\ntype = 'bf16'\nrow_lengths = [1000, '2^1..2^16']\ntotal = '2^28'\n",
      "[[problem]]\nop = 'smu'\n"};
}

}  // namespace redtune::fuzz
