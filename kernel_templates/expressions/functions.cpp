// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/expressions/functions.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <fmt/format.h>

namespace redtune::kernels {
namespace {

FunctionResult fitting(const std::optional<Value>& value) {
  if (value) return {*value};
  return {{}, "the result does not fit into 64 bits"};
}

FunctionResult least(std::span<const Value> operands) {
  return {*std::ranges::min_element(operands)};
}

FunctionResult greatest(std::span<const Value> operands) {
  return {*std::ranges::max_element(operands)};
}

FunctionResult round_up(std::span<const Value> operands) {
  return fitting(rounded_up(operands[0]));
}

FunctionResult round_down(std::span<const Value> operands) {
  return {rounded_down(operands[0])};
}

FunctionResult magnitude(std::span<const Value> operands) {
  if (operands[0] < Value(0)) return fitting(subtract(Value(0), operands[0]));
  return fitting(add(Value(0), operands[0]));
}

FunctionResult power_of_two(std::span<const Value> operands) {
  if (!operands[0].is_whole()) {
    return {{}, fmt::format("2 to the power of {} is not calculated", to_string(operands[0]))};
  }
  return fitting(power(Value(2), operands[0]));
}

/// Of powers of two alone: where it were rounded it would not be what Python gives.
FunctionResult binary_logarithm(std::span<const Value> operands) {
  const Value& of = operands[0];
  const auto is_power = [](std::int64_t number) {
    return number > 0 && std::has_single_bit(static_cast<std::uint64_t>(number));
  };
  if (!is_power(of.numerator()) || !is_power(of.denominator())) {
    return {{},
            fmt::format("log2({}) is no whole number; log2 is of powers of two", to_string(of))};
  }
  return {Value(std::countr_zero(static_cast<std::uint64_t>(of.numerator())) -
                std::countr_zero(static_cast<std::uint64_t>(of.denominator())))};
}

}  // namespace

std::span<const Function> expression_functions() {
  static constexpr std::array all{Function{"min", true, least},
                                  Function{"max", true, greatest},
                                  Function{"ceil", false, round_up},
                                  Function{"floor", false, round_down},
                                  Function{"abs", false, magnitude},
                                  Function{"pow2", false, power_of_two},
                                  Function{"log2", false, binary_logarithm}};
  return all;
}

}  // namespace redtune::kernels
