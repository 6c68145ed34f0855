// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The script for fish: one line for each command and each option.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completions.hpp"
#include "cli/known_numbers.hpp"
#include "redtune/version.hpp"

namespace redtune::cli {
namespace {

constexpr std::string_view fish_quote = R"(\')";

/// Two questions about the words before the cursor, up to the first option.
constexpr std::string_view questions = R"fish(
function __redtune_words
    set -l words
    for word in (commandline -opc)[2..]
        string match -q -- '-*' $word; and break
        set -a words $word
    end
    string join ' ' -- $words
end

# Whether nothing but these words was typed, so that another can follow.
function __redtune_after
    set -l words (__redtune_words)
    set -l all (string split -n ' ' "redtune $words")
    test "$words" = "$argv[1]"; and test (count (commandline -opc)) -eq (count $all)
end

# Whether this command was typed, with whatever follows it.
function __redtune_in
    set -l words (__redtune_words)
    string match -q -- "$argv[1] *" "$words "
end

# Numbers of what the store has, the newest first, each with what it is of.
function __redtune_numbers
    command -q redtune; and redtune completions $argv[1] 2>/dev/null
end

complete -c redtune -f
)fish";

std::string in_quotes(std::string_view text) {
  std::string doubled;
  for (const char c : text) doubled += c == '\\' ? std::string(2, c) : std::string(1, c);
  return quoted(doubled, fish_quote);
}

/// What follows an option: nothing, words, files, folders, or anything.
std::string fish_value(const OptionRow& row) {
  switch (value_of(row)) {
    case Value::none:
      return "";
    case Value::choice:
      return fmt::format(" -x -a {}", in_quotes(fmt::format("{}", fmt::join(row.choices, " "))));
    case Value::file:
      return " -r -F";
    case Value::folder:
      return " -x -a '(__fish_complete_directories)'";
    case Value::number:
      return fmt::format(" -x -k -a '(__redtune_numbers {})'", numbers_meant_by(row.argument));
    case Value::text:
      return " -x";
  }
  return "";
}

}  // namespace

std::string fish_completions(std::span<const Command> commands) {
  std::string text = fmt::format("# fish completion for redtune {}: redtune completions fish\n{}",
                                 version, questions);
  for (const NextWord& one : options_without_command()) {
    text += fmt::format("complete -c redtune -n '__redtune_after \"\"' -l {} -d {}\n",
                        one.word.substr(2), in_quotes(one.summary));
  }
  for (const Beginning& beginning : beginnings(commands)) {
    for (const NextWord& one : beginning.next) {
      text += fmt::format("complete -c redtune -n '__redtune_after \"{}\"' -a {} -d {}\n",
                          beginning.words, one.word, in_quotes(one.summary));
    }
  }
  for (const Command& command : commands) {
    if (command.is_hidden) continue;
    text += fmt::format("\n# {}\n", command.words);
    const std::string in =
        fmt::format("complete -c redtune -n '__redtune_in \"{}\"'", command.words);
    const OptionRow operand = operand_of(command);
    if (value_of(operand) == Value::file) text += in + " -F\n";
    if (value_of(operand) == Value::choice) {
      text += fmt::format("{} -a {}\n", in,
                          in_quotes(fmt::format("{}", fmt::join(operand.choices, " "))));
    }
    if (value_of(operand) == Value::number) {
      text += fmt::format("{} -k -a '(__redtune_numbers {})'\n", in,
                          numbers_meant_by(operand.argument));
    }
    for (const OptionRow& row : options_of(command)) {
      const std::string letter = row.letter == 0 ? "" : fmt::format(" -s {}", row.letter);
      text += fmt::format("{}{} -l {}{} -d {}\n", in, letter, row.name, fish_value(row),
                          in_quotes(explanation_of(row)));
    }
  }
  return text;
}

}  // namespace redtune::cli
