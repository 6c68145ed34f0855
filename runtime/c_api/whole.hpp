// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Structs that a caller fills in, whose header may be older or younger than the library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <fmt/format.h>
#include <type_traits>

#include "redtune/error.hpp"

namespace redtune::c_api {

/// No struct will ever be so large: a size above is none.
inline constexpr std::size_t largest_struct = 4096;

/// A caller built with an older header gives fewer members, but not fewer than interface 1 had: the
/// rest is null. A younger one gives more: they must be null, as nobody here knows what they ask
/// for. Throws UsageError.
template <class T>
[[nodiscard]] T whole(const T& given, std::size_t smallest, const char* name) {
  static_assert(std::is_trivially_copyable_v<T>);
  static_assert(sizeof(T) <= largest_struct);
  if (given.size < smallest || given.size > largest_struct) {
    throw UsageError(fmt::format("{0}.size is {1}: set it to sizeof({0})", name, given.size));
  }
  const auto* bytes = reinterpret_cast<const unsigned char*>(&given);
  for (std::size_t i = sizeof(T); i < given.size; ++i) {
    if (bytes[i] != 0) {
      throw UsageError(fmt::format(
          "{} has members that this version of the library does not know: use a newer one", name));
    }
  }
  T known{};
  std::memcpy(&known, &given, std::min(given.size, sizeof(T)));
  return known;
}

}  // namespace redtune::c_api
