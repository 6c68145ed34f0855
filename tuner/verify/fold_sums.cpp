// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// sum, mean, sum_of_squares, l2_norm: integers wrap, floats are summed with compensation.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "tuner/verify/fold.hpp"

namespace redtune::tuner {
namespace {

/// One more term by Neumaier's compensation, in long double.
void add(long double x, Reference& into) {
  const long double next = into.value + x;
  if (std::isfinite(next)) {
    into.lost +=
        std::fabs(into.value) >= std::fabs(x) ? (into.value - next) + x : (x - next) + into.value;
  }
  into.value = next;
}

/// Lanes do not wait for one another.
constexpr std::size_t lanes = 8;
constexpr std::size_t block = 512 * lanes;

/// Of a block: lane by lane, what its elements add up to and what that lost to rounding (Knuth, The
/// Art of Computer Programming 2, 4.2.2, theorem C), and their magnitudes by sign. The latter are
/// rounded, by 2^-43 of themselves at most; they only scale bounds.
struct BlockSums {
  std::array<double, lanes> sum{};
  std::array<double, lanes> lost{};
  std::array<double, lanes> positive{};
  std::array<double, lanes> negative{};

  void add(std::size_t lane, double x) {
    const double next = sum[lane] + x;
    const double of_x = next - sum[lane];
    lost[lane] += (sum[lane] - (next - of_x)) + (x - of_x);
    sum[lane] = next;
    positive[lane] += x > 0 ? x : 0;
    negative[lane] += x < 0 ? -x : 0;
  }
  [[nodiscard]] bool is_finite() const {
    return std::ranges::all_of(sum, [](double x) { return std::isfinite(x); });
  }
};

/// Of types whose squares a double holds exactly.
template <class T, bool is_squared>
BlockSums sums_of_block(const Elements& elements, std::size_t begin) {
  BlockSums sums;
  for (std::size_t i = begin; i < begin + block; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      auto x = static_cast<double>(elements.at<T>(i + lane));
      if constexpr (is_squared) x *= x;
      sums.add(lane, x);
    }
  }
  return sums;
}

void add(const BlockSums& block, Reference& into) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    add(block.sum[lane], into);
    into.lost += block.lost[lane];
    into.positive += block.positive[lane];
    into.negative += block.negative[lane];
  }
}

template <class T, bool is_squared>
void add_floats(const Elements& elements, Reference& into) {
  Reference local = into;  // which the compiler keeps in registers
  std::size_t i = 0;
  if constexpr (is_floating_v<T> && sizeof(T) < sizeof(double)) {
    for (; i + block <= elements.count<T>(); i += block) {
      const BlockSums sums = sums_of_block<T, is_squared>(elements, i);
      if (!sums.is_finite()) break;  // from here on one by one
      add(sums, local);
    }
  }
  for (; i < elements.count<T>(); ++i) {
    auto x = static_cast<long double>(elements.at<T>(i));
    if constexpr (is_squared) x *= x;  // of f64 off by 2^-64, far below its u of 2^-53
    add(x, local);
    if (!std::isfinite(x)) continue;
    (x < 0 ? local.negative : local.positive) += std::fabs(x);
  }
  into = local;
}

template <class T>
void add_integers(const Elements& elements, bool is_squared, Reference& into) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < elements.count<T>(); ++i) {
    const auto x = static_cast<std::uint64_t>(elements.at<T>(i));
    bits += is_squared ? x * x : x;
  }
  into.bits += bits;
}

}  // namespace

void fold_sums(const Problem& problem, const Elements& elements, Reference& into) {
  const bool is_squared = squares(problem.op);
  visit_dtype(problem.in, [&]<class T>(std::type_identity<T>) {
    if constexpr (!is_floating_v<T>) {
      if (!rounds(problem)) return add_integers<T>(elements, is_squared, into);
    }
    if (is_squared) return add_floats<T, true>(elements, into);
    add_floats<T, false>(elements, into);
  });
}

void merge_sums(const Reference& part, Reference& into) {
  into.bits += part.bits;
  add(part.value, into);
  into.lost += part.lost;
  into.positive += part.positive;
  into.negative += part.negative;
}

}  // namespace redtune::tuner
