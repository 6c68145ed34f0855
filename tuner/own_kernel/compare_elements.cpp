// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/own_kernel/compare_elements.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <type_traits>

namespace redtune::tuner {
namespace {

/// Floats of a type are numbered in their order, both zeros by 0.
template <class T>
std::int64_t number_of_float(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  const std::uint64_t sign = std::uint64_t{1} << (8 * sizeof(T) - 1);
  const auto magnitude = static_cast<std::int64_t>(bits & (sign - 1));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

/// Numbers of both signs are up to 2^64 apart.
double ulps_between(std::int64_t one, std::int64_t other) {
  return std::abs(static_cast<double>(one) - static_cast<double>(other));
}

template <class T>
bool is_near(const kernels::Tolerance& tolerance, T expected, T got) {
  if (std::memcmp(&expected, &got, sizeof(T)) == 0) return true;
  if constexpr (std::is_integral_v<T>) {
    const auto distance =
        std::abs(static_cast<long double>(expected) - static_cast<long double>(got));
    return distance <= static_cast<long double>(tolerance.absolute) ||
           distance <= static_cast<long double>(tolerance.relative) *
                           std::abs(static_cast<long double>(expected));
  } else {
    const auto right = static_cast<double>(expected);
    const auto value = static_cast<double>(got);
    if (std::isnan(right) || std::isnan(value)) return std::isnan(right) && std::isnan(value);
    if (right == value) return true;  // zeros of both signs
    if (std::isinf(right) || std::isinf(value)) return false;
    const double distance = std::abs(right - value);
    return distance <= tolerance.absolute || distance <= tolerance.relative * std::abs(right) ||
           (tolerance.ulps > 0 &&
            ulps_between(number_of_float(expected), number_of_float(got)) <= tolerance.ulps);
  }
}

template <class T>
std::string text_of_number(T value) {
  if constexpr (std::is_integral_v<T>) return fmt::format("{}", +value);
  if constexpr (std::is_same_v<T, double>) return fmt::format("{}", value);
  return fmt::format("{}", static_cast<float>(value));
}

bool is_full_of(std::span<const std::byte> bytes, Poison poison) {
  return std::ranges::all_of(bytes, [&](std::byte byte) { return byte == poison.byte; });
}

std::string why_numbers_differ(std::size_t element, std::size_t elements, int lane, int lanes,
                               const std::string& values, std::size_t wrong) {
  const std::string place = lanes == 1 ? "" : fmt::format(", lane {}", lane);
  const std::string others = wrong == 1 ? "" : fmt::format("; {} are wrong", wrong);
  return fmt::format("element {} of {}{}: {}{}", element, elements, place, values, others);
}

}  // namespace

std::string why_elements_differ(const kernels::ElementType& type,
                                const kernels::Tolerance& tolerance,
                                std::span<const std::byte> expected, std::span<const std::byte> got,
                                Poison poison) {
  return visit_dtype(type.dtype, [&]<class T>(std::type_identity<T>) -> std::string {
    const std::size_t numbers = expected.size() / sizeof(T);
    std::size_t first = numbers;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < numbers; ++i) {
      T right{};
      T value{};
      std::memcpy(&right, &expected[i * sizeof(T)], sizeof(T));
      std::memcpy(&value, &got[i * sizeof(T)], sizeof(T));
      if (is_near(tolerance, right, value)) continue;
      if (wrong++ == 0) first = i;
    }
    if (wrong == 0) return {};
    T right{};
    T value{};
    std::memcpy(&right, &expected[first * sizeof(T)], sizeof(T));
    std::memcpy(&value, &got[first * sizeof(T)], sizeof(T));
    const bool is_unwritten = is_full_of(got.subspan(first * sizeof(T), sizeof(T)), poison);
    const auto lanes = static_cast<std::size_t>(type.lanes);
    return why_numbers_differ(
        first / lanes, numbers / lanes, static_cast<int>(first % lanes), type.lanes,
        fmt::format("expected {}, {}", text_of_number(right),
                    is_unwritten ? "and nothing was written" : "got " + text_of_number(value)),
        wrong);
  });
}

std::size_t first_unwritten(const kernels::ElementType& type, std::span<const std::byte> one,
                            Poison poison_of_one, std::span<const std::byte> other,
                            Poison poison_of_other) {
  const std::size_t bytes = type.bytes();
  const std::size_t elements = one.size() / bytes;
  for (std::size_t i = 0; i < elements; ++i) {
    if (is_full_of(one.subspan(i * bytes, bytes), poison_of_one) &&
        is_full_of(other.subspan(i * bytes, bytes), poison_of_other)) {
      return i;
    }
  }
  return elements;
}

}  // namespace redtune::tuner
