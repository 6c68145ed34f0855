// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Numbers that a person may type of what a store has, for the completions of shells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"

namespace redtune::cli {

/// What a number that stands for an argument counts: "RUN" is one of "runs"; empty: it is no
/// number of a store.
[[nodiscard]] std::string_view numbers_meant_by(std::string_view argument);
[[nodiscard]] bool are_numbers(std::string_view kind);

/// The newest first, each with a tab and what it is of. None where the store cannot be read: a
/// person who only wants a word completed is not told why.
[[nodiscard]] std::vector<std::string> known_numbers(std::string_view kind, const Options& options);

}  // namespace redtune::cli
