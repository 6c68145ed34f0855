// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/probe/surroundings.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "kernel_templates/text/device_text.hpp"

namespace redtune::kernels {
namespace {

/// Of GPUs: as programs have them. Where lanes run one after another a block is one lane.
constexpr int small_block = 128;
constexpr int producer_block = 256;
/// What a thread of a producer writes where that does not make too many blocks.
constexpr std::int64_t words_per_thread = 4;
constexpr std::int64_t most_producer_blocks_per_unit = 16;

std::string_view name_of(SurroundingKernel kernel) {
  switch (kernel) {
    case SurroundingKernel::touch:
      return "touch";
    case SurroundingKernel::renew:
      return "renew";
    case SurroundingKernel::sweep:
      return "sweep";
    case SurroundingKernel::consume:
      return "consume";
  }
  return "touch";
}

/// As large as the memory that it goes through, up to what fills a device.
bool is_elementwise(SurroundingKernel kernel) {
  return kernel == SurroundingKernel::renew || kernel == SurroundingKernel::sweep;
}

}  // namespace

const std::string& surroundings_text() {
  static const std::string text = program_text("surroundings.hip.h");
  return text;
}

std::string surrounding_name(SurroundingKernel kernel, const Limits& limits) {
  return fmt::format("redtune::{}<{}>", name_of(kernel), surrounding_block(kernel, limits));
}

int surrounding_block(SurroundingKernel kernel, const Limits& limits) {
  if (limits.min_block_size == 1) return 1;
  const int wanted = is_elementwise(kernel) ? producer_block : small_block;
  return std::clamp(wanted, limits.min_block_size, limits.max_block_size);
}

std::int64_t surrounding_grid(SurroundingKernel kernel, std::int64_t words, const Limits& limits) {
  // One block a unit, which fills no unit and leaves none idle.
  if (!is_elementwise(kernel)) return limits.compute_units;
  const std::int64_t a_block = words_per_thread * surrounding_block(kernel, limits);
  const std::int64_t most = std::min(most_producer_blocks_per_unit * limits.compute_units,
                                     static_cast<std::int64_t>(limits.max_grid));
  return std::clamp<std::int64_t>((words + a_block - 1) / a_block, 1, most);
}

}  // namespace redtune::kernels
