// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Inputs that break careless reductions, as functions of an element's index, and where in memory
// they lie.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "device/device.hpp"
#include "redtune/dtype.hpp"
#include "redtune/op.hpp"

namespace redtune::checks {

/// 64 well-mixed bits of an index (splitmix64).
[[nodiscard]] inline std::uint64_t hash_of(std::int64_t index) {
  std::uint64_t mixed = (static_cast<std::uint64_t>(index) + 1) * 0x9e3779b97f4a7c15U;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31);
}

/// An element as a number; every value of every type fits.
template <class T>
[[nodiscard]] constexpr long double number(T x) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<long double>(x);
  else
    return static_cast<long double>(static_cast<double>(x));
}
/// The nearest of a type; of integers the wrapped one.
template <class T>
[[nodiscard]] constexpr T from_number(double x) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::int64_t>(x));
  else
    return T(x);
}
template <class T>
[[nodiscard]] constexpr T from_number(long double x) {
  return from_number<T>(static_cast<double>(x));
}
template <class T>
[[nodiscard]] constexpr T from_number(int x) {
  return from_number<T>(static_cast<double>(x));
}
template <class T>
[[nodiscard]] constexpr bool is_nonzero(T x) {
  return !(number(x) == 0);  // a NaN is not zero
}

template <class T>
struct Pattern {
  std::string_view name;
  T (*at)(std::int64_t index, std::int64_t count);
};

/// Every bit in use: integers of the whole range, floats within (-1, 1). Of small integers a bell,
/// whose ends few elements reach: else a minimum that misses most elements would be right.
template <class T>
[[nodiscard]] Pattern<T> mixed() {
  return {"mixed", [](std::int64_t i, std::int64_t) {
            const std::uint64_t bits = hash_of(i);
            if constexpr (!std::is_integral_v<T>) {
              return T(static_cast<double>(bits >> 11) * 0x1.0p-52 - 1.0);
            } else if constexpr (sizeof(T) < 4) {
              const int step = 3 << (8 * sizeof(T) - 8);
              const int middle = std::is_signed_v<T> ? 0 : 1 << (8 * sizeof(T) - 1);
              const int ones = std::popcount(bits) - 32;
              return static_cast<T>(middle + ones * step + static_cast<int>(bits % step));
            } else {
              return static_cast<T>(bits);
            }
          }};
}

/// The end of a type's order, infinities for floats.
template <class T>
[[nodiscard]] constexpr T highest() {
  if constexpr (std::is_integral_v<T>)
    return std::numeric_limits<T>::max();
  else
    return T(std::numeric_limits<float>::infinity());
}
template <class T>
[[nodiscard]] constexpr T lowest() {
  if constexpr (std::is_integral_v<T>)
    return std::numeric_limits<T>::lowest();
  else
    return T(-std::numeric_limits<float>::infinity());
}
template <class T>
[[nodiscard]] constexpr T not_a_number() {
  return T(std::numeric_limits<float>::quiet_NaN());
}
/// The smallest number above zero.
template <class T>
[[nodiscard]] T least_positive() {
  if constexpr (sizeof(T) == 2)
    return T::from_bits(1);
  else
    return std::numeric_limits<T>::denorm_min();
}

template <class T>
void append_float_patterns(std::vector<Pattern<T>>& all) {
  all.push_back({"denormals", [](std::int64_t i, std::int64_t) {
                   return from_number<T>(static_cast<double>(1 + i % 1000) *
                                         static_cast<double>(least_positive<T>()) *
                                         static_cast<double>(i % 3 - 1));
                 }});
  all.push_back({"negative zeros", [](std::int64_t, std::int64_t) { return T(-0.0); }});
  all.push_back({"both zeros", [](std::int64_t i, std::int64_t) { return T(i % 2 ? -0.0 : 0.0); }});
  all.push_back({"infinity once", [](std::int64_t i, std::int64_t n) {
                   return i == n / 3 ? highest<T>() : from_number<T>(static_cast<int>(i % 7));
                 }});
  all.push_back({"NaN first", [](std::int64_t i, std::int64_t) {
                   return i == 0 ? not_a_number<T>() : from_number<T>(static_cast<int>(i % 7));
                 }});
  all.push_back({"NaN in the middle", [](std::int64_t i, std::int64_t n) {
                   return i == n / 2 ? not_a_number<T>() : from_number<T>(static_cast<int>(i % 7));
                 }});
  all.push_back({"NaN last", [](std::int64_t i, std::int64_t n) {
                   return i == n - 1 ? not_a_number<T>() : from_number<T>(static_cast<int>(i % 7));
                 }});
  all.push_back({"NaN and infinities", [](std::int64_t i, std::int64_t n) {
                   return i == n / 2 + 1 ? not_a_number<T>() : (i % 2 ? highest<T>() : lowest<T>());
                 }});
  all.push_back({"NaN only", [](std::int64_t, std::int64_t) { return not_a_number<T>(); }});
}

