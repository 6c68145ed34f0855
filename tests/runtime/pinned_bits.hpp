// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The bits of sums that a pinned Reducer gives on the host, for comparison.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "redtune/reducer.hpp"

namespace redtune::testing_runtime {

/// Of a sum whose last bits tell in which order it was added.
inline std::vector<float> telling_floats() {
  std::vector<float> values;
  for (int i = 0; i < 300'000; ++i) values.push_back(1.0F / static_cast<float>(i % 977 + 1));
  return values;
}

inline constexpr std::int64_t telling_counts[] = {1000, 30'000, 100'000, 299'999};

inline Reducer pinned_reducer(const std::string& cache_file, std::int64_t count = 30'000) {
  return Reducer(make_problem(Op::sum, DType::f32, count),
                 {.device = "host", .lookup = {.cache_file = cache_file}, .pinned = true});
}

/// At the same alignment in every process, whatever was allocated before.
inline const float* placed_floats() {
  static constexpr std::size_t alignment = 256;
  static std::vector<float> memory = telling_floats();
  static const float* const first = [] {
    const std::vector<float> values = memory;
    std::size_t room = values.size() * sizeof(float) + alignment;
    memory.resize(room / sizeof(float));
    void* place = memory.data();
    auto* const begin =
        static_cast<float*>(std::align(alignment, values.size() * sizeof(float), place, room));
    std::copy(values.begin(), values.end(), begin);
    return begin;
  }();
  return first;
}

inline std::string bits_of(const Reducer& reducer, Workspace& workspace) {
  std::string bits;
  for (const std::int64_t count : telling_counts) {
    float out = 0;
    reducer.launch(placed_floats(), count, &out, workspace);
    reducer.synchronize();
    bits += fmt::format("{:08x} ", std::bit_cast<std::uint32_t>(out));
  }
  return bits;
}

}  // namespace redtune::testing_runtime
