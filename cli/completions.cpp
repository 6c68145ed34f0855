// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/completions.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/known_numbers.hpp"
#include "cli/names.hpp"
#include "cli/say.hpp"
#include "device/registry.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/error.hpp"
#include "redtune/match.hpp"
#include "redtune/suggest.hpp"
#include "tuner/text/json.hpp"

namespace redtune::cli {
namespace {

struct Shell {
  std::string_view name;
  std::string (*script)(std::span<const Command>);
};

constexpr std::array shells{Shell{"bash", bash_completions}, Shell{"zsh", zsh_completions},
                            Shell{"fish", fish_completions}};

const Shell& find_shell(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Shell& shell : shells) {
    if (shell.name == name) return shell;
    names.push_back(shell.name);
  }
  throw UsageError(
      fmt::format("unknown shell '{}'{}; known: {}", name, suggest(name, names), join(names)));
}

/// How a command that has more than one word stands among the others that begin alike.
std::string summary_of_group(std::span<const Command> commands, std::string_view first) {
  std::string words;
  for (const Command& command : commands) {
    if (command.is_hidden || !command.words.starts_with(fmt::format("{} ", first))) continue;
    words += fmt::format("{}{}", words.empty() ? "" : ", ", command.words.substr(first.size() + 1));
  }
  return words;
}

}  // namespace

std::vector<std::string> completion_shells() {
  std::vector<std::string> names;
  for (const Shell& shell : shells) names.emplace_back(shell.name);
  return names;
}

Value value_of(const OptionRow& row) {
  if (row.argument.empty()) return Value::none;
  if (!row.choices.empty()) return Value::choice;
  if (row.argument == "FILE") return Value::file;
  if (row.argument == "DIR") return Value::folder;
  if (!numbers_meant_by(row.argument).empty()) return Value::number;
  return Value::text;
}

OptionRow operand_of(const Command& command) {
  std::string argument(command.operand);
  std::erase_if(argument, [](char c) { return c == '[' || c == ']' || c == '.'; });
  return {"", argument, "", "", command.operand_choices};
}

std::vector<Beginning> beginnings(std::span<const Command> commands) {
  std::vector<Beginning> found{{"", {}}};
  const auto add = [&](const std::string& words, const NextWord& next) {
    auto at = std::ranges::find(found, words, &Beginning::words);
    if (at == found.end()) at = found.insert(found.end(), {words, {}});
    if (std::ranges::count(at->next, next.word, &NextWord::word) == 0) at->next.push_back(next);
  };
  for (const Command& command : commands) {
    if (command.is_hidden) continue;
    const std::size_t space = command.words.find(' ');
    const std::string first(command.words.substr(0, space));
    if (space == std::string_view::npos) {
      add("", {first, std::string(command.summary)});
    } else {
      add("", {first, summary_of_group(commands, first)});
      add(first, {std::string(command.words.substr(space + 1)), std::string(command.summary)});
    }
  }
  return found;
}

std::span<const NextWord> options_without_command() {
  static const std::array<NextWord, 2> words{
      {{"--help", "list the commands"}, {"--version", "show the version"}}};
  return words;
}

std::string quoted(std::string_view text, std::string_view quote) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string(quote) : std::string(1, c);
  return result + '\'';
}

int run_completions(const Options& options) {
  if (options.words().empty()) {
    throw UsageError("for which shell? Write: redtune completions bash, zsh or fish");
  }
  if (const std::string& word = options.words()[0]; are_numbers(word)) {
    const std::vector<std::string> lines = known_numbers(word, options);
    if (options.has("json"))
      print_json({{word, lines}});
    else
      for (const std::string& line : lines) fmt::print("{}\n", line);
    return 0;
  }
  const Shell& shell = find_shell(options.words()[0]);
  const std::string script = shell.script(commands());
  if (options.has("json")) {
    print_json({{"shell", shell.name}, {"script", script}});
  } else {
    fmt::print("{}", script);
  }
  return 0;
}

Choices names_in(const std::vector<DType>& types) {
  Choices names;
  for (const DType type : types) names.emplace_back(to_string(type));
  return names;
}

Choices match_names() {
  Choices names;
  for (const Match match : all_matches) names.emplace_back(to_string(match));
  return names;
}

Choices device_names() {
  Choices names{"auto", "host"};
  for (const int wave : {1, 32, 64}) names.push_back(fmt::format("host:wave{}", wave));
  for (const std::string_view platform : device::platform_names()) {
    if (platform != "host") names.push_back(fmt::format("{}:0", platform));
  }
  return names;
}

Choices several_device_names() {
  Choices names = device_names();
  names.emplace_back("all");
  for (const std::string_view platform : device::platform_names()) {
    if (platform != "host") names.push_back(fmt::format("{}:all", platform));
  }
  return names;
}

Choices family_names() {
  Choices names;
  for (const kernels::Family* family : kernels::all_families()) names.emplace_back(family->name());
  return names;
}

Choices every_setting() {
  Choices settings;
  for (const kernels::Family* family : kernels::all_families()) {
    for (const kernels::TunableInfo& tunable : family->tunables()) {
      for (const std::string& value : tunable.values) {
        settings.push_back(fmt::format("{}={}", tunable.name, value));
      }
    }
  }
  std::ranges::sort(settings);
  const auto repeated = std::ranges::unique(settings);
  settings.erase(repeated.begin(), repeated.end());
  return settings;
}

}  // namespace redtune::cli
