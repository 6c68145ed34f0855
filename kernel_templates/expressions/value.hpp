// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What expressions calculate with: exact quotients of 64-bit integers, which nearly always are
// whole numbers, and truth values.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace redtune::kernels {

/// Holds products of two 64-bit numbers, and sums of two of those.
__extension__ typedef __int128 WideInteger;

/// A number: numerator / denominator in lowest terms, the denominator above 0. Or true or false,
/// which count as 1 and 0, as in Python.
class Value {
 public:
  constexpr Value() = default;
  constexpr explicit Value(std::int64_t whole) : numerator_(whole) {}
  [[nodiscard]] static constexpr Value truth(bool is_true) {
    Value value(is_true ? 1 : 0);
    value.is_truth_ = true;
    return value;
  }
  /// Nothing where it does not fit into 64 bits, or the denominator is 0.
  [[nodiscard]] static std::optional<Value> quotient(WideInteger numerator,
                                                     WideInteger denominator);

  [[nodiscard]] std::int64_t numerator() const { return numerator_; }
  [[nodiscard]] std::int64_t denominator() const { return denominator_; }
  [[nodiscard]] bool is_truth() const { return is_truth_; }
  [[nodiscard]] bool is_whole() const { return denominator_ == 1; }
  /// Whatever is not 0.
  [[nodiscard]] bool is_true() const { return numerator_ != 0; }

  /// By what they are worth: true equals 1.
  [[nodiscard]] std::strong_ordering operator<=>(const Value& other) const;
  bool operator==(const Value& other) const {
    return numerator_ == other.numerator_ && denominator_ == other.denominator_;
  }

 private:
  std::int64_t numerator_ = 0;
  std::int64_t denominator_ = 1;
  bool is_truth_ = false;
};

/// "12", "5/2", "true".
[[nodiscard]] std::string to_string(const Value& value);

// Nothing where the result does not fit, or something is divided by 0.
[[nodiscard]] std::optional<Value> add(const Value& a, const Value& b);
[[nodiscard]] std::optional<Value> subtract(const Value& a, const Value& b);
[[nodiscard]] std::optional<Value> multiply(const Value& a, const Value& b);
[[nodiscard]] std::optional<Value> divide(const Value& a, const Value& b);
/// Towards minus infinity, as Python's //.
[[nodiscard]] std::optional<Value> divide_down(const Value& a, const Value& b);
/// What divide_down() leaves: it has b's sign.
[[nodiscard]] std::optional<Value> remainder(const Value& a, const Value& b);
/// The exponent has to be whole.
[[nodiscard]] std::optional<Value> power(const Value& base, const Value& exponent);
[[nodiscard]] Value rounded_down(const Value& a);
[[nodiscard]] std::optional<Value> rounded_up(const Value& a);

}  // namespace redtune::kernels
