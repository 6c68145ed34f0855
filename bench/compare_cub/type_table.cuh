// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// For each element type, by its name: how an input is made, and CUB's and Thrust's calls for each
// operator. What redtune has and this table has not is reported, and no reason not to compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>
#include <string_view>
#include <vector>

#include "bench/compare_cub/value.hpp"
#include "redtune/problem.hpp"

namespace redtune::compare {

/// Queues the writing of count elements: small numbers that depend on the seed.
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

struct PeerRow {
  std::string_view op;
  std::string_view acc;  ///< the type the peers accumulate in
  std::string_view out;
  CubCall cub = nullptr;
  ThrustCall thrust = nullptr;
};

struct TypeRow {
  std::string_view name;
  Fill fill = nullptr;
  std::vector<PeerRow> peers;
};

[[nodiscard]] TypeRow f32_row();
[[nodiscard]] TypeRow f64_row();
[[nodiscard]] TypeRow i32_row();
[[nodiscard]] TypeRow u32_row();
[[nodiscard]] TypeRow i64_row();
[[nodiscard]] TypeRow u64_row();
[[nodiscard]] TypeRow i8_row();
[[nodiscard]] TypeRow u8_row();
[[nodiscard]] TypeRow f16_row();
[[nodiscard]] TypeRow bf16_row();

/// Null where the table has no such type.
[[nodiscard]] const TypeRow* find_type(std::string_view name);

/// By operator and output; null where nobody here does the same.
[[nodiscard]] const PeerRow* find_peers(const TypeRow& type, const Problem& problem);

}  // namespace redtune::compare
