// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Element types of a GPU's compiler by the names they have in redtune, and operands as such types.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "bench/compare/gpu_names.cuh"
#include "bench/compare/type_table.cuh"

namespace redtune::compare {

template <class T>
constexpr std::string_view type_name = "?";
template <>
inline constexpr std::string_view type_name<float> = "f32";
template <>
inline constexpr std::string_view type_name<double> = "f64";
template <>
inline constexpr std::string_view type_name<half_type> = "f16";
template <>
inline constexpr std::string_view type_name<brain_type> = "bf16";
template <>
inline constexpr std::string_view type_name<std::int8_t> = "i8";
template <>
inline constexpr std::string_view type_name<std::int16_t> = "i16";
template <>
inline constexpr std::string_view type_name<std::int32_t> = "i32";
template <>
inline constexpr std::string_view type_name<std::int64_t> = "i64";
template <>
inline constexpr std::string_view type_name<std::uint8_t> = "u8";
template <>
inline constexpr std::string_view type_name<std::uint16_t> = "u16";
template <>
inline constexpr std::string_view type_name<std::uint32_t> = "u32";
template <>
inline constexpr std::string_view type_name<std::uint64_t> = "u64";

/// What sums, products and sums of squares of a type are accumulated in.
template <class In>
using Wide = std::conditional_t<
    std::is_same_v<In, double>, double,
    std::conditional_t<!std::is_integral_v<In>, float,
                       std::conditional_t<std::is_signed_v<In>, std::int64_t, std::uint64_t>>>;

template <class In>
const In* input_of(const Reduction& of) {
  return static_cast<const In*>(of.in);
}

template <class Out>
Out* output_of(const Reduction& of) {
  return static_cast<Out*>(of.out);
}

}  // namespace redtune::compare
