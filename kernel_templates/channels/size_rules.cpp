// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How the sizes of 'reduce_channels' follow from a batch of arrays, as text.
#include "kernel_templates/channels/planner.hpp"
#include "kernel_templates/channels/rules.hpp"
#include "kernel_templates/family/sizes.hpp"

namespace redtune::kernels {

/// See pieces_of() and parts_of_channel().
SizeRules ChannelsPlanner::size_rules() const {
  const ChannelsConfig& c = config_;
  const bool has_parts = is_parted(c.way);
  SizeRules rules;
  rules.extents = {
      {"channels", "channels of an array, 1 or more", [](const Shape& s) { return s.outer; }},
      {"pitch", "elements from the first of a channel to the first of the next; count: no gap",
       [](const Shape& s) { return slice_of(s); }},
      {"arrays", "arrays of the batch, 1 or more", [](const Shape& s) { return s.batch; }},
      {"batch_pitch",
       "elements from the first of an array to the first of the next; channels * pitch: no gap",
       [](const Shape& s) { return batch_step_of(s); }},
      {"count", "elements of a channel in an array", [](const Shape& s) { return s.count; }}};
  rules.in_elements =
      "0 if count == 0 else (arrays - 1) * batch_pitch + (channels - 1) * pitch + count";
  rules.results = "channels";
  auto& sizes = rules.sizes;
  const auto add = [&](std::string_view name, std::string text) {
    sizes.push_back({std::string(name), std::move(text)});
  };
  add("batch", "1 if count == 0 else arrays");
  if (has_parts) {
    add("parts", fmt::format("1 if channels > {} else max(1, min(arrays * count // {}, {}))",
                             most_channel_parts / c.blocks_per_channel,
                             std::int64_t{c.block_size} * c.vector_width, c.blocks_per_channel));
  }
  const std::int64_t load = std::int64_t{c.threads_per_span} * c.vector_width;
  const std::int64_t line = channel_line(size_of(problem_.in));
  add("groups", fmt::format("{}{}", lines_of(c), has_parts ? " * parts" : ""));
  add("at_least", fmt::format("min(ceil_div(groups, arrays), ceil_div(count, {0})) "
                              "if arrays < groups and count > {0} else 1",
                              load));
  add("some", fmt::format("min(ceil_div(count, at_least), {})", longest_channel_piece - line));
  add("piece", fmt::format("max(1, ceil_div(some, {0})) * {0}", line));
  add("pieces", "max(1, ceil_div(count, piece))");
  add("tiles", fmt::format("ceil_div(channels, {})", c.channels_per_block));
  if (!has_parts) {
    add("grid", fmt::format("max(1, min(tiles, {}))", limits_.max_grid));
    add("slots_bytes", "0");
    add("partials_bytes", "0");
    return rules;
  }
  add("grid", fmt::format("max(1, min(tiles, {} // parts)) * parts", limits_.max_grid));
  for (SizeFormula& one :
       parted_workspace(c.way == ChannelWay::slots, "channels", "channels * parts",
                        slot_bytes(problem_), accumulator_bytes(problem_))) {
    sizes.push_back(std::move(one));
  }
  return rules;
}

}  // namespace redtune::kernels
