// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/workload/standard_set.hpp"

#include <array>
#include <fmt/format.h>

namespace redtune::tuner {
namespace {

using enum CacheMode;

// Cold is what programs ask for that say nothing else; warm, small sums that another kernel wrote
// just before. Where one count stands for others, an answer serves those between.
constexpr std::array gpu_rows{
    StandardRow{"sum", "f32", "2^8..2^30", cold},
    StandardRow{"sum", "f32", "2^10..2^22:4", warm},
    StandardRow{"sum", "f16,bf16", "2^10..2^30:4", cold},
    StandardRow{"sum", "f64", "2^10..2^28:4", cold},
    StandardRow{"sum", "i32,i64,u8", "2^12..2^28:16", cold},
    StandardRow{"mean", "f32", "2^10..2^28:4", cold},
    StandardRow{"mean", "f16,bf16", "2^12..2^28:16", cold},
    StandardRow{"min,max", "f32", "2^10..2^28:4", cold},
    StandardRow{"min,max", "i32", "2^12..2^28:16", cold},
    StandardRow{"max", "f16,bf16", "2^12..2^28:16", cold},
    StandardRow{"argmax", "f32", "2^10..2^28:4", cold},
    StandardRow{"argmax", "f16,bf16", "2^12..2^28:16", cold},
    StandardRow{"argmin", "f32", "2^12..2^28:16", cold},
    StandardRow{"l2_norm", "f32", "2^10..2^28:4", cold},
    StandardRow{"l2_norm", "f16,bf16", "2^12..2^28:16", cold},
    StandardRow{"sum_of_squares", "f32", "2^12..2^28:16", cold},
    StandardRow{"abs_max", "f32,f16,bf16", "2^12..2^28:16", cold},
    StandardRow{"product", "f32", "2^12..2^28:16", cold},
    StandardRow{"count_nonzero", "u8,i32", "2^12..2^28:16", cold},
    StandardRow{"any,all", "u8", "2^12..2^28:16", cold},
};

constexpr std::array host_rows{
    StandardRow{"sum", "f32", "2^12..2^24:16", cold},
    StandardRow{"sum", "f64,i32", "2^16,2^22", cold},
    StandardRow{"mean,l2_norm", "f32", "2^20", cold},
    StandardRow{"min,max", "f32", "2^16,2^22", cold},
    StandardRow{"argmax", "f32", "2^20", cold},
    StandardRow{"count_nonzero", "u8", "2^20", cold},
};

constexpr StandardTable gpu_table{"GPUs", "", gpu_rows};
constexpr StandardTable host_table{"the host", "64,10s", host_rows};

/// Others use the device, too, and cold measurements hold two copies of an input at least.
constexpr std::int64_t parts_of_memory = 4;

}  // namespace

const StandardTable& standard_table(std::string_view platform) {
  return platform == "host" ? host_table : gpu_table;
}

ListedProblems problems_of(const StandardRow& row) {
  ProblemLists lists{.ops = {},
                     .types = parse_dtypes(row.types),
                     .counts = parse_counts(row.counts),
                     .choices = {.cache_mode = row.cache_mode}};
  for (const Op op : parse_ops(row.ops)) lists.ops.emplace_back(op);
  return problems_of(lists);
}

Workload standard_set(const DeviceClass& device_class) {
  const StandardTable& table = standard_table(device_class.platform);
  Workload workload{.name = fmt::format("the standard set of {}", table.name), .items = {}};
  const auto most_bytes = static_cast<std::size_t>(device_class.memory_bytes / parts_of_memory);
  for (const StandardRow& row : table.rows) {
    for (const Problem& problem : problems_of(row).problems) {
      if (input_bytes(problem) > most_bytes) continue;
      workload.items.push_back({problem, std::string(table.budget)});
    }
  }
  return workload;
}

}  // namespace redtune::tuner
