// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Reads the formulas beside a code object, as docs/reference/code_objects.md has them. Includes
// nothing of redtune.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace redtune::code_object {

/// What names stand for.
using Names = std::map<std::string, std::int64_t, std::less<>>;

/// The value of an expression. Throws std::runtime_error for what cannot be read: an unknown name,
/// a division by zero, a number below zero.
[[nodiscard]] std::int64_t value_of(std::string_view formula, const Names& names);

}  // namespace redtune::code_object
