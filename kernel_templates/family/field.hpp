// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// One tunable of a config struct: its name, its member and the values it may take. Search axes,
// template arguments, cache text, --set options, tables and logs are derived from these rows.
#pragma once

#include <array>
#include <charconv>
#include <fmt/format.h>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace redtune::kernels {

/// How the values of a tunable relate: numbers have neighbours, names have not.
enum class AxisOrder { ordered, categorical };

template <class Config, class T, std::size_t n>
struct Field {
  std::string_view name;
  T Config::*member;
  std::array<T, n> values;

  static constexpr AxisOrder order =
      std::is_integral_v<T> ? AxisOrder::ordered : AxisOrder::categorical;
};

/// field("block_size", &ReduceConfig::block_size, 64, 128, 256): a row of a field table.
template <class Config, class T, class... Values>
constexpr auto field(std::string_view name, T Config::*member, Values... values) {
  return Field<Config, T, sizeof...(Values)>{name, member, {T(values)...}};
}

/// Text of a value; enums bring their own to_string.
template <class T>
[[nodiscard]] std::string value_text(T value) {
  if constexpr (std::is_integral_v<T>)
    return fmt::format("{}", value);
  else
    return std::string(to_string(value));
}

/// Whether value_text would say this. Asked for every value of every tunable where settings are
/// read.
template <class T>
[[nodiscard]] bool is_text_of(T value, std::string_view text) {
  if constexpr (std::is_integral_v<T>) {
    char digits[std::numeric_limits<T>::digits10 + 2];
    const char* const end = std::to_chars(std::begin(digits), std::end(digits), value).ptr;
    return std::string_view(digits, static_cast<std::size_t>(end - digits)) == text;
  } else {
    return to_string(value) == text;
  }
}

/// Index of the value with this text on the axis of a field.
template <class Config, class T, std::size_t n>
[[nodiscard]] std::optional<std::size_t> index_of_text(const Field<Config, T, n>& row,
                                                       std::string_view text) {
  for (std::size_t i = 0; i < n; ++i) {
    if (is_text_of(row.values[i], text)) return i;
  }
  return std::nullopt;
}

}  // namespace redtune::kernels
