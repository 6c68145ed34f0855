// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Which floats are right results of sums and products that round, whatever the order of operations.
#pragma once

#include <cstdint>

#include "tuner/verify/reference.hpp"

namespace redtune::tuner {

/// The numbers from low to high, and what cannot be written as a range.
struct Acceptable {
  long double low = 0;
  long double high = 0;
  bool plus_infinity = false;
  bool minus_infinity = false;
  bool nan = false;
  bool number = true;  ///< false: nothing but what the three before it say
};

/// Before the rounding to the output's type. Of problems that round, and of means; of two values
/// the first or the second.
///
/// Sums of x_i in any order, of which no element passes more than k additions:
///   |result - exact| <= theta(k) * sum|x_i|,  theta(k) <= gamma_k = k*u / (1 - k*u)
/// with u the unit roundoff of the accumulator (Higham 2002, section 4.2, with lemma 3.1).
///   64-bit integers   are rounded when they become floats: 1 more.
///   squares           each is rounded: 1 more; 64-bit integers round twice as much before it. A
///                     square may lose the least number to underflow (section 2.1).
///   mean              the count is rounded to the accumulator, and the division: 2 more.
///   l2_norm           all terms have one sign, so the sum s is right within theta * s, and its
///                     square root, monotone, within those of the ends, and 1 rounding.
/// Products of n factors carry every rounding of the n - 1 multiplications, whatever their order
/// (section 3.1): exact * (1 + theta(n - 1)), where multiplications by powers of two are exact and
/// do not count.
///
/// Partial results may overflow although the whole does not: infinities are right when all terms of
/// one sign together reach that far (products: all magnitudes above 1), NaN when infinities of both
/// signs can meet (products: infinity and zero). A product that underflows on its way may lose the
/// least number times all that is multiplied after.
///
/// Sums of exponentials e^(x - m), m the largest: an exponential is off by 8u at most, each
/// combination by as much, and rounding distances and their products with 1 / ln 2 by 3u times the
/// distance: over all elements 3u times the mean distance, weighed by the exponentials, which is at
/// most ln n. log-sum-exp is m and the logarithm of the sum, whose absolute error is the sum's
/// relative one and 2u of itself (Blanchard, Higham and Higham, Accurately computing the
/// log-sum-exp and softmax functions, 2021, section 4).
///
/// Means and squares of distances S: each combination is off by 8u of what it adds (Chan, Golub and
/// LeVeque 1983, section 3), and since means are kept as two floats, by 16u of a distance's last
/// place: |S' - S| <= theta(8k) * S + 256k u^3 * (S + n mean^2). The mean is off by theta(8k) of
/// the mean magnitude. Where differences or squares overflow, infinities and NaN are right as well.
[[nodiscard]] Acceptable acceptable(const Problem& problem, const Reference& reference,
                                    std::int64_t longest_chain, std::size_t value = 0);

/// The same as a number and how far from it a result may be, for who compares many with little
/// arithmetic: what lies within slack.per_value * |value| + slack.per_reach * reach of the value,
/// or rounds from there, is acceptable; something more may be as well. Infinities and NaN are not
/// said.
struct Near {
  long double value = 0;  ///< NaN: nothing is said
  long double reach = 0;
};
struct Slack {
  long double per_value = 0;
  long double per_reach = 0;
};
[[nodiscard]] Near near_of(const Problem& problem, const Reference& reference,
                           std::size_t value = 0);
[[nodiscard]] Slack slack_of(const Problem& problem, std::int64_t longest_chain);

}  // namespace redtune::tuner
