// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/probe/checksum.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "kernel_templates/text/device_names.hpp"
#include "kernel_templates/text/device_text.hpp"

namespace redtune::kernels {

const std::string& checksum_text() {
  static const std::string text = program_text("checksum.hip.h");
  return text;
}

std::string checksum_name(const Limits& limits) {
  return fmt::format("redtune::checksum<{}>", checksum_block(limits));
}

std::string restore_name(const Limits& limits) {
  return fmt::format("redtune::restore<{}>", checksum_block(limits));
}

std::string far_apart_name(DType type, const Limits& limits) {
  return fmt::format("redtune::far_apart<{}, {}>", device_type(type), checksum_block(limits));
}

int checksum_block(const Limits& limits) {
  constexpr int wanted = 256;
  return limits.min_block_size == 1
             ? 1
             : std::clamp(wanted, limits.min_block_size, limits.max_block_size);
}

/// Enough to read at the memory's speed, and no more blocks than have something to do.
std::int64_t checksum_grid(std::size_t bytes, const Limits& limits) {
  constexpr std::int64_t blocks_per_unit = 4;
  constexpr std::size_t bytes_per_thread = 16;
  const std::size_t a_block = bytes_per_thread * static_cast<std::size_t>(checksum_block(limits));
  const std::int64_t most =
      std::min<std::int64_t>(blocks_per_unit * limits.compute_units, limits.max_grid);
  return std::clamp<std::int64_t>(static_cast<std::int64_t>((bytes + a_block - 1) / a_block), 1,
                                  most);
}

}  // namespace redtune::kernels
