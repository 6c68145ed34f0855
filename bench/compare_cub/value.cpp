// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare_cub/value.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <sstream>

namespace redtune::compare {
namespace {

constexpr double units_apart = 2;

template <class T>
T read_as(const Bytes& bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

/// By IEEE 754: 1 sign, 5 exponent and 10 fraction bits.
double half_of(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  double magnitude = 0;
  if (exponent == 31) {
    magnitude = fraction == 0 ? INFINITY : NAN;
  } else {
    magnitude =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

/// A floating type: what its bytes mean, and how many bits its significand has.
struct Floating {
  double (*read)(const Bytes&);
  int digits;
};

Floating floating(const DTypeInfo& type) {
  if (type.bytes == 8) return {[](const Bytes& b) { return read_as<double>(b); }, 53};
  if (type.bytes == 4) {
    return {[](const Bytes& b) { return static_cast<double>(read_as<float>(b)); }, 24};
  }
  if (type.name == "bf16") {
    return {[](const Bytes& b) {  // the upper half of a single
              const std::uint32_t bits = static_cast<std::uint32_t>(read_as<std::uint16_t>(b))
                                         << 16;
              float value = 0;
              std::memcpy(&value, &bits, sizeof value);
              return static_cast<double>(value);
            },
            8};
  }
  return {[](const Bytes& b) { return half_of(read_as<std::uint16_t>(b)); }, 11};
}

template <class T>
std::string number(T value) {
  std::ostringstream text;
  text.precision(17);
  text << value;
  return text.str();
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

}  // namespace

std::string text_of(const DTypeInfo& type, const Bytes& value) {
  switch (type.kind) {
    case DTypeKind::floating: {
      const double read = floating(type).read(value);
      return std::isnan(read) ? "nan" : number(read);  // whatever its sign
    }
    case DTypeKind::signed_int:
      return number(signed_of(value, type.bytes));
    default:
      return number(unsigned_of(value, type.bytes));
  }
}

bool agree(const DTypeInfo& type, const Bytes& a, const Bytes& b) {
  if (type.kind != DTypeKind::floating) return std::memcmp(a.data(), b.data(), type.bytes) == 0;
  const Floating as = floating(type);
  const double x = as.read(a);
  const double y = as.read(b);
  if (x == y) return true;
  if (!std::isfinite(x) || !std::isfinite(y)) return false;
  const double unit =
      std::ldexp(1, std::ilogb(std::max(std::fabs(x), std::fabs(y))) + 1 - as.digits);
  return std::fabs(x - y) <= units_apart * unit;
}

}  // namespace redtune::compare
