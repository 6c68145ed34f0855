// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Results of reductions as bytes of a type known at run time: as text, and whether two agree.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "redtune/dtype.hpp"

namespace redtune::compare {

/// Room for one element of any type.
using Bytes = std::array<std::byte, 16>;

[[nodiscard]] std::string text_of(const DTypeInfo& type, const Bytes& value);

/// Integers: the same bits. Floating: at most two units in the last place apart. The inputs are
/// small multiples of 1/8, so that single precision adds them without rounding in any order; what
/// may differ is the rounding of the result itself.
[[nodiscard]] bool agree(const DTypeInfo& type, const Bytes& a, const Bytes& b);

}  // namespace redtune::compare
