// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/offsets.hpp"

#include <algorithm>
#include <cstring>

#include "tuner/verify/scattered.hpp"

namespace redtune::tuner {
namespace {

constexpr std::size_t offsets_alignment = 16;

/// How long a segment is beside the others.
double weight(std::int64_t i, const Shape& shape) {
  const auto number = static_cast<std::uint64_t>(i);
  if (shape.skew == Skew::zipf) {
    const auto all = static_cast<std::uint64_t>(shape.segment_count);
    return 1 / static_cast<double>(shuffled(number, all) + 1);  // of its rank
  }
  return 0.5 + random_part(number);
}

/// Offsets from `first` on of segments that share so many elements by their weights.
void share_out(std::int64_t elements, const Shape& shape, std::span<std::int64_t> offsets) {
  const std::size_t segments = offsets.size() - 1;
  double all = 0;
  for (std::size_t i = 0; i < segments; ++i) all += weight(static_cast<std::int64_t>(i), shape);
  double sum = 0;
  for (std::size_t i = 0; i < segments; ++i) {
    offsets[i] =
        std::min(elements, static_cast<std::int64_t>(static_cast<double>(elements) * (sum / all)));
    sum += weight(static_cast<std::int64_t>(i), shape);
  }
  offsets[segments] = elements;
}

}  // namespace

std::vector<std::int64_t> segment_offsets(const Shape& shape) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(offsets_of(shape)));
  if (shape.segment_count == 0) return offsets;
  if (shape.skew != Skew::giant) {
    share_out(shape.count, shape, offsets);
    return offsets;
  }
  const std::int64_t giant = shape.segment_count == 1 ? shape.count : shape.count / 2;
  const auto middle = static_cast<std::size_t>(shape.segment_count / 2);
  if (shape.segment_count > 1) {
    // The others as if it were not there.
    share_out(shape.count - giant, shape, std::span(offsets).first(offsets.size() - 1));
  }
  for (std::size_t i = offsets.size() - 1; i > middle; --i) offsets[i] = offsets[i - 1] + giant;
  return offsets;
}

std::vector<std::byte> packed_offsets(std::span<const std::int64_t> offsets, const Shape& shape) {
  const std::size_t each = static_cast<std::size_t>(shape.offset_bits) / 8;
  std::vector<std::byte> bytes(offsets.size() * each);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (each == sizeof(std::int64_t)) {
      std::memcpy(&bytes[i * each], &offsets[i], each);
    } else {
      const auto narrow = static_cast<std::int32_t>(offsets[i]);
      std::memcpy(&bytes[i * each], &narrow, each);
    }
  }
  return bytes;
}

std::size_t offsets_at(const Problem& problem) {
  return (input_bytes(problem) + offsets_alignment - 1) / offsets_alignment * offsets_alignment;
}

std::size_t bytes_with_offsets(const Problem& problem) {
  if (!is_segmented(problem)) return input_bytes(problem);
  return offsets_at(problem) + static_cast<std::size_t>(offsets_bytes(problem));
}

runtime::Operands operands_of(const Shape& shape, const void* in, const void* offsets, void* out) {
  if (!is_segmented(shape)) return {in, shape, out};
  const auto* const begins = static_cast<const std::byte*>(offsets);
  return {in, shape, out, begins, begins + shape.offset_bits / 8};
}

runtime::Operands operands_in(const Problem& problem, const Shape& shape, const void* in,
                              void* out) {
  return operands_of(shape, in, static_cast<const std::byte*>(in) + offsets_at(problem), out);
}

}  // namespace redtune::tuner
