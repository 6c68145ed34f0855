// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/segments/plan_making.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>

#include "kernel_templates/family/sizes.hpp"
#include "kernel_templates/segments/rules.hpp"
#include "kernel_templates/text/device_text.hpp"

namespace redtune::kernels {
namespace {

// As in binned_segments.hip.h.
constexpr std::int64_t bins = 5;
constexpr std::int64_t table_bytes = 256;

SegmentsConfig config_in(const Settings& settings) {
  SegmentsConfig config;
  for (const Setting& setting : settings) apply(config, setting);
  return config;
}

std::vector<std::string> kernels_of(std::initializer_list<std::string_view> of_offsets,
                                    std::int64_t offset_bits, const Limits& limits) {
  std::vector<std::string> names{fmt::format("redtune::clear_words<{}>", plan_block(limits))};
  for (const std::string_view name : of_offsets) {
    names.push_back(
        fmt::format("redtune::{}<{}, {}>", name, offset_type(offset_bits), plan_block(limits)));
  }
  return names;
}

}  // namespace

const std::string& plan_text() {
  static const std::string text = program_text("plan_segments.hip.h");
  return text;
}

std::vector<std::string> plan_kernels(PlanContent content, std::int64_t offset_bits,
                                      const Limits& limits) {
  switch (content) {
    case PlanContent::starts:
      return kernels_of({"find_share_starts"}, offset_bits, limits);
    case PlanContent::bins:
      return kernels_of({"count_bins", "place_bins"}, offset_bits, limits);
    case PlanContent::nothing:
      break;
  }
  return kernels_of({}, offset_bits, limits);
}

std::vector<std::string> measure_kernels(std::int64_t offset_bits, const Limits& limits) {
  return kernels_of({"measure_segments"}, offset_bits, limits);
}

int plan_block(const Limits& limits) {
  // Where lanes run one after another a block of more only costs.
  return limits.min_block_size == 1 ? 1
                                    : std::clamp(256, limits.min_block_size, limits.max_block_size);
}

std::int64_t plan_grid(std::int64_t segments, const Limits& limits) {
  constexpr std::int64_t blocks_of_unit = 4;
  constexpr std::int64_t fewest_of_thread = 4;
  const std::int64_t most =
      std::min(limits.max_grid, blocks_of_unit * std::max(1, limits.compute_units));
  return std::clamp<std::int64_t>(in_pieces_of(segments, plan_block(limits) * fewest_of_thread), 1,
                                  most);
}

PlanLayout plan_layout(const Settings& settings, const Shape& shape, const Limits& limits) {
  switch (plan_content(settings)) {
    case PlanContent::starts:
      return {.bytes = 8 * (planned_shares(settings, shape, limits).many + 1)};
    case PlanContent::bins: {
      PlanLayout layout{.list = table_bytes};
      layout.first_pieces = layout.list + in_pieces_of(shape.segment_count, 2) * 8;
      layout.bytes = layout.first_pieces + 8 * most_bin_pieces(config_in(settings), shape).segments;
      layout.counts = 8 * (bins + 1) * plan_grid(shape.segment_count, limits);
      return layout;
    }
    case PlanContent::nothing:
      break;
  }
  return {};
}

PlannedShares planned_shares(const Settings& settings, const Shape& shape, const Limits& limits) {
  const SegmentsConfig config = config_in(settings);
  return {share_length(config, shape, limits), segment_blocks(config, shape, limits)};
}

std::array<std::int64_t, 4> bin_limits(const Settings& settings, const Limits& limits) {
  const SegmentsConfig config = config_in(settings);
  return {most_of_thread(config), most_of_group(config), most_of_wave(config, limits),
          most_of_block(config)};
}

}  // namespace redtune::kernels
