// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/rows/rules.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <numeric>
#include <tuple>

#include "kernel_templates/family/device_rules.hpp"
#include "kernel_templates/family/sizes.hpp"

namespace redtune::kernels {
namespace {

static_assert(std::get<group_axes - 1>(RowsConfig::fields()).name == "threads_per_row" &&
                  std::get<load_axes - 1>(RowsConfig::fields()).name == "vector_width",
              "the space is narrowed from its first axes on");

constexpr std::int64_t row_line_bytes = 128;
/// Bytes of one load of all rows of a thread, where elements are bytes: of twice as many hipRTC 6.4
/// left the array in memory on gfx942 and gfx1201.
constexpr int most_bytes_of_rows = 64;

std::int64_t bytes_per_load(const RowsConfig& c, const Problem& problem) {
  return c.vector_width * static_cast<std::int64_t>(size_of(problem.in));
}

}  // namespace

bool are_cut_rows(const Shape& shape, std::size_t element_bytes) {
  const std::int64_t pitch = slice_of(shape) * static_cast<std::int64_t>(element_bytes);
  return pitch % widest_load != 0 && widest_load % pitch != 0;
}

std::int64_t row_vectors(const RowsConfig& c, const Shape& shape) {
  return in_pieces_of(shape.count, c.vector_width);
}

namespace {

/// Whether elements of fewer than 4 bytes are widened one by one: those that enter an accumulator
/// of 64 bits, but for sums and counts that a tile has in 32 (tile_accumulator in
/// device_code/ops.hip.h), and floats of which one is sought, or the largest magnitude.
bool widens_elements(const Problem& problem) {
  if (size_of(problem.in) >= 4) return false;
  const bool is_float = info(problem.in).kind == DTypeKind::floating;
  const bool is_indexed = info(problem.op).shape == ResultShape::indexed;
  if (is_float && (is_indexed || problem.op == Op::abs_max)) return true;
  if (is_joint(problem)) return true;
  if (is_indexed || size_of(problem.acc) < 8 || problem.op == Op::count_nonzero) return false;
  const bool is_summed = problem.op == Op::sum || problem.op == Op::mean;
  return !is_summed || is_float;
}

/// Vectors of a row's two ends that are one thread's (span_shape in device_code/fold_spans.hip.h).
std::int64_t cuts_of(const RowsConfig& c) {
  return c.threads_per_row == 1 ? 2 : 1;
}

/// Registers of widened elements beyond those that they were loaded into. AMD's compilers widen all
/// elements of a row's tile and ends before they fold the first: hipRTC 5.2 on gfx1030 kept up to
/// 253 registers in memory.
std::int64_t widened_registers(const RowsConfig& c, const Problem& problem, const Limits& limits) {
  if (c.way == RowWay::staged || !is_amd(limits) || !widens_elements(problem)) return 0;
  // Of parts that are multiplied; and of floats that are added in 64 bits where blocks share a row:
  // hipRTC 5.2 kept four registers of f16 in memory on gfx90a without XNACK.
  const bool are_wide = is_parted(c.way) && !is_joint(problem) &&
                        info(problem.in).kind == DTypeKind::floating && size_of(problem.acc) == 8;
  const std::int64_t words = problem.op == Op::product || are_wide ? 2 : 1;
  // What is sought stays in sight for each row.
  const std::int64_t sought =
      info(problem.op).shape == ResultShape::indexed ? 4 * c.rows_per_thread : 0;
  return (c.loads_per_thread + cuts_of(c)) *
             (words * c.vector_width - words_in(bytes_per_load(c, problem))) +
         sought;
}

}  // namespace

std::int64_t row_registers(const RowsConfig& c, const Problem& problem, const Limits& limits) {
  const std::int64_t load_words = words_in(bytes_per_load(c, problem));
  const bool is_indexed = info(problem.op).shape == ResultShape::indexed;
  const std::int64_t acc_words = accumulator_words(problem) + (is_indexed ? 1 : 0);
  const std::int64_t lanes =
      is_joint(problem) ? joint_registers(problem, c.vector_width) : c.vector_width * acc_words;
  constexpr std::int64_t base = 46;
  if (c.way == RowWay::staged) return (c.loads_per_thread + 1) * (load_words + 1) + lanes + base;
  const std::int64_t per_row = (c.loads_per_thread + cuts_of(c)) * load_words + 8 + 2 * acc_words;
  return c.rows_per_thread * per_row + lanes + widened_registers(c, problem, limits) + base;
}

namespace {

std::string why_not_grouped(const RowsConfig& c, const Limits& limits) {
  if (c.threads_per_row > c.block_size) {
    return fmt::format("{} threads for a row are more than the {} of a block", c.threads_per_row,
                       c.block_size);
  }
  if (c.way == RowWay::staged && c.threads_per_row > limits.wave_size) {
    return "staged rows are folded by a wave or a part of it";
  }
  if (is_parted(c.way) && c.threads_per_row != c.block_size) {
    return "of a row that blocks share each has a part: threads_per_row is block_size";
  }
  return {};
}

/// Why the bits of a row could depend on where it begins, and on how many there are.
std::string why_not_batch_invariant(const RowsConfig& c, Op op) {
  if (c.way == RowWay::slots) {
    return "of order 'rows' blocks that share a row end by tickets: one block alone does the same";
  }
  if (c.way != RowWay::staged && c.vector_width != 1) {
    return "of order 'rows' elements go to threads by their index in a row, which may begin "
           "anywhere: vector_width is 1";
  }
  if (c.rows_per_thread != 1 && multiplies_and_adds(op)) {
    return "of order 'rows' no place in a thread may round in another way: rows_per_thread is 1";
  }
  return {};
}

std::string why_not_rows_at_a_time(const RowsConfig& c) {
  if (c.way != RowWay::groups && c.rows_per_thread != 1) {
    return "rows_per_thread is for 'groups'; it is 1 elsewhere";
  }
  if (is_parted(c.way) != (c.blocks_per_row > 1)) {
    return is_parted(c.way) ? "no other block shares the row: 'groups' is the same"
                            : "blocks_per_row is for rows that blocks share; it is 1 elsewhere";
  }
  return {};
}

}  // namespace

std::uint32_t row_regime(const Shape& shape, std::size_t element_bytes, const Limits& limits) {
  enum Reader : std::uint32_t { thread, wave, block, several_blocks };
  const std::int64_t load = limits.max_vector_bytes;
  const std::int64_t of_block = load * limits.max_block_size;
  const std::int64_t bytes = shape.count * static_cast<std::int64_t>(element_bytes);
  const Reader reader = bytes <= load                      ? thread
                        : bytes <= load * limits.wave_size ? wave
                        : bytes <= of_block                ? block
                                                           : several_blocks;
  const auto of_few = [&]() -> std::uint32_t {
    if (shape.outer >= limits.compute_units) return 0;
    if (4 * shape.outer >= limits.compute_units) return 1;
    return 1 + static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(shape.outer)));
  };
  const std::int64_t brief = of_block * limits.compute_units;
  std::int64_t total = 0;  // a division would be a good part of what choosing costs
  const bool is_brief = !__builtin_mul_overflow(bytes, shape.outer, &total) &&
                        !__builtin_mul_overflow(total, shape.batch, &total) && total <= brief;
  const bool is_cut = reader != several_blocks && are_cut_rows(shape, element_bytes);
  return reader + (of_few() << 2U) + (is_brief ? 1U << 6U : 0U) + (is_cut ? 1U << 7U : 0U);
}

