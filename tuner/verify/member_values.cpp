// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/verify/member_values.hpp"

#include <cstring>
#include <fmt/format.h>
#include <type_traits>

#include "tuner/verify/float_format.hpp"

namespace redtune::tuner {
namespace {

bool is_a_float(DType type) {
  return info(type).kind == DTypeKind::floating;
}

}  // namespace

long double member_number(DType type, const void* bytes) {
  return visit_dtype(type, [&]<class T>(std::type_identity<T>) {
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    if constexpr (std::is_arithmetic_v<T>) {
      return static_cast<long double>(value);
    } else {
      return static_cast<long double>(static_cast<float>(value));
    }
  });
}

void write_number(DType type, long double number, void* bytes) {
  visit_dtype(type, [&]<class T>(std::type_identity<T>) {
    T value;
    if constexpr (std::is_arithmetic_v<T>) {
      value = static_cast<T>(number);
    } else {
      value = T(static_cast<float>(number));
    }
    std::memcpy(bytes, &value, sizeof(T));
  });
}

std::string number_text(DType type, long double number) {
  if (!is_a_float(type)) return fmt::format("{:.0f}", number);
  if (type == DType::f64) return fmt::format("{}", static_cast<double>(number));
  return fmt::format("{}", static_cast<float>(number));
}

long double unit_roundoff(DType type) {
  return is_a_float(type) ? format_of(type).unit_roundoff() : 0;
}

std::vector<long double> numbers_of(std::span<const ResultValue> members, const std::byte* bytes) {
  std::vector<long double> numbers;
  numbers.reserve(members.size());
  for (const ResultValue& member : members) {
    numbers.push_back(member_number(member.type, bytes + member.offset));
  }
  return numbers;
}

std::string members_text(std::span<const ResultValue> members,
                         std::span<const long double> numbers) {
  std::string all;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::string text = number_text(members[i].type, numbers[i]);
    if (members[i].name.empty()) return text;
    all += fmt::format("{}{} {}", i == 0 ? "" : ", ", members[i].name, text);
  }
  return fmt::format("{{{}}}", all);
}

}  // namespace redtune::tuner
