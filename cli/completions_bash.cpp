// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The script for bash: three tables from the rows, and a function that looks into them.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

#include "cli/completions.hpp"
#include "cli/known_numbers.hpp"
#include "redtune/version.hpp"

namespace redtune::cli {
namespace {

constexpr std::string_view bash_quote = R"('\'')";

/// The words are taken from the line, for bash has split them at ':' and '=', too. What it put
/// before the word that it replaces is cut off again.
constexpr std::string_view lookup = R"bash(
_redtune() {
  local line=${COMP_LINE:0:COMP_POINT} cur='' command='' option='' key values breaks typed
  local program
  local -a words
  COMPREPLY=()
  read -ra words <<<"$line"
  if [[ $line != *[[:space:]] ]]; then
    cur=${words[-1]}
    unset 'words[-1]'
  fi
  program=${words[0]}
  words=("${words[@]:1}")
  for key in "${words[0]-} ${words[1]-}" "${words[0]-}"; do
    _redtune_options "$key" >/dev/null && command=$key && break
  done
  if [[ $cur == --*=* ]]; then
    option=${cur%%=*}
    cur=${cur#*=}
  elif [[ ${#words[@]} -gt 0 && ${words[-1]} == --* && ${words[-1]} != *=* ]]; then
    option=${words[-1]}
  fi
  if [[ -z $command ]]; then
    values=$(_redtune_words "${words[*]}")
  elif [[ -n $option ]] && values=$(_redtune_values "$command $option"); then
    :
  elif [[ $cur == -* ]] || ! values=$(_redtune_values "$command"); then
    values=$(_redtune_options "$command")
  fi
  if [[ $values == @number:* ]]; then
    values=$("${program/#\~\//$HOME/}" completions "${values#*:}" 2>/dev/null | cut -f 1)
    values=${values:-@text}
  fi
  case $values in
    @text) ;;
    @file) compopt -o default ;;
    @folder) compopt -o dirnames ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$values" -- "$cur") ;;
  esac
  breaks=${COMP_WORDBREAKS//[!:=]/}
  if [[ -n $breaks && ${#COMPREPLY[@]} -gt 0 ]]; then
    typed=${cur%"${cur##*[$breaks]}"}
    COMPREPLY=("${COMPREPLY[@]#"$typed"}")
  fi
  if [[ $line == *"$option=$cur" && -n $option && $COMP_WORDBREAKS != *=* ]]; then
    COMPREPLY=("${COMPREPLY[@]/#/$option=}")
  fi
}

complete -F _redtune redtune
)bash";

std::string quoted_all(const std::vector<std::string>& words) {
  std::vector<std::string> all;
  for (const std::string& word : words) all.push_back(quoted(word, bash_quote));
  return fmt::format("{}", fmt::join(all, " "));
}

/// A function that prints the words of the row that its argument matches, and fails without one.
/// rows: from the words, in quotes, to the patterns.
std::string bash_table(std::string_view name,
                       const std::map<std::string, std::vector<std::string>>& rows) {
  std::string text = fmt::format("{}() {{\n  case $1 in\n", name);
  for (const auto& [words, patterns] : rows) {
    text += fmt::format("    {}) set -- {} ;;\n", fmt::join(patterns, " | "), words);
  }
  return text + "    *) return 1 ;;\n  esac\n  printf '%s\\n' \"$@\"\n}\n";
}

/// The words that may be typed for a value, or one that says what kind it is.
std::string words_of(const OptionRow& row) {
  switch (value_of(row)) {
    case Value::choice:
      return quoted_all(row.choices);
    case Value::file:
      return "@file";
    case Value::folder:
      return "@folder";
    case Value::number:
      return fmt::format("@number:{}", numbers_meant_by(row.argument));
    default:
      return "@text";
  }
}

}  // namespace

std::string bash_completions(std::span<const Command> commands) {
  std::map<std::string, std::vector<std::string>> next;
  std::map<std::string, std::vector<std::string>> options;
  std::map<std::string, std::vector<std::string>> values;
  for (const Beginning& beginning : beginnings(commands)) {
    std::vector<std::string> words;
    for (const NextWord& one : beginning.next) words.push_back(one.word);
    if (beginning.words.empty()) {
      for (const NextWord& one : options_without_command()) words.push_back(one.word);
    }
    next[quoted_all(words)].push_back(quoted(beginning.words, bash_quote));
  }
  for (const Command& command : commands) {
    if (command.is_hidden) continue;
    std::vector<std::string> names;
    for (const OptionRow& row : options_of(command)) {
      for (std::string& name : spellings_of(row)) names.push_back(std::move(name));
      if (value_of(row) == Value::none) continue;
      values[words_of(row)].push_back(
          quoted(fmt::format("{} --{}", command.words, row.name), bash_quote));
    }
    options[quoted_all(names)].push_back(quoted(command.words, bash_quote));
    const OptionRow operand = operand_of(command);
    if (value_of(operand) != Value::none) {
      values[words_of(operand)].push_back(quoted(command.words, bash_quote));
    }
  }
  return fmt::format("# bash completion for redtune {}: redtune completions bash\n\n{}\n{}\n{}{}",
                     version, bash_table("_redtune_words", next),
                     bash_table("_redtune_options", options), bash_table("_redtune_values", values),
                     lookup);
}

}  // namespace redtune::cli