/// What is worth trying with every operator, beside ordinary().
template <class T>
[[nodiscard]] std::vector<Pattern<T>> adversarial() {
  constexpr bool is_float = is_floating_v<T>;
  std::vector<Pattern<T>> all{
      {"equal", [](std::int64_t, std::int64_t) { return from_number<T>(3); }},
      {"zeros", [](std::int64_t, std::int64_t) { return from_number<T>(0); }},
      {"pairs that cancel",
       [](std::int64_t i, std::int64_t) {
         const double size = 1000003 + 7 * static_cast<double>(i / 2);
         return from_number<T>(i % 2 == 0 ? size : -size);
       }},
      {"one huge among tiny",
       [](std::int64_t i, std::int64_t n) {
         if (i != n / 2) return from_number<T>(is_float ? 1e-3 : 1.0);
         if constexpr (std::is_integral_v<T>)
           return std::numeric_limits<T>::max();
         else
           return from_number<T>(1e30);
       }},
      {"all highest", [](std::int64_t, std::int64_t) { return highest<T>(); }},
      {"all lowest", [](std::int64_t, std::int64_t) { return lowest<T>(); }},
      {"rising",
       [](std::int64_t i, std::int64_t) { return from_number<T>(static_cast<int>(i / 5 % 100)); }},
      {"falling",
       [](std::int64_t i, std::int64_t n) {
         return from_number<T>(static_cast<int>((n - i) / 5 % 100));
       }},
  };
  if constexpr (is_float) append_float_patterns(all);
  return all;
}

/// An input to which the result of an operator is as sensitive as can be: of products numbers near
/// one, or odd; of flags and bits the elements that do not decide.
template <class T>
[[nodiscard]] Pattern<T> ordinary(Op op) {
  switch (op) {
    case Op::product:
      return {"factors", [](std::int64_t i, std::int64_t) {
                const std::uint64_t bits = hash_of(i);
                if constexpr (std::is_integral_v<T>) return static_cast<T>(bits | 1);
                const double factor = 1 + static_cast<double>(bits >> 11) * 0x1p-59;  // to 1 + 1/64
                const double sign = (bits & 2) != 0 ? 1 : -1;
                return from_number<T>(sign * ((bits & 1) != 0 ? factor : 1 / factor));
              }};
    case Op::all:
    case Op::bit_and:
      return {"all bits", [](std::int64_t, std::int64_t) { return from_number<T>(-1); }};
    case Op::any:
    case Op::bit_or:
      return {"no bits", [](std::int64_t, std::int64_t) { return from_number<T>(0); }};
    case Op::count_nonzero:
      return {"some zeros", [](std::int64_t i, std::int64_t n) {
                return hash_of(i + 1) % 3 == 0 ? from_number<T>(0) : mixed<T>().at(i, n);
              }};
    default:
      return mixed<T>();
  }
}

/// An element that changes the result of ordinary() wherever it stands.
template <class T>
[[nodiscard]] T decisive(Op op) {
  switch (op) {
    case Op::all:
    case Op::bit_and:
      return from_number<T>(0);
    case Op::any:
    case Op::bit_or:
    case Op::bit_xor:
    case Op::count_nonzero:
      return from_number<T>(1);
    case Op::product:
      return from_number<T>(2);
    case Op::min_ignore_nan:
    case Op::argmin_ignore_nan:
      return lowest<T>();
    case Op::max_ignore_nan:
    case Op::argmax_ignore_nan:
      return highest<T>();
    default:
      if constexpr (is_floating_v<T>) return not_a_number<T>();
      return op == Op::min || op == Op::argmin ? lowest<T>() : highest<T>();
  }
}

template <class T>
[[nodiscard]] std::vector<T> make_input(const Pattern<T>& pattern, std::int64_t count) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    values[static_cast<std::size_t>(i)] = pattern.at(i, count);
  }
  return values;
}

/// Where an input starts: so many elements behind an aligned address, or so that its last byte is
/// the last of the allocation (on the host a guard page follows).
enum class Place { aligned, one_behind, two_behind, three_behind, at_end };

inline constexpr Place all_places[] = {Place::aligned, Place::one_behind, Place::two_behind,
                                       Place::three_behind, Place::at_end};

[[nodiscard]] inline std::string_view to_string(Place place) {
  constexpr std::string_view names[] = {"aligned", "one behind", "two behind", "three behind",
                                        "at the end"};
  return names[static_cast<std::size_t>(place)];
}

/// An input on a device. All bytes around it are 0xff: NaN or -1, so that a stray read shows.
template <class T>
class PlacedInput {
 public:
  PlacedInput(device::Device& device, const std::vector<T>& values, Place place) {
    const std::size_t bytes = values.size() * sizeof(T);
    const std::size_t before =
        place == Place::at_end ? 0 : static_cast<std::size_t>(place) * sizeof(T);
    const std::size_t all = (before + bytes + 255) / 256 * 256;
    buffer_ = device.allocate(all);
    start_ = place == Place::at_end ? all - bytes : before;
    device.fill(buffer_.data(), std::byte{0xff}, all);
    device.copy_to_device(data(), values.data(), bytes);
  }
  [[nodiscard]] T* data() const {
    return reinterpret_cast<T*>(static_cast<std::byte*>(buffer_.data()) + start_);
  }

 private:
  device::Buffer buffer_;
  std::size_t start_ = 0;
};

}  // namespace redtune::checks
