// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The element types by name, and a bridge from a type known at run time to a C++ type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "redtune/export.hpp"
#include "redtune/half.hpp"

namespace redtune {

enum class DType {
#define REDTUNE_DTYPE(name, type, kind, wide, magnitude) name,
#include "redtune/dtypes.def"
#undef REDTUNE_DTYPE
};

enum class DTypeKind { floating, signed_int, unsigned_int };

struct DTypeInfo {
  DType dtype;
  std::string_view name;
  DTypeKind kind;
  std::size_t bytes;
  DType wide;       ///< accumulator of sums
  DType magnitude;  ///< holds every absolute value
};

/// All types, in the order of dtypes.def.
[[nodiscard]] REDTUNE_API std::span<const DTypeInfo> all_dtypes();

[[nodiscard]] REDTUNE_API const DTypeInfo& info(DType dtype);

[[nodiscard]] REDTUNE_API std::string_view to_string(DType dtype);

[[nodiscard]] inline std::size_t size_of(DType dtype) {
  return info(dtype).bytes;
}

/// Throws UsageError that lists the known names.
[[nodiscard]] REDTUNE_API DType parse_dtype(std::string_view name);

/// Calls visitor(std::type_identity<T>{}) with the C++ type of dtype and returns what it returns.
template <class Visitor>
decltype(auto) visit_dtype(DType dtype, Visitor&& visitor) {
  switch (dtype) {
#define REDTUNE_DTYPE(name, type, kind, wide, magnitude) \
  case DType::name:                                      \
    return visitor(std::type_identity<type>{});
#include "redtune/dtypes.def"
#undef REDTUNE_DTYPE
  }
  __builtin_unreachable();
}

/// The DType of a C++ element type.
template <class T>
inline constexpr bool always_false_v = false;

template <class T>
[[nodiscard]] constexpr DType dtype_of() {
#define REDTUNE_DTYPE(name, type, kind, wide, magnitude) \
  if constexpr (std::is_same_v<T, type>)                 \
    return DType::name;                                  \
  else
#include "redtune/dtypes.def"
#undef REDTUNE_DTYPE
  static_assert(always_false_v<T>, "redtune has no element type for this C++ type");
}

/// Whether a host type is one of the floats, those of 16 bits included.
template <class T>
inline constexpr bool is_floating_v =
    std::is_floating_point_v<T> || std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;

}  // namespace redtune
