// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/workload/standard_set.hpp"

#include <array>
#include <fmt/format.h>

#include "redtune/reduce_axes.hpp"
#include "tuner/workload/lists.hpp"

namespace redtune::tuner {
namespace {

using enum CacheMode;

using View = std::string_view;

constexpr StandardRow whole(View ops, View types, View counts, CacheMode mode = cold) {
  return {ops, types, counts, {}, {}, {}, {}, mode};
}
constexpr StandardRow rows(View ops, View types, View lengths, View total) {
  return {ops, types, {}, lengths, total, {}, {}, cold};
}
constexpr StandardRow axis(View ops, View types, View arrays, View reduced) {
  return {ops, types, {}, {}, {}, arrays, reduced, cold};
}
constexpr StandardRow segments(View ops, View types, View counts, View many) {
  return {ops, types, counts, {}, {}, {}, {}, cold, many};
}
constexpr StandardRow zipf_segments(View ops, View types, View counts, View many) {
  StandardRow row = segments(ops, types, counts, many);
  row.skew = Skew::zipf;
  return row;
}

// Cold is what programs ask for that say nothing else; warm, small sums that another kernel wrote
// just before. Counts between are answered by winners and, where these are far, by predictions; an
// operator that is like another, as mean is like sum, by that one's: docs/decisions/0111. Why these
// rows and columns: docs/decisions/0058.
constexpr std::array gpu_rows{
    whole("sum", "f32", "2^8..2^30"),
    whole("sum", "f32", "2^10..2^22:4", warm),
    whole("sum", "f16,bf16", "2^10..2^30:4"),
    whole("sum", "f64", "2^10..2^28:4"),
    whole("sum", "f16", "2^11..2^19:4"),
    whole("sum", "i32", "2^8..2^28:4"),
    whole("sum", "i64", "2^8,2^12..2^28:16"),
    whole("sum", "u8", "2^12..2^28"),
    whole("min", "f16", "2^10..2^28"),
    whole("max", "f32", "2^10..2^28:4"),
    whole("max", "bf16", "2^12..2^28:16"),
    whole("max", "i32", "2^12..2^28:256"),
    whole("argmax", "f32", "2^10..2^28:4"),
    whole("argmax", "f32", "2^11..2^19:4"),
    whole("argmax", "f16,bf16", "2^12..2^28:16"),
    whole("argmin", "f64", "2^26,2^28"),
    whole("argmax", "f64", "2^8,2^22"),
    whole("argmax", "i64", "2^26,2^28"),
    whole("l2_norm", "f16,bf16", "2^12..2^28:256"),
    whole("sum_of_squares", "f32", "2^12..2^28:16"),
    whole("abs_max", "f32,f16,bf16", "2^12..2^28:16"),
    whole("product", "f32", "2^20..2^28:256"),
    whole("product", "u8", "2^8,2^20,2^28"),
    whole("count_nonzero", "u8,i32", "2^12..2^28:256"),
    whole("count_nonzero", "i32", "2^22"),
    whole("count_nonzero", "f16", "2^8"),
    whole("any", "u8", "2^20..2^28:256"),
    whole("mean_variance,min_max", "f32", "2^24"),
    rows("sum", "f32,bf16", "2^2..2^14,2^16,2^18,820000", "2^26"),
    rows("sum", "f32,bf16", "3,17,33,129,257,513,1025,4097,50257", "2^26"),
    rows("sum", "f32", "2^2,2^6,2^9", "250000"),
    rows("sum", "bf16", "2^3,2^7,2^10", "500000"),
    axis("sum", "f32", "80x4,78x2^6,82x2^10,83x4112", "1"),
    axis("sum", "bf16", "80x8,78x2^7,82x2^11,83x8208", "1"),
    rows("sum", "f16", "2^6,768,2^12,2^15", "2^26"),
    rows("mean,max", "f32", "2^6,2^9,2^12,2^14", "2^26"),
    rows("mean,max", "bf16", "2^6,768,2^12,2^15", "2^26"),
    rows("max,argmax", "f32,bf16", "2^17", "2^23"),
    rows("argmax", "f32", "2^5,2^10", "2^26"),
    rows("sum_of_squares", "f32,bf16", "2^7,2^12", "2^26"),
    rows("l2_norm", "f32", "2^7,2^10", "2^26"),
    rows("abs_max", "bf16", "2^7,2^12", "2^26"),
    rows("mean_variance", "f32,bf16", "768,2^12", "2^26"),
    rows("softmax_stats", "f32,bf16", "2^11", "2^26"),
    rows("logsumexp", "f32,bf16", "2^17", "2^23"),
    axis("sum", "f32", "2^24x2^2,2^20x2^6,2^16x2^10,2^12x2^14,2^8x2^18", "0"),
    axis("sum", "f32,bf16", "2^8x768", "0"),
    axis("sum", "bf16", "2^20x2^6,2^16x2^10,2^12x2^14", "0"),
    axis("mean", "f32", "2^20x2^6,2^16x2^10", "0"),
    axis("max", "f32", "2^16x2^10", "0"),
    axis("sum,mean", "f32", "2^5x2^9x2^10", "1"),
    axis("sum", "f32", "2^5x2^8x56x56", "0,2,3"),
    axis("sum", "bf16", "2^6x2^6x112x112", "0,2,3"),
    axis("mean_variance", "f32", "2^5x2^8x56x56", "0,2,3"),
    segments("sum", "f32,bf16", "2^26", "2^12..2^24:4"),
    zipf_segments("sum", "f32", "2^26", "2^12..2^24:16"),
    zipf_segments("sum", "bf16", "2^26", "2^11..2^23:16"),
};

constexpr std::array host_rows{
    whole("sum", "f32", "2^12..2^24:16"),
    whole("sum", "f64,i32", "2^20"),
    whole("mean,l2_norm", "f32", "2^20"),
    whole("min,max", "f32", "2^16,2^22"),
    whole("argmax", "f32", "2^20"),
    whole("count_nonzero", "u8", "2^20"),
    rows("sum", "f32", "2^4,2^10", "2^20"),
    rows("max", "f32", "2^10", "2^20"),
    rows("mean_variance", "f32", "2^10", "2^20"),
    axis("sum", "f32", "2^14x2^6", "0"),
    segments("sum", "f32", "2^20", "2^16"),
};

constexpr StandardTable gpu_table{"GPUs", "brief", gpu_rows};
constexpr StandardTable host_table{"the host", "64,10s", host_rows};

std::vector<Shape> shapes_of(const StandardRow& row) {
  if (!row.row_lengths.empty()) {
    return rows_of_total(parse_counts(row.row_lengths), parse_count(row.total));
  }
  if (!row.arrays.empty()) {
    return shapes_of_arrays(parse_arrays(row.arrays), {.axes = parse_axes(row.axis)});
  }
  if (!row.segments.empty()) {
    return segments_of_counts(parse_counts(row.counts), parse_counts(row.segments),
                              {.skew = row.skew});
  }
  return {};
}

/// Others use the device, too, and cold measurements hold two copies of an input at least.
constexpr std::int64_t parts_of_memory = 4;

}  // namespace

const StandardTable& standard_table(std::string_view platform) {
  return platform == "host" ? host_table : gpu_table;
}

ListedProblems problems_of(const StandardRow& row) {
  ProblemLists lists{.ops = {},
                     .types = parse_dtypes(row.types),
                     .counts = {},
                     .choices = {.cache_mode = row.cache_mode},
                     .shapes = shapes_of(row)};
  if (lists.shapes.empty()) lists.counts = parse_counts(row.counts);
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
