// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/columns/rules.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

#include "kernel_templates/columns/tiling.hpp"
#include "kernel_templates/family/device_rules.hpp"
#include "kernel_templates/family/sizes.hpp"

namespace redtune::kernels {
namespace {

static_assert(std::get<column_block_axes - 1>(ColumnsConfig::fields()).name == "threads_across" &&
                  std::get<column_tile_axes - 1>(ColumnsConfig::fields()).name == "vector_width",
              "the space is narrowed from its first axes on");

/// Of a thread of a GPU on their way, however narrow: each takes an address, too.
constexpr int most_loads = 16;
/// Of a tile's line: what memory is read in at least.
constexpr std::int64_t fewest_tile_bytes = 64;
/// What a thread may have on its way: more of it than hides the latency of memory takes registers
/// that other threads could have.
constexpr std::int64_t most_bytes_on_their_way = 256;

std::int64_t bytes_per_load(const ColumnsConfig& c, const Problem& problem) {
  return c.vector_width * static_cast<std::int64_t>(size_of(problem.in));
}

bool is_indexed(const Problem& problem) {
  return info(problem.op).shape == ResultShape::indexed;
}

/// 32-bit registers of what a lane has come to.
std::int64_t words_of_lane(const Problem& problem) {
  return accumulator_words(problem);
}

/// Registers of a load on its way. AMD's compilers widen small elements of all loads of a tile
/// before they fold the first: hipRTC 5.2 on gfx1030 and 6.4 on gfx942 and gfx1201 kept up to 434
/// registers in memory. With waves of 64 a load takes four registers for its place where lanes take
/// several, as gfx90a and gfx942 showed.
std::int64_t registers_of_load(const ColumnsConfig& c, const Problem& problem,
                               const Limits& limits) {
  const std::int64_t words = words_in(bytes_per_load(c, problem));
  const std::int64_t place = limits.wave_size == 64 && words_of_lane(problem) > 1 ? 4 : 2;
  if (!is_amd(limits) || size_of(problem.in) >= 4) return place + words;
  const bool multiplies = problem.op == Op::product;  // in parts of two registers
  return place + std::max<std::int64_t>(words, c.vector_width * (multiplies ? 2 : 1));
}

/// What an accumulator of several members takes while lines enter it: exponentials of f64 are
/// polynomials. Fitted to what NVRTC 13 spills and does not spill on sm_90.
std::int64_t joint_needs(const Problem& problem) {
  if (!is_joint(problem)) return 0;
  const bool has_polynomials = problem.acc == DType::f64 && rounds(problem);
  return joint_registers(problem, 0) + (has_polynomials ? 32 : 0);
}

/// 32-bit registers of a thread, roughly: what is loaded, and from which address; what lanes have
/// come to, what a tile of lines comes to on its way there, and where all of it stands.
std::int64_t needed_registers(const ColumnsConfig& c, const Problem& problem,
                              const Limits& limits) {
  const std::int64_t lanes = c.vector_width * words_of_lane(problem);
  const std::int64_t loads = c.loads_per_thread * registers_of_load(c, problem, limits);
  // Where all were counted as taken, hipRTC kept registers in memory: 6.4 on gfx900 18 of
  // bytes; 5.2 on gfx90a 65 and on gfx906 76 of 16-bit floats, and 32 of 16-bit integers.
  const auto widened = [&]() -> std::int64_t {
    if (!is_amd(limits) || size_of(problem.in) > 2) return 0;
    if (size_of(problem.in) == 1) return 20;
    if (info(problem.in).kind != DTypeKind::floating) return 2 * c.loads_per_thread;
    const bool leaves_out_nan =
        problem.op == Op::min_ignore_nan || problem.op == Op::max_ignore_nan;
    return 44 + (leaves_out_nan ? c.loads_per_thread * c.vector_width : 0);
  };
  const std::int64_t base = 64 + widened();
  return c.vectors_per_thread * (loads + lanes + 8) + lanes + base + joint_needs(problem);
}

/// Why the bits of a column could depend on where it stands, and on how many there are.
std::string why_not_batch_invariant(const ColumnsConfig& c, Op op) {
  if (c.way == ColumnWay::slots) {
    return "of order 'rows' blocks that share columns end by tickets: one block alone does the "
           "same";
  }
  if (c.vector_width != 1) {
    return "of order 'rows' columns may begin anywhere in a vector: vector_width is 1";
  }
  if (c.vectors_per_thread != 1 && multiplies_and_adds(op)) {
    return "of order 'rows' no place in a thread may round in another way: vectors_per_thread is "
           "1";
  }
  return {};
}

bool are_same(const ColumnTiling& one, const ColumnTiling& other) {
  return one.tiles == other.tiles && one.across == other.across && one.merged == other.merged &&
         one.down == other.down;
}

}  // namespace

std::int64_t shared_bytes_of_columns(const ColumnsConfig& c, const Problem& problem) {
  return std::int64_t{c.block_size} * c.vectors_per_thread * c.vector_width *
         static_cast<std::int64_t>(accumulator_bytes(problem));
}

/// hipRTC 5.2 keeps registers in memory where slots hold small integers and their index.
bool can_use_slots(const Problem& problem) {
  return !is_indexed(problem) || size_of(problem.acc) >= 4;
}

std::string why_unbuildable(const ColumnsConfig& c, const Problem& problem, const Limits& limits) {
  if (auto why = why_no_block(c.block_size, limits); !why.empty()) return why;
  if (c.threads_across > c.block_size) {
    return fmt::format("{} threads across are more than the {} of a block", c.threads_across,
                       c.block_size);
  }
  if (is_parted(c.way) != (c.blocks_per_column > 1)) {
    return is_parted(c.way)
               ? "no other block shares the columns: 'tiles' is the same"
               : "blocks_per_column is for columns that blocks share; it is 1 elsewhere";
  }
  const std::int64_t bytes = bytes_per_load(c, problem);
  if (auto why = why_no_load(bytes, c.load == Load::streaming, limits); !why.empty()) return why;
  if (limits.wave_size > 1 && c.vectors_per_thread * c.loads_per_thread > most_loads) {
    return fmt::format("{} loads of a thread on their way are more than {}",
                       c.vectors_per_thread * c.loads_per_thread, most_loads);
  }
  if (const std::int64_t shared = shared_bytes_of_columns(c, problem); shared > most_column_bytes) {
    return fmt::format("the values of a block take {} bytes, more than {}", shared,
                       most_column_bytes);
  }
  if (is_batch_invariant(problem)) {
    if (auto why = why_not_batch_invariant(c, problem.op); !why.empty()) return why;
  }
  if (c.way == ColumnWay::slots && limits.block_order == BlockOrder::any) {
    return "this device starts blocks in any order: the last of a tile must not wait for the "
           "others";
  }
  if (c.way == ColumnWay::slots && !can_use_slots(problem)) {
    return "small integers and their index are handed over by tickets";
  }
  if (c.early_start != Early::off) {
    if (auto why = why_no_early_start(limits); !why.empty()) return why;
  }
  return why_no_registers(needed_registers(c, problem, limits), c.block_size, limits);
}

std::string why_block_outside_space(const ColumnsConfig& c, const Problem& problem,
                                    const Limits& limits) {
  if (!is_block_of(c.block_size, limits)) return "not a block of this device";
  if (c.threads_across > c.block_size) return "more threads across than a block has";
  const std::int64_t elements = std::max<std::int64_t>(problem.count, 1) * step_of(problem);
  if (c.threads_across / 2 >= power_up(elements)) return "more threads across than elements";
  return {};
}

std::string why_tile_outside_space(const ColumnsConfig& c, const Problem& problem,
                                   const Limits& limits) {
  ColumnsConfig likeliest = c;
  likeliest.blocks_per_column = is_parted(c.way) ? 2 : 1;
  likeliest.load = Load::cached;
  likeliest.early_start = Early::off;
  if (auto why = why_unbuildable(likeliest, problem, limits); !why.empty()) return why;
  const std::int64_t bytes = bytes_per_load(c, problem);
  const bool may_be_wider = !is_batch_invariant(problem);
  if (may_be_wider && bytes < std::min<std::int64_t>(fewest_load_bytes, limits.max_vector_bytes)) {
    return "loads of so few bytes cannot win";
  }
  const bool could_be_wider = may_be_wider && 2 * bytes <= limits.max_vector_bytes &&
                              step_of(problem) % (2 * c.vector_width) == 0;
  if (could_be_wider && 2 * bytes < std::min<std::int64_t>(16, limits.max_vector_bytes)) {
    return "wider vectors are aligned as well";
  }
  if (c.vectors_per_thread * c.loads_per_thread * bytes > most_bytes_on_their_way &&
      limits.wave_size > 1) {
    return "more loads on their way than hide the latency of memory";
  }
  const ColumnTiling tiling = tiling_of(c, problem, problem.order);
  const auto with_across = [&](int threads_across) {
    ColumnsConfig other = c;
    other.threads_across = threads_across;
    return tiling_of(other, problem, problem.order);
  };
  if (c.threads_across > 1 && are_same(tiling, with_across(c.threads_across / 2))) {
    return "half of the threads across have all columns";
  }
  if (tiling.keeps_parts && c.threads_across > 1 && c.threads_across / 2 >= problem.inner) {
    return "half of the threads across would have no column";
  }
  if (tiling.tiles > 1 && tiling.across * c.vectors_per_thread * bytes < fewest_tile_bytes) {
    return "several blocks would read a line of memory";
  }
  const bool is_merged = tiling.merged > 0 && tiling.tiles == 1;
  if (is_merged && 2 * c.threads_across <= c.block_size &&
      !are_same(tiling, with_across(2 * c.threads_across))) {
    return "lines are read side by side by all threads of a block";
  }
  if (c.vectors_per_thread > 2 && limits.wave_size > 1) {
    return "more threads across do the same for as many columns";
  }
  if (c.vectors_per_thread > 1 && 2 * tiling.across <= c.threads_across) {
    return "half of the vectors of a thread would be none";
  }
  const std::int64_t step = std::max(tiling.down, tiling.period);
  if (c.loads_per_thread > 1 && tiling.lines <= step * (c.loads_per_thread / 2)) {
    return "half of the loads would be none";
  }
  if (tiling.slices == 1 && tiling.down > 1 && tiling.lines <= tiling.down / 2) {
    return "half of the threads would have no line";
  }
  return {};
}

std::string why_outside_space(const ColumnsConfig& c, const Problem& problem,
                              const Limits& limits) {
  if (auto why = why_block_outside_space(c, problem, limits); !why.empty()) return why;
  if (auto why = why_tile_outside_space(c, problem, limits); !why.empty()) return why;
  if (auto why = why_unbuildable(c, problem, limits); !why.empty()) return why;
  const ColumnTiling tiling = tiling_of(c, problem, problem.order);
  if (is_parted(c.way)) {
    if (c.blocks_per_unit != 0) return "every part has a block: blocks_per_unit is 0";
    if (parts_of_column(c, problem, tiling) != c.blocks_per_column) {
      return "columns are too many or too short for so many parts";
    }
    const std::int64_t blocks = column_groups(problem, tiling) * c.blocks_per_column;
    if (blocks / 2 > 16 * std::int64_t{limits.compute_units}) {
      return "half as many parts keep all compute units at work";
    }
    ColumnsConfig more = c;
    more.blocks_per_column *= 2;
    if (2 * blocks <= limits.compute_units && more.blocks_per_column <= most_blocks_per_column &&
        parts_of_column(more, problem, tiling) == more.blocks_per_column) {
      return "twice as many parts leave no compute unit without work";
    }
    return {};
  }
  if (c.blocks_per_unit != 0) {
    ColumnsConfig each_its_own = c;
    each_its_own.blocks_per_unit = 0;
    if (column_blocks(each_its_own, problem, tiling, limits) <=
        column_blocks(c, problem, tiling, limits)) {
      return "as many blocks as tiles: blocks_per_unit 0 says the same";
    }
  }
  return {};
}

std::int64_t longest_chain(const ColumnsConfig& c, const Shape& shape, Order order) {
  const ColumnTiling tiling = tiling_of(c, shape, order);
  const std::int64_t parts = is_parted(c.way) ? parts_of_column(c, shape, tiling) : 1;
  const std::int64_t step = std::max(tiling.down, tiling.period);
  const std::int64_t lines = in_pieces_of(in_pieces_of(tiling.lines, parts), step) + 1;
  // Tiles of lines one after another, each a tree or its loads one by one; lines that are cut, at
  // both ends; and turns of a period.
  const std::int64_t of_thread = lines / c.loads_per_thread + 2 * c.loads_per_thread +
                                 2 * (c.vector_width + 2) + tiling.period / tiling.down;
  const std::int64_t of_block = log2_up(tiling.down * std::max<std::int64_t>(tiling.merged, 1));
  return of_thread + of_block + (parts > 1 ? parts + log2_up(parts) + 4 : 0);
}

}  // namespace redtune::kernels
