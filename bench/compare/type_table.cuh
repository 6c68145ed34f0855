// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How inputs of each element type are made, and the peers' calls for each problem. What
// redtune has and this table has not is reported, and no reason not to compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "bench/compare/gpu_names.cuh"
#include "bench/compare/value.hpp"
#include "redtune/problem.hpp"

namespace redtune::compare {

/// Queues the writing of count elements that depend on the seed.
using Fill = void (*)(void* data, std::int64_t count, std::uint64_t seed, gpuStream_t stream);

/// Temporary storage and how large it is; without storage the call only says how large.
struct Temporary {
  void* data = nullptr;
  std::size_t bytes = 0;
};

struct Reduction {
  const void* in = nullptr;
  Shape shape = {};
  const void* offsets = nullptr;  ///< of segments: where each begins, and the last ends; or keys
  void* out = nullptr;            ///< on the device; not for a call that waits
  gpuStream_t stream = nullptr;
  std::int32_t* keys_of_groups = nullptr;  ///< where groups are to be found by keys
  std::int64_t* groups = nullptr;          ///< and how many they are
};

using LibraryCall = gpuError_t (*)(Temporary&, const Reduction&);
using WaitingCall = Bytes (*)(const Reduction&);  ///< waits, and returns the value

/// Who does the same as redtune for an operator and types.
struct PeerRow {
  std::string_view op;
  std::string_view in;
  std::string_view acc;  ///< the type the peers accumulate in
  std::string_view out;
  LibraryCall library = nullptr;
  LibraryCall narrow = nullptr;  ///< accumulates and writes the element's type; null: nobody
  WaitingCall thrust = nullptr;
  LibraryCall rows = nullptr;      ///< segments between offsets that are computed
  LibraryCall segments = nullptr;  ///< between offsets that are read
  LibraryCall fixed = nullptr;     ///< segments of one size
  LibraryCall by_key = nullptr;    ///< groups of equal keys
};

using PeerRows = std::vector<PeerRow>;

/// Whether rows and fixed of a PeerRow reduce a shape: rows of elements side by side, all of them
/// within the reach of 32 bits.
[[nodiscard]] constexpr bool has_row_peers(const Shape& shape) {
  return shape.outer > 1 && are_rows(shape) &&
         span_of(shape) <= std::numeric_limits<std::int32_t>::max();
}

/// The input for a problem; null where nobody here knows the type.
[[nodiscard]] Fill find_fill(const Problem& problem);

/// By operator, input and output; null where the library has nothing that does the same.
[[nodiscard]] const PeerRow* find_peers(const Problem& problem);

}  // namespace redtune::compare
