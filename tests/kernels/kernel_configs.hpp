// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernels of a problem on an architecture, each as one config: all that a search for any count
// could ask for, and a few of them in which every two values that go together occur.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "kernel_templates/family/config_axes.hpp"
#include "kernel_templates/reduce/rules.hpp"

namespace redtune::checks {

/// Limits of an imagined device: any number of compute units above one gives the same kernels.
[[nodiscard]] inline Limits with_units(Limits limits) {
  limits.compute_units = 64;
  return limits;
}

/// The config with a count and launch parameters for which it is in the space; nothing: in none.
/// The counts reach from one tile, where single_block is, to more than fits any grid.
[[nodiscard]] inline std::optional<kernels::ReduceConfig> as_launched(kernels::ReduceConfig config,
                                                                      Problem problem,
                                                                      const Limits& limits) {
  if (!kernels::why_unbuildable(config, problem, limits).empty()) return std::nullopt;
  for (const int log2 : {24, 10, 16, 20, 30}) {
    problem.count = std::int64_t{1} << log2;
    for (const int blocks_per_unit : {4, 0, 1, 32}) {
      config.blocks_per_unit = blocks_per_unit;
      if (kernels::why_outside_space(config, problem, limits).empty()) return config;
    }
  }
  return std::nullopt;
}

/// The config with one choice of how slots are read and of exact_tiles, which take turns: all with
/// all would be many kernels that differ in their ends alone.
[[nodiscard]] inline kernels::ReduceConfig in_turn(kernels::ReduceConfig config, std::size_t turn) {
  constexpr int strides[] = {8, 32, 128};
  if (config.finish == kernels::Finish::slots) {
    config.slot_stride = strides[turn % 3];
    config.slot_reader = static_cast<kernels::SlotReader>(turn / 3 % 2);
    config.slot_wait = static_cast<kernels::SlotWait>(turn / 6 % 2);
  }
  config.exact_tiles = static_cast<kernels::ExactTiles>(turn / 12 % 2);
  return config;
}
inline constexpr std::size_t most_turns = 24;

/// One config for each kernel, but for the choices that take turns; they differ in more than launch
/// parameters.
[[nodiscard]] inline std::vector<kernels::ReduceConfig> kernel_configs(const Problem& problem,
                                                                       const Limits& limits) {
  std::vector<search::Axis> axes = kernels::axes_of<kernels::ReduceConfig>();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const bool is_of_launches = axes[i].name == "blocks_per_unit" || axes[i].name == "tile_order";
    if (!is_of_launches && i < kernels::shape_axes) continue;
    axes[i].size = 1;
    axes[i].values.clear();
  }
  std::vector<kernels::ReduceConfig> configs;
  const search::Space all(axes);
  std::size_t turn = 0;
  for (const search::Point& point : all.points()) {
    const auto config = kernels::config_at<kernels::ReduceConfig>(point);
    if (!as_launched(config, problem, limits)) continue;
    for (std::size_t tries = 0; tries < most_turns; ++tries) {
      // 5 has no common factor with the turns: each comes to each axis' values.
      turn = (turn + 5) % most_turns;
      const auto launched = as_launched(in_turn(config, turn), problem, limits);
      if (!launched) continue;
      configs.push_back(*launched);
      break;
    }
  }
  return configs;
}

/// Two axes and the index of a value on each, as one number.
using ValuePair = std::uint32_t;
inline constexpr std::size_t most_pairs = std::size_t{1} << 16;

[[nodiscard]] inline std::vector<ValuePair> pairs_of(const kernels::ReduceConfig& config) {
  kernels::ReduceConfig kernel = config;
  kernel.blocks_per_unit = 0;
  kernel.tile_order = kernels::TileOrder::strided;
  kernel.early_start = kernels::Early::off;
  const search::Point point = kernels::point_of(kernel);
  std::vector<ValuePair> pairs;
  for (std::size_t a = 0; a < point.size(); ++a) {
    for (std::size_t b = a + 1; b < point.size(); ++b) {
      pairs.push_back(static_cast<ValuePair>(((a * 16 + b) * 16 + point[a]) * 16 + point[b]));
    }
  }
  return pairs;
}

/// A few of the configs in which every pair occurs that occurs in any; the fullest first.
[[nodiscard]] inline std::vector<kernels::ReduceConfig> covering_pairs(
    const std::vector<kernels::ReduceConfig>& configs) {
  std::vector<std::vector<ValuePair>> pairs;
  std::bitset<most_pairs> missing;
  for (const kernels::ReduceConfig& config : configs) {
    pairs.push_back(pairs_of(config));
    for (const ValuePair pair : pairs.back()) missing.set(pair);
  }
  std::vector<kernels::ReduceConfig> chosen;
  while (missing.any()) {
    const auto gain = [&](const std::vector<ValuePair>& of_config) {
      return std::ranges::count_if(of_config, [&](ValuePair pair) { return missing[pair]; });
    };
    const auto best = std::ranges::max_element(pairs, {}, gain);
    for (const ValuePair pair : *best) missing.reset(pair);
    chosen.push_back(configs[static_cast<std::size_t>(best - pairs.begin())]);
  }
  return chosen;
}

/// For each block size the config that asks for the most registers: the most bytes in flight.
[[nodiscard]] inline std::vector<kernels::ReduceConfig> fullest(
    const std::vector<kernels::ReduceConfig>& configs) {
  std::vector<kernels::ReduceConfig> found;
  for (const kernels::ReduceConfig& config : configs) {
    const auto of_block =
        std::ranges::find(found, config.block_size, &kernels::ReduceConfig::block_size);
    if (of_block == found.end()) {
      found.push_back(config);
    } else if (std::tie(of_block->items_per_thread, of_block->vector_width) <=
               std::tie(config.items_per_thread, config.vector_width)) {
      *of_block = config;
    }
  }
  return found;
}

}  // namespace redtune::checks
