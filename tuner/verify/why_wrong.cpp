// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Whether a result is right: exact where it can be, within what acceptable.hpp says where not.
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <type_traits>

#include "tuner/verify/acceptable.hpp"
#include "tuner/verify/float_format.hpp"
#include "tuner/verify/fold.hpp"
#include "tuner/verify/reference.hpp"

namespace redtune::tuner {
namespace {

template <class T>
T value_at(const void* result) {
  T value;
  std::memcpy(&value, result, sizeof(T));
  return value;
}

std::int64_t index_at(const void* result) {
  std::int64_t index = 0;
  const auto* bytes = static_cast<const std::byte*>(result);
  std::memcpy(&index, bytes + offsetof(IndexedValue<std::int64_t>, index), sizeof(index));
  return index;
}

/// A NaN has no sign for people, whatever bit says so.
template <class T>
std::string text_of(T value) {
  if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16>) {
    return text_of(static_cast<float>(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::isnan(value) ? "nan" : fmt::format("{}", value);
  } else {
    return fmt::format("{}", value);
  }
}

/// A number that is known better than the type of the result can say.
std::string text_of_exact(DType out, long double exact) {
  return out == DType::f64 ? text_of(static_cast<double>(exact))
                           : text_of(static_cast<float>(exact));
}

std::string expected_but(const std::string& expected, const std::string& got) {
  return fmt::format("expected {}, got {}", expected, got);
}

std::string why_rounded_wrong(const Problem& problem, const Acceptable& right, long double got,
                              const std::string& text) {
  const FloatFormat out = format_of(problem.out);
  const long double low = out.rounded(right.low);
  const long double high = out.rounded(right.high);
  if (std::isnan(got)) {
    if (right.nan) return {};
  } else if (std::isinf(got)) {
    const bool is_plus = got > 0;
    if (is_plus ? right.plus_infinity : right.minus_infinity) return {};
    if (right.number && (is_plus ? high : low) == got) return {};
  } else if (right.number) {
    if (low <= got && got <= high) return {};
    // Half way between two numbers either is as near.
    const auto is_nearest = [&](long double end) {
      return !std::isinf(out.rounded(end)) && std::fabs(got - end) <= out.spacing(got) / 2;
    };
    if (is_nearest(right.low) || is_nearest(right.high)) return {};
  }
  if (right.nan && !right.number && !right.plus_infinity && !right.minus_infinity) {
    return expected_but("NaN", text);
  }
  if (!right.number || std::isinf(low) || std::isinf(high)) {
    const bool is_minus = right.minus_infinity || (right.number && low < 0 && std::isinf(low));
    return expected_but(is_minus ? "-inf" : "inf", text);
  }
  return fmt::format("expected {} within {:.3g}, got {}",
                     text_of_exact(problem.out, right.low / 2 + right.high / 2),
                     static_cast<double>((right.high - right.low) / 2 + out.spacing(high) / 2),
                     text);
}

/// Extremes are elements: nothing is computed, at most the type is a narrower one.
template <class T>
std::string why_extreme_wrong(const Reference& reference, T got) {
  if constexpr (is_floating_v<T>) {
    const long double expected = format_of(dtype_of<T>()).rounded(reference.value);
    const auto number = static_cast<long double>(got);
    if (std::isnan(expected) ? std::isnan(number) : number == expected) return {};
    return expected_but(std::isnan(expected) ? "NaN" : fmt::format("{}", double(expected)),
                        text_of(got));
  } else {
    const auto expected = static_cast<T>(reference.bits);
    return got == expected ? "" : expected_but(text_of(expected), text_of(got));
  }
}

/// The element as it stands at its index: also a zero has its sign.
template <class T>
std::string why_place_wrong(const Problem& problem, const Reference& reference,
                            const void* result) {
  const auto got = value_at<T>(result);
  std::string why = why_extreme_wrong(reference, got);
  if constexpr (is_floating_v<T>) {
    const bool is_zero = static_cast<float>(got) == 0;
    if (why.empty() && is_zero &&
        std::signbit(static_cast<float>(got)) != std::signbit(reference.value)) {
      why = expected_but(std::signbit(reference.value) ? "-0" : "0", text_of(got));
    }
  }
  if (why.empty() && index_at(result) == reference.index) return {};
  std::string expected;
  if constexpr (is_floating_v<T>) {
    expected = text_of(static_cast<double>(reference.value));
  } else {
    expected = text_of(static_cast<T>(reference.bits));
  }
  return fmt::format("expected {} at {}, got {}", expected, reference.index,
                     result_text(problem, result));
}

/// Each value by itself, with its name.
template <class T>
std::string why_pair_wrong(const Problem& problem, const Reference& reference,
                           std::int64_t longest_chain, const void* result) {
  Reference of_value = reference;
  for (std::size_t i = 0; i < value_names(problem.op).size(); ++i) {
    const auto got = value_at<T>(static_cast<const std::byte*>(result) + i * sizeof(T));
    std::string why;
    if (group_of(problem.op) == Group::min_max) {
      why = why_extreme_wrong(of_value, got);
      of_value.value = reference.second;
      of_value.bits = reference.second_bits;
    } else if constexpr (is_floating_v<T>) {
      why = why_rounded_wrong(problem, acceptable(problem, reference, longest_chain, i),
                              static_cast<long double>(got), text_of(got));
    }
    if (!why.empty()) return fmt::format("{}: {}", value_names(problem.op)[i], why);
  }
  return {};
}

template <class T>
std::string why_type_wrong(const Problem& problem, const Reference& reference,
                           std::int64_t longest_chain, const void* result) {
  if (info(problem.op).shape == ResultShape::pair) {
    return why_pair_wrong<T>(problem, reference, longest_chain, result);
  }
  const auto got = value_at<T>(result);
  if (info(problem.op).shape == ResultShape::indexed) {
    return why_place_wrong<T>(problem, reference, result);
  }
  if (group_of(problem.op) == Group::extremes) return why_extreme_wrong(reference, got);
  if constexpr (is_floating_v<T>) {
    return why_rounded_wrong(problem, acceptable(problem, reference, longest_chain),
                             static_cast<long double>(got), text_of(got));
  } else {
    const auto expected = static_cast<T>(reference.bits);
    return got == expected ? "" : expected_but(text_of(expected), text_of(got));
  }
}

}  // namespace

std::string why_wrong(const Problem& problem, const Reference& reference,
                      std::int64_t longest_chain, const void* got) {
  return visit_dtype(problem.out, [&]<class T>(std::type_identity<T>) {
    return why_type_wrong<T>(problem, reference, longest_chain, got);
  });
}

std::string value_text(const ResultValue& value, const void* result) {
  return visit_dtype(value.type, [&]<class T>(std::type_identity<T>) {
    return text_of(value_at<T>(static_cast<const std::byte*>(result) + value.offset));
  });
}

std::string result_text(const Problem& problem, const void* result) {
  const std::vector<ResultValue> values = values_of_result(problem);
  if (values.size() > 1) {
    std::string all;
    for (const ResultValue& value : values) {
      all += fmt::format("{}{} {}", all.empty() ? "" : " ", value.name, value_text(value, result));
    }
    return all;
  }
  std::string text = value_text(values.front(), result);
  if (info(problem.op).shape != ResultShape::indexed) return text;
  return text + fmt::format(" at {}", index_at(result));
}

}  // namespace redtune::tuner
