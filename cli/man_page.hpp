// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Manual pages, made from the rows that --help is made from.
#pragma once

#include <span>
#include <string>

#include "cli/command.hpp"

namespace redtune::cli {

/// "redtune-kernels-compile".
[[nodiscard]] std::string page_name(const Command& command);

/// redtune(1). date: as shown at the foot of the page, or empty.
[[nodiscard]] std::string man_page_of_all(std::span<const Command> commands,
                                          const std::string& date);
/// redtune-COMMAND(1).
[[nodiscard]] std::string man_page(const Command& command, const std::string& date);

}  // namespace redtune::cli
