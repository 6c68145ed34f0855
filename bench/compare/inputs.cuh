// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Copies of a cell's input on the device. Cold: taken in turns, and no cache holds them when a
// sample begins. Warm: one and then the next, since a place in memory has a speed of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bench/compare/gpu.cuh"
#include "bench/compare/options.hpp"
#include "bench/compare/type_table.cuh"
#include "tuner/verify/places.hpp"

namespace redtune::compare {

using tuner::places_of;
/// A sample is one graph: more would leave each a few steps.
inline constexpr std::size_t most_places_of_a_sample = 16;
using tuner::Turn;

/// Where the copies of an input lie.
struct Layout {
  std::size_t offset = 0;  ///< bytes of each copy before its input begins
  std::size_t stride = 0;  ///< bytes from copy to copy
  std::size_t copies = 1;
  std::size_t offsets_at = 0;  ///< bytes from an input to the offsets of its segments, or to keys
  std::size_t evict = 0;  ///< bytes read before a sample so that nothing of the input is cached

  [[nodiscard]] std::size_t bytes() const { return stride * copies + evict; }
};

/// The most copies that a cold sample can use: more executions it does not have.
inline constexpr std::size_t most_copies = 1024;

[[nodiscard]] Layout layout_of(const Cell& cell, CacheMode input, std::int64_t cache_bytes);

class Inputs {
 public:
  Inputs(const Layout& layout, gpuStream_t stream);

  void write(Fill fill, std::int64_t count, std::uint64_t seed) const;
  /// The offsets of segments, or keys, behind the elements of each copy; waits for the stream.
  void write_offsets(const std::vector<std::byte>& offsets) const;
  /// Of all copies.
  [[nodiscard]] std::vector<const void*> addresses() const;
  /// Queues what makes the next sample cold; nothing where it is meant to be warm.
  void evict() const;
  [[nodiscard]] const void* at(const Turn& turn);
  /// Of each copy.
  [[nodiscard]] std::size_t bytes() const { return layout_.stride - layout_.offset; }

 private:
  [[nodiscard]] std::byte* copy(std::size_t i) const;

  Layout layout_;
  gpuStream_t stream_;
  Memory memory_;
  std::optional<Memory> other_;  // what evict() reads
  std::size_t turn_ = 0;
};

}  // namespace redtune::compare
