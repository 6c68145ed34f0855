// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/segments/group_by_key.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "kernel_templates/family/sizes.hpp"
#include "kernel_templates/segments/family.hpp"
#include "kernel_templates/segments/plan_making.hpp"
#include "kernel_templates/text/device_names.hpp"
#include "kernel_templates/text/device_text.hpp"

namespace redtune::kernels {
namespace {

// As in group_by_key.hip.h.
constexpr std::int64_t keys_of_mark = 8;
constexpr std::int64_t keys_of_word = 32;

}  // namespace

const std::string& group_text() {
  static const std::string text = program_text("group_by_key.hip.h");
  return text;
}

std::vector<std::string> group_kernels(int key_bits, std::int64_t offset_bits,
                                       const Limits& limits) {
  const std::string_view key = device_type(key_bits == 64 ? DType::u64 : DType::u32);
  const int block = group_block(limits);
  return {fmt::format("redtune::mark_heads<{}, {}>", key, block),
          fmt::format("redtune::place_heads<{}, {}, {}>", key, offset_type(offset_bits), block)};
}

int group_block(const Limits& limits) {
  return plan_block(limits);
}

std::int64_t group_grid(std::int64_t keys, const Limits& limits) {
  constexpr std::int64_t blocks_of_unit = 4;  // that the registers of their loads have room for
  const std::int64_t most =
      std::min(limits.max_grid, blocks_of_unit * std::max(1, limits.compute_units));
  return std::clamp<std::int64_t>(in_pieces_of(keys, keys_of_word * group_block(limits)), 1, most);
}

GroupBytes group_bytes(std::int64_t keys, std::int64_t offset_bits, const Limits& limits) {
  return {.marks = in_pieces_of(keys, keys_of_word) * (keys_of_word / keys_of_mark),
          .counts = 8 * group_grid(keys, limits),
          .offsets = (keys + 1) * (offset_bits / 8)};
}

}  // namespace redtune::kernels