bool are_many_rows(const Shape& shape, std::size_t element_bytes) {
  constexpr std::int64_t fewest_bytes = 500'000'000;
  std::int64_t bytes = 0;
  return __builtin_mul_overflow(shape.outer, shape.count, &bytes) ||
         __builtin_mul_overflow(bytes, static_cast<std::int64_t>(element_bytes), &bytes) ||
         bytes >= fewest_bytes;
}

std::int64_t group_rows(const RowsConfig& c) {
  return std::int64_t{c.block_size} / c.threads_per_row * c.rows_per_thread;
}

std::int64_t row_line(std::size_t element_bytes) {
  return std::max<std::int64_t>(1, row_line_bytes / static_cast<std::int64_t>(element_bytes));
}

std::int64_t staged_rows(const RowsConfig& c, const Shape& shape, std::size_t element_bytes) {
  const std::int64_t room =
      std::int64_t{c.block_size} * c.loads_per_thread * c.vector_width;  // of elements
  if (shape.count > room) return 0;
  const std::int64_t pitch = std::max<std::int64_t>(slice_of(shape), 1);
  const std::int64_t most = (room - shape.count) / pitch + 1;
  // Groups fold as many rows at a time as there are of them: a few rows more cost as much again.
  const std::int64_t groups = c.block_size / c.threads_per_row;
  const std::int64_t left = most % groups;
  const std::int64_t rows = most > groups && 2 * left < groups ? most - left : most;
  // Whole lines where that leaves no more than a few rows out: the next block begins with one, too.
  const std::int64_t line = row_line(element_bytes);
  const std::int64_t multiple = line / std::gcd(line, pitch);
  return rows < 4 * multiple ? rows : rows / multiple * multiple;
}

