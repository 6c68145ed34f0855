// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare/segments.hpp"

#include "tuner/verify/offsets.hpp"

namespace redtune::compare {

std::vector<std::byte> offsets_in_memory(const Shape& shape, std::optional<Degrees> degrees) {
  return tuner::packed_offsets(
      degrees ? offsets_of_degrees(*degrees, shape) : tuner::segment_offsets(shape), shape);
}

}  // namespace redtune::compare
