// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What custom operators hold and give, as numbers of the host: each member of a struct by itself,
// so that what lies between members is of no account.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "redtune/problem.hpp"

namespace redtune::tuner {

/// A value of a type as a number; 16-bit floats and all integers have one.
[[nodiscard]] long double member_number(DType type, const void* bytes);
/// And back, rounded to it.
void write_number(DType type, long double number, void* bytes);
[[nodiscard]] std::string number_text(DType type, long double number);

/// Half the distance from 1 to the next number; 0 for integers.
[[nodiscard]] long double unit_roundoff(DType type);

/// Of each member.
[[nodiscard]] std::vector<long double> numbers_of(std::span<const ResultValue> members,
                                                  const std::byte* bytes);
/// "1.5", or "{low 1.5, high 2}" where members have names.
[[nodiscard]] std::string members_text(std::span<const ResultValue> members,
                                       std::span<const long double> numbers);

}  // namespace redtune::tuner
