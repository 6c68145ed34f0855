// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a default is made of was best of 160 random configs for each of 16 lengths on an H100, in
// f32, bf16 and bytes (docs/results/h100_rows.md), and of what tunes on an H200 found, which reads
// half as fast again (docs/results/h200_rows.md).
#include "kernel_templates/rows/defaults.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "kernel_templates/family/sizes.hpp"
#include "kernel_templates/rows/rules.hpp"

namespace redtune::kernels {
namespace {

bool are_many(const Problem& problem) {
  return are_many_rows(problem, size_of(problem.in));
}

/// Bytes of an input of short rows of four bytes an element up to which loads past the caches were
/// faster whatever the results: at 64 MiB on an H200 they were, with a cache of 60 MiB; at 256 MiB
/// they were not (docs/results/h200_rows.md#short-rows-by-words).
constexpr std::int64_t most_streamed = std::int64_t{1} << 27;

/// Whether a stage of rows would be gaps for the most part.
bool have_gaps(const Problem& problem) {
  return slice_of(problem) >= 2 * problem.count;
}

bool is_sum(const Problem& problem) {
  return problem.op == Op::sum || problem.op == Op::mean;
}

/// Elements of four bytes whose sum has eight.
bool are_widened_words(const Problem& problem) {
  return is_sum(problem) && size_of(problem.in) == 4 && size_of(problem.acc) > 4;
}

bool is_cut(const Problem& problem) {
  return are_cut_rows(problem, size_of(problem.in));
}

/// Eight loads of a thread on their way, where registers and a stage have room for them.
RowsConfig with_more_loads(const RowsConfig& c, const Problem& problem, const Limits& limits) {
  RowsConfig more = c;
  more.loads_per_thread = 8;
  return why_unbuildable(more, problem, limits).empty() ? more : c;
}

/// A block reads as a stream what its threads load, and folds each row by a thread for every 72
/// bytes, to the nearest power of two; by one where rows are short. As tunes and tables of sums on
/// an H200 told (docs/results/h200_rows.md#short-rows-by-words): blocks of 64 threads for elements
/// of two bytes in rows of 16 bytes or less, and for rows of 5 to 15 bytes; of 128 for longer rows
/// of two bytes an element, and for rows of bytes that begin within vectors, except of 96 to
/// 192 bytes; eight loads where there are many rows of two or four bytes an element, and in rows of
/// 40 to 47 bytes.
RowsConfig in_stages(RowsConfig c, const Problem& problem, const Limits& limits) {
  constexpr double bytes_of_thread = 72.0;
  const auto in_bytes = static_cast<int>(size_of(problem.in));
  const std::int64_t row_bytes = problem.count * in_bytes;
  c.way = RowWay::staged;
  const double threads = std::max(1.0, static_cast<double>(row_bytes) / bytes_of_thread);
  c.threads_per_row = static_cast<int>(std::min<std::int64_t>(
      std::int64_t{1} << std::lround(std::log2(threads)), std::min(16, limits.wave_size)));
  const bool has_ends = in_bytes == 1 && is_cut(problem) && row_bytes > widest_load;
  const bool has_large_blocks = row_bytes >= 192 && are_many(problem);
  const bool has_small_blocks = row_bytes < 96 || (row_bytes > 192 && row_bytes < 288);
  if ((in_bytes == 2 && !has_large_blocks) || (has_ends && has_small_blocks)) {
    const int small = in_bytes == 2 && row_bytes <= widest_load ? 64 : 128;
    c.block_size = std::clamp(small, limits.min_block_size, limits.max_block_size);
  }
  if (in_bytes == 1 && row_bytes > 4 && row_bytes < widest_load) {
    c.block_size = std::clamp(64, limits.min_block_size, limits.max_block_size);
  }
  const bool brings_more = are_many(problem);
  const bool are_halves =
      in_bytes == 2 && row_bytes > 4 && !is_joint(problem) && c.threads_per_row == 1;
  if ((are_halves && brings_more) || (has_ends && row_bytes >= 40 && row_bytes < 48)) {
    c = with_more_loads(c, problem, limits);
  }
  const bool are_words = in_bytes == 4;
  if (are_words && is_cut(problem) && problem.count <= (are_widened_words(problem) ? 56 : 34)) {
    c.threads_per_row = 1;  // in banks of its own
  }
  if (are_words && row_bytes <= 4 * widest_load && c.threads_per_row == 1) {
    if (brings_more || row_bytes <= widest_load) {
      c.block_size = std::clamp(128, limits.min_block_size, limits.max_block_size);
    }
    if (brings_more) c.loads_per_thread = 8;
  }
  return c;
}

/// Groups of threads with so many loads for each thread, in blocks of so many threads.
RowsConfig in_groups(RowsConfig c, std::int64_t threads_per_row, int loads) {
  c.way = RowWay::groups;
  c.loads_per_thread = loads;
  c.threads_per_row = static_cast<int>(std::min<std::int64_t>(threads_per_row, c.block_size));
  return c;
}

/// Threads for a tile of so many elements for each, halved where more of a row's last tile would be
/// empty than so many tenths of the row: what is masked costs as many instructions as what is
/// there. Ends of rows that begin within vectors are apart from tiles.
int with_few_empty(const RowsConfig& c, const Problem& problem, std::int64_t of_thread,
                   int tenths) {
  const bool have_ends = is_cut(problem);
  const std::int64_t row = problem.count - (have_ends ? c.vector_width : 0);
  const std::int64_t tile = c.threads_per_row * of_thread;
  const std::int64_t empty = in_pieces_of(row, tile) * tile - row;
  return c.threads_per_row > 1 && 10 * empty > tenths * row ? c.threads_per_row / 2
                                                            : c.threads_per_row;
}

/// The tile is one that a row fills: where a row ends far behind its last, most loads are masked.
RowsConfig in_filled_tiles(const RowsConfig& c, const Problem& problem) {
  constexpr int loads = 4;
  const std::int64_t vectors = row_vectors(c, problem);
  const std::int64_t all = power_up(vectors);
  // A sixteenth of it may be empty.
  RowsConfig filled = in_groups(c, (all - all / 16 <= vectors ? all : all / 2) / loads, loads);
  if (size_of(problem.in) <= 4)
    filled.threads_per_row = with_few_empty(filled, problem, loads * c.vector_width, 4);
  return filled;
}

/// Whether one tile of these has a row, and a sixteenth of it at most is empty.
bool fills_a_tile(const RowsConfig& c, const Problem& problem) {
  const RowsConfig filled = in_filled_tiles(c, problem);
  const std::int64_t tile =
      std::int64_t{filled.threads_per_row} * filled.loads_per_thread * filled.vector_width;
  const std::int64_t row = problem.count - (is_cut(problem) ? c.vector_width : 0);
  return row <= tile && row >= tile - tile / 16;
}

/// Rows whose elements cost more than the memory does: each is made another type, or goes into an
/// accumulator of several words. Eight loads of four elements are on their way at a time, in small
/// blocks.
bool are_dear(const Problem& problem) {
  const std::size_t bytes = size_of(problem.in);
  const bool are_wide =
      size_of(problem.acc) > bytes || info(problem.op).shape == ResultShape::indexed;
  return is_joint(problem) || bytes == 2 || (bytes == 4 && are_wide);
}

RowsConfig in_small_loads(RowsConfig c, const Problem& problem, const Limits& limits) {
  constexpr int loads = 8;
  constexpr std::int64_t most_threads = 128;
  c.vector_width = std::min(c.vector_width, 4);
  const std::int64_t of_thread = std::int64_t{loads} * c.vector_width;
  RowsConfig small = c;
  if (is_joint(problem)) {  // what threads have is put together dearly
    const std::int64_t pieces = std::max<std::int64_t>(4, problem.count / (3 * of_thread));
    small = in_groups(c, std::min(most_threads, power_down(pieces)), loads);
  } else {
    const std::int64_t threads = problem.count * 16 / 15 / of_thread;  // a sixteenth may be empty
    small =
        in_groups(c, std::min(most_threads, power_down(std::max<std::int64_t>(threads, 1))), loads);
    const bool may_be_fewer = small.threads_per_row >= (size_of(problem.in) == 2 ? 8 : 16);
    if (may_be_fewer) small.threads_per_row = with_few_empty(small, problem, of_thread, 3);
  }
  small.block_size = std::clamp(std::max(small.threads_per_row, is_joint(problem) ? 64 : 128),
                                limits.min_block_size, limits.max_block_size);
  while (small.loads_per_thread > 1 && !why_unbuildable(small, problem, limits).empty()) {
    small.loads_per_thread /= 2;
  }
  return small;
}

/// Whether more than an eighth of what a row's threads may load is not the row's.
bool leaves_much_empty(const RowsConfig& c, const Problem& problem) {
  const std::int64_t tile = std::int64_t{c.threads_per_row} * c.loads_per_thread * c.vector_width;
  const std::int64_t tiles = (problem.count + tile - 1) / tile;
  return 8 * (tiles * tile - problem.count) > problem.count;
}

/// Rows of two bytes an element that two threads have at a time.
RowsConfig in_pairs(RowsConfig c, const Limits& limits) {
  c.block_size = std::clamp(128, limits.min_block_size, limits.max_block_size);
  return in_groups(c, 2, 4);
}

/// Rows of bytes that a thread each has, by loads of half the width.
RowsConfig by_threads(RowsConfig c, int loads, const Limits& limits) {
  c.block_size = std::clamp(128, limits.min_block_size, limits.max_block_size);
  c.vector_width = std::max(1, c.vector_width / 2);
  c.load = Load::cached;
  return in_groups(c, 1, loads);
}

/// Bytes of an input of short rows of bytes above which they have a thread each in a stage: with
/// 64 MiB on an H200 groups of threads were as fast, with 256 MiB they were not.
constexpr std::int64_t most_in_groups = std::int64_t{1} << 27;

/// Sums of rows that are whole vectors long and apart, a thread each in shared memory: few wait for
/// each other there, and it makes little difference where in a vector rows begin. Of bytes, and of
/// elements of four bytes where more threads of a row were not faster by a hundredth
/// (docs/results/h200_rows.md#rows-alike-from-different-banks).
std::optional<RowsConfig> by_whole_vectors(RowsConfig c, const Problem& problem,
                                           const Limits& limits) {
  if (!is_sum(problem) || have_gaps(problem) || is_cut(problem)) return std::nullopt;
  if (problem.count % c.vector_width != 0) return std::nullopt;
  const std::int64_t vectors = row_vectors(c, problem);
  const std::size_t in_bytes = size_of(problem.in);
  const auto staged = [&](int block_size, int loads) {
    c.way = RowWay::staged;
    c.threads_per_row = 1;
    c.loads_per_thread = loads;
    c.block_size = std::clamp(block_size, limits.min_block_size, limits.max_block_size);
    return c;
  };
  if (in_bytes == 1 && vectors > 2 && vectors <= 16) {
    const bool are_few = problem.outer <= most_in_groups / problem.count;
    return are_few ? std::nullopt : std::optional(staged(128, 4));
  }
  if (in_bytes != 4 || !are_many(problem)) return std::nullopt;
  if (vectors <= 4 || (are_widened_words(problem) && vectors == 16)) return staged(128, 8);
  return vectors == 8 ? std::optional(staged(256, 4)) : std::nullopt;
}

RowsConfig for_short_rows(const RowsConfig& c, const Problem& problem, const Limits& limits) {
  if (const auto whole = by_whole_vectors(c, problem, limits)) return *whole;
  const std::int64_t vectors = row_vectors(c, problem);
  const std::size_t in_bytes = size_of(problem.in);
  const bool are_widened = are_widened_words(problem);
  const std::int64_t most_in_fours = are_widened ? 72 : 64;
  if (in_bytes == 4 && is_cut(problem) && problem.count > 56 && problem.count <= most_in_fours) {
    return in_groups(c, 4, 4);
  }
  if (are_widened && problem.count >= 60 && are_many(problem) && !have_gaps(problem)) {
    RowsConfig staged = in_stages(c, problem, limits);
    staged.block_size = std::clamp(128, limits.min_block_size, limits.max_block_size);
    staged.threads_per_row = std::min(4, limits.wave_size);
    staged.loads_per_thread = 8;
    return staged;
  }
  if (is_cut(problem)) {
    const RowsConfig grouped = in_groups(c, 2, 8);
    if (in_bytes == 1 && problem.count > 44 && problem.count < 64) return by_threads(c, 4, limits);
    const bool is_longer_of_bytes = in_bytes == 1 && problem.count > 101 && problem.count < 192 &&
                                    why_unbuildable(grouped, problem, limits).empty();
    return is_longer_of_bytes ? grouped : in_stages(c, problem, limits);
  }
  if (in_bytes == 1 && vectors == 4) return by_threads(c, 8, limits);
  const bool fills_two_loads = vectors >= 4 && vectors == power_down(vectors) && in_bytes != 2;
  if (!fills_two_loads) return in_stages(c, problem, limits);
  // As fast as groups are, and rows of 64 lose less where they do not begin with a vector.
  const bool brings_more = are_many(problem);
  const bool are_staged = in_bytes == 4 && vectors <= (brings_more ? 16 : 4) && !have_gaps(problem);
  if (!are_staged) return in_groups(c, vectors / 2, 2);
  RowsConfig staged = in_stages(c, problem, limits);
  const std::int64_t threads = brings_more ? std::min<std::int64_t>(vectors / 2, 4) : vectors / 2;
  staged.threads_per_row = static_cast<int>(std::min<std::int64_t>(threads, limits.wave_size));
  if (brings_more) staged.loads_per_thread = 8;
  const bool are_small = brings_more && vectors >= 8;
  staged.block_size =
      are_small ? std::clamp(128, limits.min_block_size, limits.max_block_size) : c.block_size;
  return staged;
}

constexpr std::int64_t fewest_in_large_blocks = 6 * 1024;  ///< vectors

/// Rows that keep a large block busy: with as many loads on their way fewer blocks do.
RowsConfig in_large_blocks(const RowsConfig& c, const Problem& problem, const Limits& limits) {
  if (row_vectors(c, problem) < fewest_in_large_blocks) return c;
  RowsConfig large = c;
  large.block_size = std::clamp(512, limits.min_block_size, limits.max_block_size);
  large.threads_per_row = large.block_size;
  large.loads_per_thread = size_of(problem.in) == 2 ? 8 : 4;
  if (size_of(problem.in) == 2) large.vector_width = std::min(large.vector_width, 4);
  return why_unbuildable(large, problem, limits).empty() ? large : c;
}

/// Of rows that each have several elements of a thread, but for those that keep a large block busy
/// with few of its loads empty. Some lengths leave much of a group's loads empty, and stages none.
std::optional<RowsConfig> for_dear_rows(const RowsConfig& c, const Problem& problem,
                                        const Limits& limits) {
  const bool are_halves = size_of(problem.in) == 2;
  if (row_vectors(c, problem) >= fewest_in_large_blocks) {
    const RowsConfig large = in_large_blocks(in_filled_tiles(c, problem), problem, limits);
    if (!are_halves || !leaves_much_empty(large, problem)) return std::nullopt;
  }
  const bool are_staged = is_sum(problem) && are_many(problem) && !have_gaps(problem);
  if (problem.count >= (are_staged ? 112 : 96)) {
    RowsConfig small = in_small_loads(c, problem, limits);
    const bool are_short = problem.count > 256 && problem.count < 512;
    if (are_staged && are_halves && are_short && leaves_much_empty(small, problem)) {
      small = with_more_loads(in_stages(c, problem, limits), problem, limits);
      small.threads_per_row = std::min(4, limits.wave_size);
    }
    return small;
  }
  const bool are_in_pairs =
      are_halves && !is_joint(problem) && problem.count >= 60 && problem.count < 96;
  return are_in_pairs ? std::optional(in_pairs(c, limits)) : std::nullopt;
}

/// Few long rows: a block for every MiB, one or two for each compute unit, as far as a part is half
/// a MiB or more. What parts are handed over costs as much as reading that. Loads that the cache
/// keeps were faster here, but for bytes.
RowsConfig in_parts(RowsConfig c, const Problem& problem, const Limits& limits) {
  constexpr std::int64_t mib = std::int64_t{1} << 20;
  c.way = limits.block_order == BlockOrder::by_index ? RowWay::slots : RowWay::tickets;
  c.threads_per_row = c.block_size;
  const auto row_bytes = problem.count * static_cast<std::int64_t>(size_of(problem.in));
  const std::int64_t rows = std::max<std::int64_t>(problem.outer, 1);
  const std::int64_t units = std::max(1, limits.compute_units);
  const std::int64_t blocks = std::clamp(row_bytes * rows / mib, units, 2 * units);
  const std::int64_t parts = std::min({blocks / rows, 2 * row_bytes / mib, std::int64_t{128}});
  c.blocks_per_row = static_cast<int>(power_down(std::max<std::int64_t>(parts, 1)));
  c.blocks_per_row = static_cast<int>(power_down(parts_of_row(c, problem, problem.order)));
  if (size_of(problem.in) > 1) c.load = Load::cached;
  return c;
}

/// Of Order::rows: a function of the length alone. Blocks share rows so long that one would be a
/// device's whole work, however many there are.
RowsConfig default_batch_invariant(const Problem& problem, RowsConfig c, const Limits& limits) {
  constexpr std::int64_t elements_of_wave = 32;
  constexpr std::int64_t tiles_of_part = 8;
  c.vector_width = 1;
  c.loads_per_thread = 8;
  const std::int64_t length = power_up(std::max<std::int64_t>(problem.count, 1));
  c.threads_per_row = static_cast<int>(std::clamp<std::int64_t>(
      length / elements_of_wave, std::min(32, c.block_size), c.block_size));
  // Fewer loads on their way where registers are few.
  while (c.loads_per_thread > 1 && !why_unbuildable(c, problem, limits).empty()) {
    c.loads_per_thread /= 2;
  }
  const std::int64_t of_part = std::int64_t{c.block_size} * c.loads_per_thread * tiles_of_part;
  if (problem.count < 2 * of_part) return c;
  c.way = RowWay::tickets;
  c.threads_per_row = c.block_size;
  c.blocks_per_row =
      static_cast<int>(power_down(std::min<std::int64_t>(problem.count / of_part, 256)));
  return c;
}

}  // namespace

RowsConfig default_rows(const Problem& problem, const Limits& limits) {
  const auto in_bytes = static_cast<int>(size_of(problem.in));
  RowsConfig c;
  c.block_size = std::clamp(256, limits.min_block_size, limits.max_block_size);
  c.vector_width = std::clamp(std::min(widest_load, limits.max_vector_bytes) / in_bytes, 1, 16);
  if (limits.wave_size == 1) {  // lanes run one after another: blocks of one, a few for each unit
    c.block_size = limits.min_block_size;
    c.threads_per_row = c.block_size;
    if (is_batch_invariant(problem)) c.vector_width = 1;
    const bool each_its_own =
        !is_batch_invariant(problem) && problem.outer <= std::int64_t{4} * limits.compute_units;
    c.blocks_per_unit = each_its_own ? 0 : 4;
    return c;
  }
  if (is_batch_invariant(problem)) return default_batch_invariant(problem, c, limits);
  // Where results are more than a few of a hundred bytes, loads past the caches were slower: of
  // half a gigabyte and more than 1 in 24, but for sums in eight bytes of rows that are whole
  // vectors 1 in 16, and of less 1 in 12.
  const std::int64_t row_bytes = problem.count * in_bytes;
  const auto out_bytes = static_cast<std::int64_t>(result_bytes(problem));
  const bool are_wide_vectors = are_widened_words(problem) && !is_cut(problem);
  const std::int64_t bytes_of_result =
      in_bytes == 1 || !are_many(problem) ? 12 : (are_wide_vectors ? 16 : 24);
  const bool has_few_results = row_bytes >= bytes_of_result * out_bytes ||
                               (in_bytes == 4 && row_bytes * problem.outer <= most_streamed);
  if (has_few_results && problem.cache_mode == CacheMode::cold &&
      limits.streaming_loads == StreamingLoads::present) {
    c.load = Load::streaming;
  }
  const std::int64_t vectors = row_vectors(c, problem);
  const std::int64_t units = std::max(1, limits.compute_units);
  const bool are_few = problem.outer < 2 * units;
  if (are_dear(problem) && !are_few) {
    if (const auto dear = for_dear_rows(c, problem, limits)) return *dear;
  }
  const bool are_cut = is_cut(problem);
  const std::int64_t most_of_short = are_cut && in_bytes == 1   ? 40
                                     : are_cut && in_bytes == 8 ? 65
                                                                : 31;
  const bool fill_tiles =
      in_bytes == 1 && vectors > 31 && is_sum(problem) && fills_a_tile(c, problem);
  if (vectors <= most_of_short && !fill_tiles) return for_short_rows(c, problem, limits);
  const RowsConfig grouped = in_large_blocks(in_filled_tiles(c, problem), problem, limits);
  if (!are_few || vectors <= 16 * c.block_size) return grouped;
  const RowsConfig parted = in_parts(
      with_more_loads(in_large_blocks(c, problem, limits), problem, limits), problem, limits);
  return parted.blocks_per_row > 1 ? parted : with_more_loads(grouped, problem, limits);
}

std::vector<RowsConfig> known_rows(const Problem& problem, const Limits& limits) {
  const auto in_bytes = static_cast<int>(size_of(problem.in));
  const int widest = std::clamp(limits.max_vector_bytes / in_bytes, 1, 16);
  // Block size, threads and rows at a time, loads: what was found best on an H100, then what
  // experiments with plain kernels found on an H200, and blocks of one lane for processors.
  constexpr RowsConfig shapes[] = {
      {RowWay::groups, 1, 1, 1, 8},      {RowWay::groups, 1, 1, 4, 1},
      {RowWay::staged, 1, 1, 1, 8},      {RowWay::staged, 64, 1, 1, 4},
      {RowWay::staged, 64, 4, 1, 4},     {RowWay::staged, 256, 1, 1, 4},
      {RowWay::staged, 256, 4, 1, 4},    {RowWay::staged, 256, 4, 1, 8},
      {RowWay::staged, 256, 8, 1, 8},    {RowWay::staged, 256, 16, 1, 4},
      {RowWay::groups, 512, 2, 1, 2},    {RowWay::groups, 512, 8, 1, 2},
      {RowWay::groups, 256, 8, 1, 4},    {RowWay::groups, 256, 32, 1, 2},
      {RowWay::groups, 256, 64, 1, 4},   {RowWay::groups, 512, 512, 1, 8},
      {RowWay::groups, 512, 512, 1, 4},  {RowWay::staged, 256, 8, 1, 4},
      {RowWay::groups, 256, 2, 4, 1},    {RowWay::groups, 256, 4, 2, 1},
      {RowWay::groups, 256, 8, 2, 1},    {RowWay::groups, 256, 16, 8, 1},
      {RowWay::groups, 256, 32, 4, 2},   {RowWay::groups, 256, 32, 1, 4},
      {RowWay::groups, 256, 2, 1, 2},    {RowWay::groups, 256, 8, 1, 2},
      {RowWay::groups, 256, 16, 1, 4},   {RowWay::staged, 256, 2, 1, 4},
      {RowWay::groups, 256, 32, 1, 8},   {RowWay::groups, 256, 128, 1, 4},
      {RowWay::slots, 512, 512, 1, 4},   {RowWay::slots, 256, 256, 1, 4},
      {RowWay::tickets, 512, 512, 1, 4},
  };
  const bool is_host = limits.wave_size == 1;
  const bool streams =
      problem.cache_mode == CacheMode::cold && limits.streaming_loads == StreamingLoads::present;
  std::vector<RowsConfig> known;
  for (RowsConfig c : shapes) {
    c.vector_width = is_batch_invariant(problem) && c.way != RowWay::staged ? 1 : widest;
    c.load = streams && !is_host ? Load::streaming : Load::cached;
    for (const int blocks_per_row : {1, 2, 8, 32, 128}) {
      if (is_parted(c.way) != (blocks_per_row > 1)) continue;
      c.blocks_per_row = blocks_per_row;
      for (const int blocks_per_unit : {0, 4}) {
        if (blocks_per_unit != 0 && !is_host) continue;
        c.blocks_per_unit = blocks_per_unit;
        const bool is_new = std::ranges::find(known, c) == known.end();
        if (is_new && why_outside_space(c, problem, limits).empty()) known.push_back(c);
      }
    }
  }
  return known;
}

std::vector<Shape> typical_rows(const Limits& limits) {
  constexpr std::int64_t large = std::int64_t{1} << 28;
  constexpr std::int64_t middle = std::int64_t{1} << 26;  // not yet are_many, of four bytes each
  constexpr std::int64_t streamed = most_streamed / 8;    // and no more than 128 MiB of doubles
  constexpr std::int64_t small = std::int64_t{1} << 17;
  std::vector<Shape> shapes;
  for (const std::int64_t total : {small, streamed, middle, large}) {
    for (std::int64_t length = 1; length <= small; length *= 2) {
      for (const std::int64_t count : {length, length + 1, length + length / 2}) {
        shapes.push_back(Shape::rows(std::max<std::int64_t>(1, total / count), count));
      }
    }
  }
  // Rows that blocks share, up to the fewest that they do not.
  const int units = std::max(1, limits.compute_units);
  const int few = limits.wave_size == 1 ? 4 * units + 1 : 2 * units;
  std::set<std::int64_t> numbers{few - 1, few};
  for (std::int64_t outer = 1; outer < few; outer *= 2) numbers.insert(outer);
  for (const std::int64_t outer : numbers) {
    for (std::int64_t length = 64; length <= large / outer; length *= 2) {
      shapes.push_back(Shape::rows(outer, length));
      if (length < small) shapes.push_back(Shape::rows(outer, length + 1));
    }
  }
  return shapes;
}

}  // namespace redtune::kernels