std::int64_t parts_of_row(const RowsConfig& c, const Shape& shape, Order order) {
  const std::int64_t tile = std::int64_t{c.block_size} * c.vector_width;
  const bool may_vary = order != Order::rows;
  if (may_vary && shape.outer > most_row_parts / c.blocks_per_row) return 1;
  return std::clamp<std::int64_t>(shape.count / tile, 1, c.blocks_per_row);
}

std::int64_t blocks_of_row(const RowsConfig& c, const Shape& shape, Order order) {
  if (order == Order::rows && shape.outer > most_kept_parts / c.blocks_per_row) return 1;
  return parts_of_row(c, shape, order);
}

std::int64_t row_blocks(const RowsConfig& c, const Shape& shape, const Operation& operation,
                        const Limits& limits) {
  if (is_parted(c.way)) {
    const std::int64_t blocks = blocks_of_row(c, shape, operation.order);
    const std::int64_t parts = parts_of_row(c, shape, operation.order);
    // Blocks that have rows alone need room for their parts.
    const std::int64_t most =
        blocks < parts ? most_kept_parts / c.blocks_per_row : limits.max_grid / blocks;
    return std::clamp<std::int64_t>(shape.outer, 1, std::min(most, limits.max_grid)) * blocks;
  }
  const std::int64_t staged =
      c.way == RowWay::staged ? staged_rows(c, shape, size_of(operation.in)) : 0;
  const std::int64_t tiles = in_pieces_of(shape.outer, staged == 0 ? group_rows(c) : staged);
  const std::int64_t most =
      c.blocks_per_unit == 0
          ? limits.max_grid
          : std::min(limits.max_grid, std::int64_t{c.blocks_per_unit} * limits.compute_units);
  return std::clamp<std::int64_t>(tiles, 1, most);
}

std::string why_unbuildable(const RowsConfig& c, const Problem& problem, const Limits& limits) {
  if (auto why = why_no_block(c.block_size, limits); !why.empty()) return why;
  if (auto why = why_not_grouped(c, limits); !why.empty()) return why;
  if (auto why = why_not_rows_at_a_time(c); !why.empty()) return why;
  if (is_batch_invariant(problem)) {
    if (auto why = why_not_batch_invariant(c, problem.op); !why.empty()) return why;
  }
  const std::int64_t bytes = bytes_per_load(c, problem);
  if (auto why = why_no_load(bytes, c.load == Load::streaming, limits); !why.empty()) return why;
  const std::int64_t stage = (std::int64_t{c.block_size} * c.loads_per_thread + 1) * bytes;
  if (c.way == RowWay::staged && stage > most_stage_bytes) {
    return fmt::format("a stage of {} bytes is larger than {}", stage, most_stage_bytes);
  }
  if (c.way == RowWay::slots && limits.block_order == BlockOrder::any) {
    return "this device starts blocks in any order: the last of a row must not wait for the others";
  }
  if (c.early_start != Early::off) {
    if (auto why = why_no_early_start(limits); !why.empty()) return why;
  }
  if (is_amd(limits) && size_of(problem.in) == 1 &&
      c.rows_per_thread * c.vector_width > most_bytes_of_rows) {
    return fmt::format("{} vectors of {} bytes are not kept in registers on AMD GPUs",
                       c.rows_per_thread, c.vector_width);
  }
  return why_no_registers(row_registers(c, problem, limits), c.block_size, limits);
}

std::string why_group_outside_space(const RowsConfig& c, const Problem& problem,
                                    const Limits& limits) {
  if (!is_block_of(c.block_size, limits)) return "not a block of this device";
  if (auto why = why_not_grouped(c, limits); !why.empty()) return why;
  const std::int64_t widest =
      is_batch_invariant(problem)
          ? 1
          : std::min<std::int64_t>(16,
                                   limits.max_vector_bytes / static_cast<int>(size_of(problem.in)));
  const std::int64_t rows_of_block = c.block_size / c.threads_per_row;
  if (c.way == RowWay::staged) {
    if (c.threads_per_row > power_up(problem.count)) return "more threads for a row than elements";
    if (2 * problem.count < slice_of(problem)) return "most of a stage would be gaps";
    return {};
  }
  // A vector for each thread, and half of the threads at least with one.
  if (c.threads_per_row > 1 && c.threads_per_row > power_up(problem.count)) {
    return "more threads for a row than elements";
  }
  if (c.threads_per_row < limits.wave_size && problem.count > 64 * widest * c.threads_per_row) {
    return "part of a wave for so long a row cannot win";
  }
  if (rows_of_block > 2 * power_up(problem.outer)) return "more groups in a block than rows";
  return {};
}

