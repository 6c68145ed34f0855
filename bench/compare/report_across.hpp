// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What cells come to beside each other, as tables for people; nothing where there is nothing.
#pragma once

#include <string>

#include "bench/compare/report.hpp"

namespace redtune::compare {

/// "sum  f32  2^20 +1": operator, type, count and, where there is one, the offset.
[[nodiscard]] std::string name_of(const Cell& cell, const Findings& findings);
/// The heading above such names.
[[nodiscard]] std::string name_heading(const Findings& findings);

/// For runs with --bytes.
[[nodiscard]] std::string equal_bytes_of(const Findings& findings, Mode mode);

[[nodiscard]] std::string offset_costs_of(const Findings& findings, Mode mode);

}  // namespace redtune::compare
