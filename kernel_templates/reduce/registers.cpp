// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/reduce/registers.hpp"

#include <algorithm>

#include "kernel_templates/family/sizes.hpp"

namespace redtune::kernels {
namespace {

std::int64_t words_of(std::int64_t bytes) {
  return (bytes + 3) / 4;
}

/// Whether a thread folds its part of a tile to one value before it accumulates (tile_accumulator
/// in device_code/ops.hip.h, word_fold.hip.h).
bool folds_tiles(const Problem& problem) {
  const bool is_small_integer =
      size_of(problem.in) < 4 && info(problem.in).kind != DTypeKind::floating;
  switch (problem.op) {
    case Op::sum:
    case Op::mean:
      return is_small_integer;
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor:
    case Op::all:
    case Op::count_nonzero:
      return size_of(problem.in) < 4;
    case Op::any:
      return true;
    default:
      return false;
  }
}

/// 32-bit registers of a thread's accumulator, and of what enters it at a time.
std::int64_t accumulator_registers(const ReduceConfig& config, const Problem& problem) {
  const auto bytes = static_cast<std::int64_t>(size_of(problem.acc));
  if (is_joint(problem)) return joint_registers(problem, config.vector_width);
  if (folds_tiles(problem)) return words_of(bytes) + 1;
  const std::int64_t lanes = bytes < 4 ? 2 * config.vector_width + 1  // each unpacked
                                       : words_of(config.vector_width * bytes);
  return info(problem.op).shape == ResultShape::indexed ? lanes + words_of(bytes) + 4 : lanes;
}

/// gfx900, gfx906, gfx908: half of the registers of later gfx9.
bool is_early_gfx9(const Limits& limits) {
  return limits.wave_size == 64 && limits.registers_per_unit <= 65536;
}

/// gfx10: of all GPUs with waves of 32 alone without an instruction that adds floats to memory.
bool is_gfx10(const Limits& limits) {
  return limits.wave_size == 32 && limits.float_atomics == FloatAtomics::absent;
}

/// Elements that compilers widen before they need them: f16 of which the largest magnitude is
/// sought, i16 that are squared, and those that are added in f64. Fitted to what hipRTC 5.2 spills
/// and does not spill on gfx900, gfx906, gfx90a, gfx1010 and gfx1030. gfx908 and gfx1030 could do
/// with fewer than gfx906 and gfx1010 at times: limits do not tell them apart.
std::int64_t widened_registers(const ReduceConfig& config, const Problem& problem,
                               const Limits& limits) {
  const std::int64_t items = config.items_per_thread;
  const int width = config.vector_width;
  const bool has_16_bits = size_of(problem.in) == 2;
  const bool four_on_gfx10 = has_16_bits && width == 4 && is_gfx10(limits);
  if (info(problem.op).accumulates == TypeRule::magnitude && problem.in == DType::f16) {
    if (limits.wave_size == 64 && width == 8) return items;
    if (four_on_gfx10) return 18;
  }
  const bool squares_i16 = problem.op == Op::sum_of_squares && problem.in == DType::i16;
  if (squares_i16 && width == 2 && is_gfx10(limits)) return 16;
  if (problem.acc != DType::f64 || size_of(problem.in) >= 8) return 0;
  if (limits.wave_size == 32) return four_on_gfx10 ? 18 : 8;
  const bool widens_all = has_16_bits && width == 8 && is_early_gfx9(limits) &&
                          config.finish == Finish::single_block && !folds_tiles(problem);
  // In place of what was loaded.
  return widens_all ? std::max<std::int64_t>(0, 2 * (items - width) - items / 2) : 0;
}

/// 64-bit elements that are compared or multiplied: compilers keep what they compare with, and
/// parts of products, of small signed integers for each byte of a load. Fitted to what NVRTC 13
/// spills and does not spill on sm_90, and to products of i8 and i16 on gfx90a and gfx1030.
std::int64_t comparing_registers(const ReduceConfig& config, const Problem& problem,
                                 std::int64_t loads) {
  const TypeRule rule = info(problem.op).accumulates;
  const bool compares =
      rule == TypeRule::comparable || rule == TypeRule::magnitude || problem.op == Op::product;
  if (!compares || size_of(problem.acc) < 8) return 0;
  if (loads >= 16) return 2 * loads;
  const bool is_indexed = info(problem.op).shape == ResultShape::indexed;
  if (problem.op == Op::product) {
    const bool extends = info(problem.in).kind == DTypeKind::signed_int && size_of(problem.in) < 4;
    return 24 + (extends ? 2 * load_bytes_of(config, problem) : 0);
  }
  return is_indexed ? 24 : 8;
}

/// Addresses of loads that are farther apart than an instruction's offset reaches. The compiler of
/// HIP 6.4 keeps each in two registers on gfx942 where no two loads are within gfx9's offsets of up
/// to 4095.
std::int64_t address_registers(std::int64_t loads, std::int64_t step_bytes, const Limits& limits) {
  const bool all_are_far = limits.wave_size == 64 && step_bytes >= 4096 && loads >= 32;
  return all_are_far ? 2 * loads : loads / 2;
}

}  // namespace

std::int64_t load_bytes_of(const ReduceConfig& config, const Problem& problem) {
  return config.vector_width * static_cast<std::int64_t>(size_of(problem.in));
}

std::int64_t registers_needed(const ReduceConfig& config, const Problem& problem,
                              const Limits& limits) {
  const std::int64_t load_bytes = load_bytes_of(config, problem);
  const std::int64_t loads = config.items_per_thread / config.vector_width;
  return loads * words_of(load_bytes) + accumulator_registers(config, problem) +
         address_registers(loads, config.block_size * load_bytes, limits) +
         comparing_registers(config, problem, loads) + widened_registers(config, problem, limits) +
         23;
}

}  // namespace redtune::kernels