std::string why_loads_outside_space(const RowsConfig& c, const Problem& problem,
                                    const Limits& limits) {
  RowsConfig likeliest = c;
  likeliest.blocks_per_row = is_parted(c.way) ? 2 : 1;
  likeliest.load = Load::cached;
  likeliest.early_start = Early::off;
  if (auto why = why_unbuildable(likeliest, problem, limits); !why.empty()) return why;
  const bool may_be_wider = c.way == RowWay::staged || !is_batch_invariant(problem);
  if (may_be_wider && bytes_per_load(c, problem) <
                          std::min<std::int64_t>(fewest_load_bytes, limits.max_vector_bytes)) {
    return "loads of so few bytes cannot win";
  }
  if (c.way == RowWay::staged) {
    const std::int64_t rows = staged_rows(c, problem, size_of(problem.in));
    if (rows == 0) return "a row is longer than the stage";
    if (4 * rows * c.threads_per_row < c.block_size) return "most threads would fold nothing";
    if (rows / 2 >= problem.outer) return "half as large a stage has room for all rows";
    return {};
  }
  const std::int64_t vectors = std::max<std::int64_t>(row_vectors(c, problem), 1);
  const std::int64_t tile = std::int64_t{c.threads_per_row} * c.loads_per_thread;
  if (c.threads_per_row > 1 && c.threads_per_row / 2 >= vectors) {
    return "half of the threads would load nothing";
  }
  if (c.loads_per_thread > 1 && tile / 2 >= vectors) return "half of the loads would be none";
  if (c.rows_per_thread > 1 && tile < vectors) {
    return "rows of several tiles are folded one after the other: rows_per_thread is 1";
  }
  if (c.rows_per_thread > 1 && group_rows(c) / 2 >= problem.outer) {
    return "half of the rows of a block would be none";
  }
  return {};
}

std::string why_outside_space(const RowsConfig& c, const Problem& problem, const Limits& limits) {
  if (auto why = why_group_outside_space(c, problem, limits); !why.empty()) return why;
  if (auto why = why_loads_outside_space(c, problem, limits); !why.empty()) return why;
  if (auto why = why_unbuildable(c, problem, limits); !why.empty()) return why;
  if (is_parted(c.way)) {
    if (c.blocks_per_unit != 0) return "every part has a block: blocks_per_unit is 0";
    if (parts_of_row(c, problem, problem.order) != c.blocks_per_row) {
      return "rows are too many or too short for so many parts";
    }
    if (problem.outer * c.blocks_per_row / 2 > 64 * std::int64_t{limits.compute_units}) {
      return "half as many parts keep all compute units at work";
    }
    return {};
  }
  if (c.blocks_per_unit != 0) {
    RowsConfig each_its_own = c;
    each_its_own.blocks_per_unit = 0;
    if (row_blocks(each_its_own, problem, problem, limits) <=
        row_blocks(c, problem, problem, limits)) {
      return "as many blocks as tiles: blocks_per_unit 0 says the same";
    }
  }
  return {};
}

std::int64_t longest_chain(const RowsConfig& c, const Problem& problem, const Limits& limits) {
  const std::int64_t wave = limits.wave_size;
  // The steps of a fold among threads: shuffles, and one value of each wave, by one lane or by all.
  const std::int64_t waves = in_pieces_of(c.threads_per_row, wave);
  const std::int64_t among =
      2 * log2_up(std::min<std::int64_t>(c.threads_per_row, wave)) + (waves > 1 ? 16 + waves : 0);
  const std::int64_t staged =
      c.way == RowWay::staged ? in_pieces_of(problem.count, c.threads_per_row) + among + 1 : 0;
  const std::int64_t loads = c.way == RowWay::staged ? 1 : c.loads_per_thread;
  const std::int64_t tile = std::int64_t{c.threads_per_row} * loads * c.vector_width;
  const std::int64_t parts = is_parted(c.way) ? parts_of_row(c, problem, problem.order) : 1;
  const std::int64_t length = in_pieces_of(problem.count, parts) + row_line_bytes;
  // Tiles one after another, each a tree or its loads one by one; both ends; and spans of 2^30.
  const std::int64_t spans = (length >> 30) + 1;
  const std::int64_t of_thread =
      length / tile + 2 + 2 * loads + log2_up(c.vector_width) + 2 * c.vector_width + 2 * spans;
  const std::int64_t of_parts = parts > 1 ? in_pieces_of(parts, wave) + 2 * log2_up(wave) + 4 : 0;
  return std::max(staged, of_thread + among + of_parts);
}

}  // namespace redtune::kernels
