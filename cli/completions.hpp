// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Completion scripts for shells, made from the rows of the commands. To add a shell: its file and a
// row in completions.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "redtune/dtype.hpp"

namespace redtune::cli {

/// The names that `redtune completions` takes.
[[nodiscard]] std::vector<std::string> completion_shells();

[[nodiscard]] std::string bash_completions(std::span<const Command> commands);
[[nodiscard]] std::string zsh_completions(std::span<const Command> commands);
[[nodiscard]] std::string fish_completions(std::span<const Command> commands);

/// What can stand after an option, or as an operand.
/// number: of what a store has; 'redtune completions runs' tells which there are.
enum class Value { none, text, choice, file, folder, number };
[[nodiscard]] Value value_of(const OptionRow& row);

/// What a command takes without a dash, as a row without a name.
[[nodiscard]] OptionRow operand_of(const Command& command);

/// A word that can be typed next, and the line that explains it.
struct NextWord {
  std::string word;
  std::string summary;
};

/// What commands begin with: nothing, or the first word of several commands; and the words that may
/// follow.
struct Beginning {
  std::string words;
  std::vector<NextWord> next;
};
[[nodiscard]] std::vector<Beginning> beginnings(std::span<const Command> commands);

/// Options that stand where a command would.
[[nodiscard]] std::span<const NextWord> options_without_command();

/// In single quotes, as all three shells read them; quote: what stands for a quote inside.
[[nodiscard]] std::string quoted(std::string_view text, std::string_view quote);

/// What may be written for an option, as far as registries know; the rows of options name it.
using Choices = std::vector<std::string>;

/// The names in the rows of a registry.
template <class Rows>
[[nodiscard]] Choices names_in(const Rows& rows) {
  Choices names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

[[nodiscard]] Choices names_in(const std::vector<DType>& types);
[[nodiscard]] Choices match_names();
/// The first device of each platform, the wave sizes of the host, and auto.
[[nodiscard]] Choices device_names();
/// Likewise, and what stands for several.
[[nodiscard]] Choices several_device_names();
[[nodiscard]] Choices family_names();
/// NAME=VALUE of every tunable.
[[nodiscard]] Choices every_setting();

}  // namespace redtune::cli
