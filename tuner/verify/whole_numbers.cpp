// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/whole_numbers.hpp"

#include <cstring>
#include <limits>
#include <type_traits>

#include "kernel_templates/generate.hip.h"
#include "tuner/verify/input.hpp"
#include "tuner/verify/parallel.hpp"

namespace redtune::tuner {
namespace {

/// Element i of numbers whose magnitudes add up to no more than `most` over the whole input.
template <class T>
T whole_number(std::size_t i, std::size_t count, std::uint64_t base, std::int64_t most) {
  constexpr std::int64_t largest = 8;
  if (static_cast<std::int64_t>(count) <= most / largest) {
    const auto number = static_cast<int>(hash(base + i) % (2 * largest + 1)) - int{largest};
    return static_cast<T>(number);
  }
  // One of every `run` neighbours, at a place of its own.
  const std::size_t run = (count - 1) / static_cast<std::size_t>(most) + 1;
  const std::uint64_t bits = hash(base + i / run);
  if (i % run != (bits >> 1) % run) return 0;
  return static_cast<T>((bits & 1) != 0 ? 1 : -1);
}

}  // namespace

std::vector<std::byte> make_whole_numbers(const Problem& problem, std::uint64_t seed) {
  return visit_dtype(problem.in, [&]<class T>(std::type_identity<T>) -> std::vector<std::byte> {
    if constexpr (std::is_floating_point_v<T>) {
      constexpr std::int64_t most = std::int64_t{1} << std::numeric_limits<T>::digits;
      const auto count = static_cast<std::size_t>(problem.count);
      const std::uint64_t base = hash(seed);
      std::vector<std::byte> bytes(count * sizeof(T));
      for_each_piece(count, [&](std::size_t, std::size_t i, std::size_t end) {
        for (; i < end; ++i) {
          const T value = whole_number<T>(i, count, base, most);
          std::memcpy(&bytes[i * sizeof(T)], &value, sizeof(T));
        }
      });
      return bytes;
    } else {
      return make_input(problem, seed);
    }
  });
}

}  // namespace redtune::tuner
