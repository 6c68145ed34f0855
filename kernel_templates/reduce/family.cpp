// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/reduce/family.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "kernel_templates/reduce/custom_operator.hpp"
#include "kernel_templates/reduce/planner.hpp"
#include "kernel_templates/reduce/rules.hpp"
#include "kernel_templates/reduce/shapes.hpp"
#include "kernel_templates/text/device_names.hpp"
#include "kernel_templates/text/device_text.hpp"

namespace redtune::kernels {

namespace {

std::string device_finish(const ReduceConfig& c, const Problem& problem) {
  const std::string name = fmt::format("redtune::{}", to_string(c.finish));
  if (c.finish == Finish::counted) return fmt::format("{}<{}>", name, *counted_bits(problem));
  if (c.finish == Finish::slots) {
    return fmt::format("{}<{}, redtune::read_by_{}, redtune::wait_{}>", name, c.slot_stride,
                       to_string(c.slot_reader), to_string(c.slot_wait));
  }
  if (!takes_tickets(c.finish)) return name;
  const std::string fence = fmt::format("redtune::{}_fence", to_string(c.fence));
  if (c.finish != Finish::cluster) return fmt::format("{}<{}>", name, fence);
  return fmt::format("{}<{}, {}>", name, fence, c.cluster_size);
}

/// The template arguments that follow from a problem.
struct TypeNames {
  std::string op;
  std::string_view in;
  std::string_view acc;
  std::string_view out;
};

/// What kernels that read the input have last.
std::string shape_arguments(const ReduceConfig& c, int wave_size) {
  return fmt::format("{}, {}, {}, redtune::{}, {}", c.block_size, c.items_per_thread,
                     c.vector_width, to_string(c.load), wave_size);
}

std::string main_kernel(const ReduceConfig& c, const Problem& problem, const TypeNames& types,
                        int wave_size) {
  const bool in_clusters = c.finish == Finish::cluster;
  const bool is_exact = c.exact_tiles == ExactTiles::on;
  return fmt::format("redtune::reduce{}<{}, {}, {}, {}, {}, {}{}>",
                     in_clusters                     ? "_in_clusters"
                     : is_exact                      ? "_exact"
                     : is_read_backwards(c, problem) ? "_backwards"
                                                     : "",
                     types.op, types.in, types.acc, types.out, device_finish(c, problem),
                     in_clusters ? fmt::format("{}, ", c.cluster_size) : "",
                     shape_arguments(c, wave_size));
}

std::string second_kernel(const ReduceConfig& c, const TypeNames& types, bool is_indexed,
                          int wave_size) {
  if (is_indexed) {
    return fmt::format("redtune::find_pass<{}, {}, {}, {}, {}>", types.op, types.in, types.acc,
                       types.out, shape_arguments(c, wave_size));
  }
  return fmt::format("redtune::fold_pass<{}, {}, {}, {}, {}>", types.op, types.acc, types.out,
                     c.block_size, wave_size);
}

/// Whether all values are among those of their tunables.
bool is_known(const ReduceConfig& config) {
  try {
    (void)kernels::point_of(config);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

}  // namespace

double ReduceFamily::bytes_moved(const Problem& problem) const {
  return static_cast<double>(input_bytes(problem));
}

std::string ReduceFamily::device_text(const Problem& problem) const {
  static const std::string text = program_text("reduce.hip.h");
  return problem.op == Op::custom ? custom_program("reduce.hip.h", problem) : text;
}

search::Space ReduceFamily::space(const Problem& problem, const Limits& limits) const {
  const auto valid = [&](const search::Point& point) {
    return why_variant_outside_space(config_at<ReduceConfig>(point), problem, limits).empty();
  };
  const auto may_hold = [&](const search::Point& point) {
    return why_shape_outside_space(config_at<ReduceConfig>(point), problem, limits).empty();
  };
  const auto may_begin = [&](const search::Point& point) {
    return why_tile_outside_space(config_at<ReduceConfig>(point), problem, limits).empty();
  };
  // Two more that spare trying what is pinned.
  const auto may_start = [&](const search::Point& point) {
    return why_not_early(config_at<ReduceConfig>(point), limits).empty();
  };
  const auto may_lie = [&](const search::Point& point) {
    const auto config = config_at<ReduceConfig>(point);
    return config.finish == Finish::slots || config.slot_stride == ReduceConfig().slot_stride;
  };
  return search::Space(axes_of<ReduceConfig>(), valid, products(),
                       {{tile_axes, may_begin},
                        {shape_axes, may_hold},
                        {shape_axes + 1, may_start},
                        {shape_axes + 2, may_lie}});
}

/// What a block reads at a time.
std::vector<search::Product> ReduceFamily::products() const {
  return {{field_index<ReduceConfig>("block_size"), field_index<ReduceConfig>("items_per_thread")}};
}

Settings ReduceFamily::default_settings(const Problem& problem, const Limits& limits) const {
  return settings_of(default_config(problem, limits));
}

Settings ReduceFamily::impossible_values(const Problem& problem) const {
  if (counted_bits(problem)) return {};
  return {{"finish", std::string(to_string(Finish::counted))}};
}

std::vector<Settings> ReduceFamily::known_shapes(const Problem& problem, const Limits& limits,
                                                 std::string_view isa) const {
  std::vector<Settings> known;
  for (const ReduceConfig& config : kernels::known_shapes(problem, limits, isa)) {
    known.push_back(settings_of(config));
  }
  return known;
}

std::optional<Settings> ReduceFamily::of_same_bytes(const Settings& settings, const Problem& from,
                                                    const Problem& to) const {
  const auto there = static_cast<int>(size_of(from.in));
  const auto here = static_cast<int>(size_of(to.in));
  ReduceConfig config = config_of(settings);
  for (int* const elements : {&config.items_per_thread, &config.vector_width}) {
    if (*elements * there % here != 0) return std::nullopt;
    *elements = *elements * there / here;
  }
  return is_known(config) ? std::optional(settings_of(config)) : std::nullopt;
}

std::optional<std::int64_t> ReduceFamily::elements_at_once(const Settings& settings,
                                                           const Limits& limits) const {
  const ReduceConfig config = config_of(settings);
  if (config.finish != Finish::single_block || limits.wave_size == 1) return std::nullopt;
  return std::int64_t{config.block_size} * config.items_per_thread;
}

/// Whole tiles are folded without a question, and the next count of these is a tile away. That was
/// not timed on processors.
bool ReduceFamily::is_for_its_count(const Settings& settings, const Limits& limits) const {
  return config_of(settings).exact_tiles == ExactTiles::on && limits.wave_size > 1;
}

/// One block that takes all goes around again behind what it takes at once.
std::optional<std::int64_t> ReduceFamily::last_before_jump(const Settings& settings,
                                                           const Problem& problem,
                                                           const Limits& limits) const {
  if (const auto at_once = elements_at_once(settings, limits)) return at_once;
  return is_for_its_count(settings, limits) ? std::optional(problem.count) : std::nullopt;
}

Settings ReduceFamily::completed(const Settings& stored, const Limits& limits) const {
  ReduceConfig config = config_of(stored);
  const bool is_older = std::ranges::find(stored, "early_start", &Setting::name) == stored.end();
  if (is_older && limits.early_start == EarlyStart::present) config.early_start = Early::on;
  return settings_of(config);
}

std::string ReduceFamily::why_not(const ReduceConfig& config, const Problem& problem,
                                  const Limits& limits) const {
  return why_unbuildable(config, problem, limits);
}

std::string ReduceFamily::why_outside(const ReduceConfig& config, const Problem& problem,
                                      const Limits& limits) const {
  return why_outside_space(config, problem, limits);
}

/// Around a wave, a block and a tile, and several tiles.
std::vector<Shape> ReduceFamily::edge_shapes(const Settings& settings, const Problem&,
                                             const Limits& limits) const {
  const ReduceConfig config = config_of(settings);
  const std::int64_t wave = limits.wave_size;
  const std::int64_t block = config.block_size;
  const std::int64_t tile = block * config.items_per_thread;
  std::set<std::int64_t> counts{0,         1,        wave - 1, wave + 1, block - 1,
                                block + 1, tile - 1, tile,     tile + 1, 3 * tile + 1};
  std::vector<Shape> shapes;
  for (const std::int64_t count : counts) shapes.push_back({.count = count});
  return shapes;
}

std::vector<FloorKernel> ReduceFamily::floor_kernels(const Settings& like, const Problem& problem,
                                                     const Limits& limits) const {
  std::vector<FloorKernel> kernels;
  for (const ReduceConfig& config : floor_shapes(config_of(like), problem, limits)) {
    const std::int64_t grid = grid_of(config, problem, limits);
    kernels.push_back(
        {.name = fmt::format("redtune::loads_only<{}, {}, {}, {}>", device_operator(problem.op),
                             device_type(problem.in), device_type(problem.acc),
                             shape_arguments(config, limits.wave_size)),
         .shape = fmt::format("{} x {} items in {}, {} blocks", config.block_size,
                              config.items_per_thread, config.vector_width, grid),
         .grid = grid,
         .block = config.block_size,
         .bytes = std::max(sizeof(std::uint64_t), accumulator_bytes(problem)) *
                  static_cast<std::size_t>(grid)});
  }
  return kernels;
}

std::optional<std::int64_t> ReduceFamily::first_of_other_kernels(const Problem& problem) const {
  return most_forward_bytes / static_cast<std::int64_t>(size_of(problem.in)) + 1;
}

std::vector<std::string> ReduceFamily::name_expressions(const Settings& settings,
                                                        const Problem& problem,
                                                        int wave_size) const {
  const ReduceConfig c = config_of(settings);
  const TypeNames types{device_operator(problem.op), device_type(problem.in),
                        device_type(problem.acc), device_type(problem.out)};
  std::vector<std::string> names{main_kernel(c, problem, types, wave_size)};
  if (c.finish == Finish::second_pass) {
    const bool is_indexed = info(problem.op).shape == ResultShape::indexed;
    names.push_back(second_kernel(c, types, is_indexed, wave_size));
  }
  if (c.finish == Finish::atomic) {
    names.push_back(
        fmt::format("redtune::set_identity<{}, {}, {}>", types.op, types.out, wave_size));
  }
  return names;
}

std::unique_ptr<const Planner> ReduceFamily::planner(const Settings& settings,
                                                     const Problem& problem,
                                                     const Limits& limits) const {
  return std::make_unique<ReducePlanner>(config_of(settings), problem, limits);
}

}  // namespace redtune::kernels
