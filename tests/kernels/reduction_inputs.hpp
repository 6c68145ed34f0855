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

namespace redtune::checks {

/// 64 well-mixed bits of an index (splitmix64).
[[nodiscard]] inline std::uint64_t hash_of(std::int64_t index) {
  std::uint64_t mixed = (static_cast<std::uint64_t>(index) + 1) * 0x9e3779b97f4a7c15U;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31);
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
              return static_cast<T>(static_cast<double>(bits >> 11) * 0x1.0p-52 - 1.0);
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
  return std::is_floating_point_v<T> ? std::numeric_limits<T>::infinity()
                                     : std::numeric_limits<T>::max();
}
template <class T>
[[nodiscard]] constexpr T lowest() {
  return std::is_floating_point_v<T> ? static_cast<T>(-std::numeric_limits<T>::infinity())
                                     : std::numeric_limits<T>::lowest();
}

template <class T>
void append_float_patterns(std::vector<Pattern<T>>& all) {
  using Limits = std::numeric_limits<T>;
  all.push_back({"denormals", [](std::int64_t i, std::int64_t) {
                   return static_cast<T>(1 + i % 1000) * Limits::denorm_min() * T(i % 3 - 1);
                 }});
  all.push_back({"negative zeros", [](std::int64_t, std::int64_t) { return -T(0); }});
  all.push_back({"both zeros", [](std::int64_t i, std::int64_t) { return i % 2 ? -T(0) : T(0); }});
  all.push_back({"infinity once", [](std::int64_t i, std::int64_t n) {
                   return i == n / 3 ? Limits::infinity() : T(i % 7);
                 }});
  all.push_back({"NaN first", [](std::int64_t i, std::int64_t) {
                   return i == 0 ? Limits::quiet_NaN() : T(i % 7);
                 }});
  all.push_back({"NaN in the middle", [](std::int64_t i, std::int64_t n) {
                   return i == n / 2 ? Limits::quiet_NaN() : T(i % 7);
                 }});
  all.push_back({"NaN last", [](std::int64_t i, std::int64_t n) {
                   return i == n - 1 ? Limits::quiet_NaN() : T(i % 7);
                 }});
  all.push_back({"NaN and infinities", [](std::int64_t i, std::int64_t n) {
                   return i == n / 2 + 1 ? Limits::quiet_NaN()
                                         : (i % 2 ? Limits::infinity() : -Limits::infinity());
                 }});
}

/// What is worth trying beside mixed().
template <class T>
[[nodiscard]] std::vector<Pattern<T>> adversarial() {
  std::vector<Pattern<T>> all{
      {"equal", [](std::int64_t, std::int64_t) { return T(3); }},
      {"pairs that cancel",
       [](std::int64_t i, std::int64_t) {
         const T size = static_cast<T>(1000003 + 7 * (i / 2));
         return i % 2 == 0 ? size : static_cast<T>(T(0) - size);
       }},
      {"one huge among tiny",
       [](std::int64_t i, std::int64_t n) {
         const T huge = std::is_floating_point_v<T> ? T(1e30) : std::numeric_limits<T>::max();
         return i == n / 2 ? huge : static_cast<T>(std::is_floating_point_v<T> ? 1e-3 : 1);
       }},
      {"all highest", [](std::int64_t, std::int64_t) { return highest<T>(); }},
      {"all lowest", [](std::int64_t, std::int64_t) { return lowest<T>(); }},
  };
  if constexpr (std::is_floating_point_v<T>) append_float_patterns(all);
  return all;
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
