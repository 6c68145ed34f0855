// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Text that somebody else wrote, as it may go to a terminal: names of devices and operators, texts
// of stores, exports and toolchains. JSON and exports have escapes of their own and take it as it
// is.
#pragma once

#include <string>
#include <string_view>

namespace redtune::tuner {

/// One line: control characters (C0, DEL, C1) and bytes that are no UTF-8 are written as \n, \t,
/// \r, \x1b or \u0085; all else stays.
[[nodiscard]] std::string printable(std::string_view text);

/// Likewise, but lines stay lines and tabs tabs: for what is several lines on purpose.
[[nodiscard]] std::string printable_lines(std::string_view text);

}  // namespace redtune::tuner
