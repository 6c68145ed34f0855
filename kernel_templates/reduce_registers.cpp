// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/reduce_registers.hpp"

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
  if (folds_tiles(problem)) return words_of(bytes) + 1;
  const std::int64_t lanes = bytes < 4 ? 2 * config.vector_width + 1  // each unpacked
                                       : words_of(config.vector_width * bytes);
  return info(problem.op).shape == ResultShape::indexed ? lanes + words_of(bytes) + 4 : lanes;
}

/// Elements that compilers widen before they need them. f16 of which the largest magnitude is
/// sought: on waves of 64 all of them; elements that are added in f64: some. Fitted to what
/// hipRTC 5.2 spills and does not spill on gfx90a and gfx1030.
std::int64_t widened_registers(const ReduceConfig& config, const Problem& problem,
                               const Limits& limits) {
  const bool unpacks = info(problem.op).accumulates == TypeRule::magnitude &&
                       problem.in == DType::f16 && limits.wave_size == 64;
  if (unpacks && config.vector_width == 8) return config.items_per_thread;
  return problem.acc == DType::f64 && size_of(problem.in) < 8 && limits.wave_size == 32 ? 8 : 0;
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
