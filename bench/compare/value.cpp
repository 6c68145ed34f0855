// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare/value.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>

namespace redtune::compare {
namespace {

/// Units in the last place that two results may be apart.
constexpr double units_apart = 2;
constexpr double units_of_squares = 1024;

template <class T>
T read_as(const Bytes& bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

template <class T>
double read_floating(const Bytes& bytes) {
  return static_cast<double>(read_as<T>(bytes));
}

/// A floating type: what its bytes mean, and how many bits its significand has.
struct Floating {
  double (*read)(const Bytes&);
  int digits;
};

Floating floating(const DTypeInfo& type) {
  if (type.bytes == 8) return {read_floating<double>, 53};
  if (type.bytes == 4) return {read_floating<float>, 24};
  if (type.name == "bf16") return {read_floating<bfloat16>, 8};
  return {read_floating<half>, 11};
}

/// Sign-extended from the type's width.
std::int64_t signed_of(const Bytes& bytes, std::size_t width) {
  const auto unused = static_cast<int>(64 - 8 * width);
  return static_cast<std::int64_t>(read_as<std::uint64_t>(bytes) << unused) >> unused;
}

std::uint64_t unsigned_of(const Bytes& bytes, std::size_t width) {
  const auto unused = static_cast<int>(64 - 8 * width);
  return read_as<std::uint64_t>(bytes) << unused >> unused;
}

bool agree_within(double units, const DTypeInfo& type, const Bytes& a, const Bytes& b) {
  if (type.kind != DTypeKind::floating) return std::memcmp(a.data(), b.data(), type.bytes) == 0;
  const Floating as = floating(type);
  return are_within({units, as.digits}, as.read(a), as.read(b));
}

bool has_index(const Problem& problem) {
  return info(problem.op).shape == ResultShape::indexed;
}

std::int64_t index_of(const Bytes& result) {
  std::int64_t index = 0;
  std::memcpy(&index, result.data() + result.size() - sizeof index, sizeof index);
  return index;
}

/// The second of two values, where the first would be.
Bytes second_of(const DTypeInfo& type, const Bytes& result) {
  Bytes second{};
  std::copy_n(result.begin() + static_cast<std::ptrdiff_t>(type.bytes), type.bytes, second.begin());
  return second;
}

}  // namespace

std::string text_of(const DTypeInfo& type, const Bytes& value) {
  switch (type.kind) {
    case DTypeKind::floating: {
      const double read = floating(type).read(value);
      return std::isnan(read) ? "nan" : fmt::format("{:.17g}", read);  // whatever its sign
    }
    case DTypeKind::signed_int:
      return fmt::to_string(signed_of(value, type.bytes));
    default:
      return fmt::to_string(unsigned_of(value, type.bytes));
  }
}

std::string text_of(const Problem& problem, const Bytes& result) {
  const DTypeInfo& type = info(problem.out);
  const std::string value = text_of(type, result);
  if (info(problem.op).shape == ResultShape::pair) {
    return fmt::format("{}, {}", value, text_of(type, second_of(type, result)));
  }
  return has_index(problem) ? fmt::format("{} at {}", value, index_of(result)) : value;
}

bool agree(const DTypeInfo& type, const Bytes& a, const Bytes& b) {
  return agree_within(units_apart, type, a, b);
}

Tolerance tolerance_of(const Problem& problem) {
  const DTypeInfo& type = info(problem.out);
  return {problem.op == Op::sum_of_squares ? units_of_squares : units_apart,
          type.kind == DTypeKind::floating ? floating(type).digits : 0};
}

bool agree(const Problem& problem, const Bytes& a, const Bytes& b) {
  const DTypeInfo& type = info(problem.out);
  const double units = tolerance_of(problem).units;
  if (!agree_within(units, type, a, b)) return false;
  if (info(problem.op).shape == ResultShape::pair) {
    return agree_within(units, type, second_of(type, a), second_of(type, b));
  }
  return !has_index(problem) || index_of(a) == index_of(b);
}

}  // namespace redtune::compare
