// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How inputs of each element type are made, and CUB's and Thrust's calls for each problem. What
// redtune has and this table has not is reported, and no reason not to compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>
#include <string_view>
#include <vector>

#include "bench/compare_cub/value.hpp"
#include "redtune/problem.hpp"

namespace redtune::compare {

/// Queues the writing of count elements that depend on the seed.
using Fill = void (*)(void* data, std::int64_t count, std::uint64_t seed, cudaStream_t stream);

/// Temporary storage and how large it is; without storage the call only says how large.
struct Temporary {
  void* data = nullptr;
  std::size_t bytes = 0;
};

struct Reduction {
  const void* in = nullptr;
  std::int64_t count = 0;
  void* out = nullptr;  ///< on the device; not for Thrust
  cudaStream_t stream = nullptr;
};

using CubCall = cudaError_t (*)(Temporary&, const Reduction&);
using ThrustCall = Bytes (*)(const Reduction&);  ///< waits, and returns the value

/// Who does the same as redtune for an operator and types.
struct PeerRow {
  std::string_view op;
  std::string_view in;
  std::string_view acc;  ///< the type the peers accumulate in
  std::string_view out;
  CubCall cub = nullptr;
  CubCall narrow = nullptr;  ///< accumulates and writes the element's type; null: nobody
  ThrustCall thrust = nullptr;
};

using PeerRows = std::vector<PeerRow>;

// By operator, and by type where one file would take long to compile.
[[nodiscard]] PeerRows float_sum_rows();
[[nodiscard]] PeerRows integer_sum_rows();
[[nodiscard]] PeerRows float_extreme_rows();
[[nodiscard]] PeerRows signed_extreme_rows();
[[nodiscard]] PeerRows unsigned_extreme_rows();
[[nodiscard]] PeerRows float_index_rows();
[[nodiscard]] PeerRows integer_index_rows();
[[nodiscard]] PeerRows product_rows();
[[nodiscard]] PeerRows square_rows();
[[nodiscard]] PeerRows nonzero_rows();
[[nodiscard]] PeerRows magnitude_rows();

/// The input for a problem; null where nobody here knows the type.
[[nodiscard]] Fill find_fill(const Problem& problem);

/// By operator, input and output; null where CUB has nothing that does the same.
[[nodiscard]] const PeerRow* find_peers(const Problem& problem);

}  // namespace redtune::compare
