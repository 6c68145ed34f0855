// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/reference.hpp"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <type_traits>
#include <vector>

#include "tuner/verify/parallel.hpp"

namespace redtune::tuner {
namespace {

template <class T>
T element(std::span<const std::byte> data, std::size_t i) {
  T value;
  std::memcpy(&value, &data[i * sizeof(T)], sizeof(T));
  return value;
}

/// Neumaier's compensated sum in long double.
template <class T>
void add_floats(std::span<const std::byte> data, Reference& reference) {
  long double sum = 0;
  long double lost = 0;
  for (std::size_t i = 0; i < data.size() / sizeof(T); ++i) {
    const long double x = element<T>(data, i);
    const long double next = sum + x;
    if (std::isfinite(next))
      lost += std::fabs(sum) >= std::fabs(x) ? (sum - next) + x : (x - next) + sum;
    sum = next;
    reference.magnitude += std::fabs(x);
  }
  reference.value = sum + lost;
}

template <class T>
T extreme(Op op, std::span<const std::byte> data) {
  using Limits = std::numeric_limits<T>;
  const bool is_min = op == Op::min;
  T best = is_min ? (Limits::has_infinity ? Limits::infinity() : Limits::max())
                  : (Limits::has_infinity ? -Limits::infinity() : Limits::lowest());
  for (std::size_t i = 0; i < data.size() / sizeof(T); ++i) {
    const T x = element<T>(data, i);
    if (x != x) return x;
    if (is_min ? x < best : best < x) best = x;
  }
  return best;
}

template <class T>
std::string why_float_wrong(const Reference& reference, long double error_bound, T got) {
  if (std::isnan(reference.value)) {
    return std::isnan(got) ? "" : fmt::format("expected NaN, got {}", got);
  }
  if (static_cast<long double>(got) == reference.value) return {};
  const auto rounded = static_cast<T>(reference.value);
  if (std::isinf(rounded))
    return got == rounded ? "" : fmt::format("expected {}, got {}", rounded, got);
  const long double half_ulp =
      0.5L *
      (std::nextafter(std::fabs(rounded), std::numeric_limits<T>::infinity()) - std::fabs(rounded));
  const long double error = std::fabs(static_cast<long double>(got) - reference.value);
  if (error <= error_bound + half_ulp) return {};  // false for a NaN
  return fmt::format("expected {} within {:.3g}, got {}", static_cast<double>(reference.value),
                     static_cast<double>(error_bound + half_ulp), got);
}

/// Half the distance from 1 to the next number.
long double unit_roundoff(DType accumulator) {
  return visit_dtype(accumulator, []<class T>(std::type_identity<T>) {
    return static_cast<long double>(std::numeric_limits<T>::epsilon()) / 2;
  });
}

template <class T>
void set_sum(std::span<const std::byte> data, Reference& reference) {
  if constexpr (std::is_floating_point_v<T>) {
    add_floats<T>(data, reference);
  } else {
    for (std::size_t i = 0; i < data.size() / sizeof(T); ++i) {
      reference.bits += static_cast<std::uint64_t>(element<T>(data, i));
    }
  }
}

template <class T>
void set_extreme(Op op, std::span<const std::byte> data, Reference& reference) {
  const T best = extreme<T>(op, data);
  if constexpr (std::is_floating_point_v<T>)
    reference.value = best;
  else
    reference.bits = static_cast<std::uint64_t>(best);
}

/// Two parts of an input as one.
template <class T>
Reference merged(Op op, const Reference& a, const Reference& b) {
  Reference both{
      .bits = a.bits + b.bits, .value = a.value + b.value, .magnitude = a.magnitude + b.magnitude};
  if (op == Op::sum) return both;
  const auto is_b = [op](auto x, auto y) { return y != y || (op == Op::min ? y < x : x < y); };
  both.bits = is_b(static_cast<T>(a.bits), static_cast<T>(b.bits)) ? b.bits : a.bits;
  both.value = is_b(a.value, b.value) ? b.value : a.value;
  return both;
}

Reference reference_of_part(const Problem& problem, std::span<const std::byte> data) {
  Reference reference;
  visit_dtype(problem.in, [&]<class T>(std::type_identity<T>) {
    switch (problem.op) {  // an operator that is missing here is a warning of the compiler
      case Op::sum:
        set_sum<T>(data, reference);
        break;
      case Op::min:
      case Op::max:
        set_extreme<T>(problem.op, data, reference);
        break;
    }
  });
  return reference;
}

}  // namespace

Reference reference_of(const Problem& problem, std::span<const std::byte> data) {
  const std::size_t element = size_of(problem.in);
  const std::size_t count = data.size() / element;
  std::vector<Reference> parts(pieces_of(count));
  for_each_piece(count, [&](std::size_t piece, std::size_t begin, std::size_t end) {
    parts[piece] =
        reference_of_part(problem, data.subspan(begin * element, (end - begin) * element));
  });
  return visit_dtype(problem.in, [&]<class T>(std::type_identity<T>) {
    Reference all = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) all = merged<T>(problem.op, all, parts[i]);
    return all;
  });
}

std::string why_wrong(const Problem& problem, const Reference& reference,
                      std::int64_t longest_chain, const void* got) {
  return visit_dtype(problem.out, [&]<class T>(std::type_identity<T>) -> std::string {
    T result;
    std::memcpy(&result, got, sizeof(T));
    if constexpr (std::is_floating_point_v<T>) {
      const long double ku = static_cast<long double>(longest_chain) * unit_roundoff(problem.acc);
      // A chain of 1/u additions may lose everything: then the bound says nothing.
      const long double gamma =
          ku < 1 ? ku / (1 - ku) : std::numeric_limits<long double>::infinity();
      const long double bound = reference.magnitude > 0 ? gamma * reference.magnitude : 0;
      return why_float_wrong<T>(reference, bound, result);
    } else {
      const auto expected = static_cast<T>(reference.bits);
      if (result == expected) return {};
      return fmt::format("expected {}, got {}", expected, result);
    }
  });
}

}  // namespace redtune::tuner
