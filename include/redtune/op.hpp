// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The reduction operators by name.
#pragma once

#include <span>
#include <string_view>

#include "redtune/export.hpp"

namespace redtune {

enum class Op {
#define REDTUNE_OP(name, summary) name,
#include "redtune/ops.def"
#undef REDTUNE_OP
};

struct OpInfo {
  Op op;
  std::string_view name;
  std::string_view summary;
};

/// All operators, in the order of ops.def.
[[nodiscard]] REDTUNE_API std::span<const OpInfo> all_ops();

[[nodiscard]] REDTUNE_API std::string_view to_string(Op op);

/// Throws UsageError that lists the known names.
[[nodiscard]] REDTUNE_API Op parse_op(std::string_view name);

}  // namespace redtune
