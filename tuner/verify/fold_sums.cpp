// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// sum, mean, sum_of_squares, l2_norm: integers wrap, floats are summed with compensation.
#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "tuner/verify/fold.hpp"

namespace redtune::tuner {
namespace {

/// One more term by TwoSum (Knuth, TAOCP 2, 4.2.2) in long double, without a branch that finite
/// numbers decide; into has a value and what it lost.
template <class Sum>
inline void add(long double x, Sum& into) {
  const long double next = into.value + x;
  const long double added = next - into.value;
  const long double lost = (into.value - (next - added)) + (x - added);
  if (std::isfinite(next)) into.lost += lost;
  into.value = next;
}

/// Sums in double, side by side so that no addition waits for the one before it.
struct Block {
  static constexpr std::size_t most = 1024;  ///< elements
  static constexpr std::size_t lanes = 4;

  std::array<double, lanes> sum{};
  std::array<double, lanes> lost{};      ///< what sum lost to rounding
  std::array<double, lanes> positive{};  ///< as of Reference, but for squares: their sum is it
  std::array<double, lanes> negative{};
};

/// Whether each term is a double, so that a Block takes it as it is.
template <class T, bool is_squared>
constexpr bool is_exact_in_double = is_floating_v<T> ? sizeof(T) < 8 || !is_squared
                                                     : sizeof(T) < (is_squared ? 4 : 8);

template <class T, bool is_squared>
auto term(const Elements& elements, std::size_t i) {
  using Number = std::conditional_t<is_exact_in_double<T, is_squared>, double, long double>;
  const auto x = static_cast<Number>(elements.at<T>(i));
  if constexpr (is_squared) return x * x;  // of f64 off by 2^-64, far below its u of 2^-53
  return x;
}

/// Of the elements of [begin, end), a multiple of the lanes. By TwoSum, whose error is exact unless
/// it overflows. The errors of a lane's 2^8 additions are at most 2^-45 of its magnitudes together,
/// and adding them up loses 2^-45 of that: 2^-90, where an accumulator of the widest type may lose
/// 2^-53. positive and negative are off by 2^-45 of themselves, and so is the bound that they
/// scale.
template <class T, bool is_squared>
Block block_of(const Elements& elements, std::size_t begin, std::size_t end) {
  Block block;
  for (std::size_t i = begin; i < end; i += Block::lanes) {
    for (std::size_t lane = 0; lane < Block::lanes; ++lane) {
      const double x = term<T, is_squared>(elements, i + lane);
      const double before = block.sum[lane];
      const double next = before + x;
      const double added = next - before;
      block.lost[lane] += (before - (next - added)) + (x - added);
      block.sum[lane] = next;
      if constexpr (!is_squared) {
        block.positive[lane] += (std::fabs(x) + x) / 2;  // x or 0, without a branch
        block.negative[lane] += (std::fabs(x) - x) / 2;
      }
    }
  }
  if constexpr (is_squared) block.positive = block.sum;
  return block;
}

/// Whether it holds no infinity or NaN, and nothing has overflowed.
bool is_finite(const Block& block) {
  double zero = 0;
  for (std::size_t lane = 0; lane < Block::lanes; ++lane) {
    zero += 0 * block.sum[lane] + 0 * block.lost[lane];
    zero += 0 * block.positive[lane] + 0 * block.negative[lane];
  }
  return zero == 0;
}

void add(const Block& block, Reference& into) {
  for (std::size_t lane = 0; lane < Block::lanes; ++lane) {
    add(block.sum[lane], into);
    into.lost += block.lost[lane];
    into.positive += block.positive[lane];
    into.negative += block.negative[lane];
  }
}

/// The elements of [begin, end) one by one: infinities and NaN, and what does not fit a double.
template <class T, bool is_squared>
void add_terms(const Elements& elements, std::size_t begin, std::size_t end, Reference& into) {
  struct {  // which the compiler keeps in registers
    long double value, lost, positive, negative;
  } local{into.value, into.lost, into.positive, into.negative};
  for (std::size_t i = begin; i < end; ++i) {
    const long double x = term<T, is_squared>(elements, i);
    add(x, local);
    if (!std::isfinite(x)) continue;
    local.positive += (std::fabs(x) + x) / 2;  // x or 0
    local.negative += (std::fabs(x) - x) / 2;
  }
  into.value = local.value;
  into.lost = local.lost;
  into.positive = local.positive;
  into.negative = local.negative;
}

template <class T, bool is_squared>
void add_floats(const Elements& elements, Reference& into) {
  const std::size_t count = elements.count<T>();
  std::size_t begin = 0;
  if constexpr (is_exact_in_double<T, is_squared>) {
    const std::size_t in_blocks = count / Block::lanes * Block::lanes;
    while (begin < in_blocks) {
      const std::size_t end = std::min(begin + Block::most, in_blocks);
      const Block block = block_of<T, is_squared>(elements, begin, end);
      if (is_finite(block)) {
        add(block, into);
      } else {
        add_terms<T, is_squared>(elements, begin, end, into);
      }
      begin = end;
    }
  }
  add_terms<T, is_squared>(elements, begin, count, into);
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
