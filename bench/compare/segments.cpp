// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare/segments.hpp"

#include <algorithm>
#include <span>

#include "bench/compare/findings.hpp"
#include "tuner/verify/offsets.hpp"

namespace redtune::compare {
namespace {

std::vector<std::int64_t> offsets_of(const Shape& shape, std::optional<Degrees> degrees) {
  return degrees ? offsets_of_degrees(*degrees, shape) : tuner::segment_offsets(shape);
}

}  // namespace

std::vector<std::byte> offsets_in_memory(const Shape& shape, std::optional<Degrees> degrees) {
  return tuner::packed_offsets(offsets_of(shape, degrees), shape);
}

Keys keys_in_memory(const Shape& shape, std::optional<Degrees> degrees) {
  static_assert(sizeof(std::int32_t) == key_bytes);
  const std::vector<std::int64_t> offsets = offsets_of(shape, degrees);
  std::vector<std::int32_t> keys(static_cast<std::size_t>(shape.count));
  Keys found;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    if (offsets[i] == offsets[i + 1]) continue;
    ++found.groups;
    std::fill(keys.begin() + offsets[i], keys.begin() + offsets[i + 1],
              static_cast<std::int32_t>(i));
  }
  const auto bytes = std::as_bytes(std::span(keys));
  found.bytes.assign(bytes.begin(), bytes.end());
  return found;
}

}  // namespace redtune::compare
