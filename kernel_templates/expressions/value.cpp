// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/expressions/value.hpp"

#include <fmt/format.h>
#include <limits>

namespace redtune::kernels {
namespace {

using Wide = WideInteger;

Wide greatest_common_divisor(Wide a, Wide b) {
  while (b != 0) {
    const Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

bool fits_in_64_bits(Wide number) {
  return number >= std::numeric_limits<std::int64_t>::min() &&
         number <= std::numeric_limits<std::int64_t>::max();
}

}  // namespace

std::optional<Value> Value::quotient(Wide numerator, Wide denominator) {
  if (denominator == 0) return std::nullopt;
  const Wide divisor = greatest_common_divisor(numerator, denominator);
  const Wide sign = denominator < 0 ? -1 : 1;
  numerator = numerator / divisor * sign;
  denominator = denominator / divisor * sign;
  if (!fits_in_64_bits(numerator) || !fits_in_64_bits(denominator)) return std::nullopt;
  Value value(static_cast<std::int64_t>(numerator));
  value.denominator_ = static_cast<std::int64_t>(denominator);
  return value;
}

std::strong_ordering Value::operator<=>(const Value& other) const {
  return Wide{numerator_} * other.denominator_ <=> Wide{other.numerator_} * denominator_;
}

std::string to_string(const Value& value) {
  if (value.is_truth()) return value.is_true() ? "true" : "false";
  if (value.is_whole()) return fmt::format("{}", value.numerator());
  return fmt::format("{}/{}", value.numerator(), value.denominator());
}

std::optional<Value> add(const Value& a, const Value& b) {
  return Value::quotient(
      Wide{a.numerator()} * b.denominator() + Wide{b.numerator()} * a.denominator(),
      Wide{a.denominator()} * b.denominator());
}

std::optional<Value> subtract(const Value& a, const Value& b) {
  return Value::quotient(
      Wide{a.numerator()} * b.denominator() - Wide{b.numerator()} * a.denominator(),
      Wide{a.denominator()} * b.denominator());
}

std::optional<Value> multiply(const Value& a, const Value& b) {
  return Value::quotient(Wide{a.numerator()} * b.numerator(),
                         Wide{a.denominator()} * b.denominator());
}

std::optional<Value> divide(const Value& a, const Value& b) {
  return Value::quotient(Wide{a.numerator()} * b.denominator(),
                         Wide{a.denominator()} * b.numerator());
}

Value rounded_down(const Value& a) {
  const std::int64_t rest = a.numerator() % a.denominator();
  const std::int64_t towards_zero = a.numerator() / a.denominator();
  return Value(rest < 0 ? towards_zero - 1 : towards_zero);
}

std::optional<Value> rounded_up(const Value& a) {
  if (a.is_whole()) return Value(a.numerator());
  return add(rounded_down(a), Value(1));
}

std::optional<Value> divide_down(const Value& a, const Value& b) {
  const auto exact = divide(a, b);
  return exact ? std::optional(rounded_down(*exact)) : std::nullopt;
}

std::optional<Value> remainder(const Value& a, const Value& b) {
  const auto times = divide_down(a, b);
  const auto taken = times ? multiply(*times, b) : std::nullopt;
  return taken ? subtract(a, *taken) : std::nullopt;
}

std::optional<Value> power(const Value& base, const Value& exponent) {
  if (!exponent.is_whole()) return std::nullopt;
  const bool is_below = exponent.numerator() < 0;
  std::optional<Value> factor = is_below ? divide(Value(1), base) : base;
  // Of the bases that stay in range for ever no more than the parity matters.
  constexpr std::int64_t most = 64;
  std::int64_t left = exponent.numerator();
  if (left < -most || left > most) left = most + left % 2 * (left < 0 ? -1 : 1);
  if (left < 0) left = -left;
  std::optional<Value> product = Value(1);
  for (; left > 0 && product && factor; --left) product = multiply(*product, *factor);
  return factor ? product : std::nullopt;
}

}  // namespace redtune::kernels
