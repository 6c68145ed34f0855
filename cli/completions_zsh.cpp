// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The script for zsh: what its functions _describe and _arguments ask for.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completions.hpp"
#include "cli/known_numbers.hpp"
#include "redtune/version.hpp"

namespace redtune::cli {
namespace {

constexpr std::string_view zsh_quote = R"('\'')";

/// Takes the words that name the command away, for _arguments wants a command of one word.
constexpr std::string_view arguments = R"zsh(
_redtune_arguments() {
  local -i more=$1
  shift
  shift $more words
  (( CURRENT -= more ))
  _arguments "$@"
}

# Numbers of what the store has, each with what it is of.
_redtune_numbers() {
  local -a numbers
  numbers=(${(f)"$(redtune completions $1 2>/dev/null)"})
  numbers=("${(@)numbers/$'\t'/:}")
  _describe -V $1 numbers
}
)zsh";

/// Found by its name in a folder of $fpath, or read by `source`.
constexpr std::string_view ending = R"zsh(
if [[ $funcstack[1] == _redtune ]]; then
  _redtune "$@"
else
  compdef _redtune redtune
fi
)zsh";

/// With a backslash before what would end a part of a specification.
std::string zsh_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

/// ":message:action" of a value; empty for a flag.
std::string zsh_value(const OptionRow& row) {
  const std::string message = zsh_escaped(row.argument);
  switch (value_of(row)) {
    case Value::none:
      return "";
    case Value::choice:
      return fmt::format(":{}:({})", message,
                         zsh_escaped(fmt::format("{}", fmt::join(row.choices, " "))));
    case Value::file:
      return fmt::format(":{}:_files", message);
    case Value::folder:
      return fmt::format(":{}:_files -/", message);
    case Value::number:
      return fmt::format(":{}:_redtune_numbers {}", message, numbers_meant_by(row.argument));
    case Value::text:
      return fmt::format(":{}: ", message);
  }
  return "";
}

std::string option_part(const OptionRow& row) {
  const bool is_flag = value_of(row) == Value::none;
  const bool lists = row.repeated == Repeated::lists;  // others are offered until they are given
  std::string text;
  for (const std::string& name : spellings_of(row)) {
    text += quoted(fmt::format("{}{}{}[{}]{}", lists ? "*" : "", name, is_flag ? "" : "=",
                               zsh_escaped(row.help), zsh_value(row)),
                   zsh_quote) +
            ' ';
  }
  text.pop_back();
  return text;
}

std::string next_words(const Beginning& beginning) {
  std::string text = fmt::format("    {})\n      next=(\n", quoted(beginning.words, zsh_quote));
  for (const NextWord& one : beginning.next) {
    text +=
        fmt::format("        {}\n",
                    quoted(fmt::format("{}:{}", zsh_escaped(one.word), one.summary), zsh_quote));
  }
  text += "      )\n      _describe -t commands 'redtune command' next\n";
  if (beginning.words.empty()) {
    text += "      _arguments";
    for (const NextWord& one : options_without_command()) {
      text += ' ' + quoted(fmt::format("{}[{}]", one.word, zsh_escaped(one.summary)), zsh_quote);
    }
    text += '\n';
  }
  return text + "      ;;\n";
}

}  // namespace

std::string zsh_completions(std::span<const Command> commands) {
  std::string text = fmt::format(
      "#compdef redtune\n# zsh completion for redtune {}: redtune completions zsh\n{}\n"
      "_redtune() {{\n  local -a next\n  case \"${{(j: :)${{words[2,CURRENT-1]}}}}\" in\n",
      version, arguments);
  for (const Beginning& beginning : beginnings(commands)) text += next_words(beginning);
  for (const Command& command : commands) {
    if (command.is_hidden) continue;
    const auto more = 1 + std::ranges::count(command.words, ' ');
    const std::string words = quoted(command.words, zsh_quote);
    text += fmt::format("    {} | {}*)\n      _redtune_arguments {}", words,
                        quoted(fmt::format("{} ", command.words), zsh_quote), more);
    for (const OptionRow& row : options_of(command)) text += " \\\n        " + option_part(row);
    const OptionRow operand = operand_of(command);
    if (value_of(operand) != Value::none) {
      text += " \\\n        " + quoted("1" + zsh_value(operand), zsh_quote);
    }
    text += "\n      ;;\n";
  }
  return text + "  esac\n}\n" + std::string(ending);
}

}  // namespace redtune::cli
