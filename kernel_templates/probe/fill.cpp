// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/probe/fill.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "kernel_templates/text/device_text.hpp"

namespace redtune::kernels {

const std::string& fill_text() {
  static const std::string text = program_text("fill.hip.h");
  return text;
}

std::string fill_name(DType type, std::string_view pattern, const Limits& limits) {
  return fmt::format("redtune::fill<redtune::{}_words, redtune::{}, {}>", to_string(type), pattern,
                     fill_block(limits));
}

int fill_block(const Limits& limits) {
  // Where lanes run one after another a block of more only costs.
  return limits.min_block_size == 1 ? 1
                                    : std::clamp(256, limits.min_block_size, limits.max_block_size);
}

std::int64_t fill_grid(std::int64_t count, const Limits& limits) {
  const std::int64_t wanted = std::min(std::int64_t{16} * limits.compute_units, limits.max_grid);
  return std::clamp<std::int64_t>(count / fill_block(limits), 1, wanted);
}

}  // namespace redtune::kernels
