// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/command.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "redtune/error.hpp"
#include "redtune/suggest.hpp"

namespace redtune::cli {
namespace {

namespace po = boost::program_options;

constexpr std::string_view words_key = "words";

/// Options that every command has.
std::span<const OptionRow> common_options() {
  static const std::vector<OptionRow> rows{
      {"json", "", "print one JSON document instead of text"},
      {"help", "", "show this help", {}, {}, Repeated::is_refused, 'h'},
  };
  return rows;
}

po::options_description description(const Command& command) {
  po::options_description options;
  for (const OptionRow& row : options_of(command)) {
    if (row.argument.empty()) {
      const std::string letter = row.letter == 0 ? "" : fmt::format(",{}", row.letter);
      options.add_options()((row.name + letter).c_str(), "");
    } else {
      options.add_options()(row.name.c_str(), po::value<std::vector<std::string>>()->composing());
    }
  }
  options.add_options()(words_key.data(), po::value<std::vector<std::string>>());
  return options;
}

[[noreturn]] void refuse_unknown(const Command& command, const std::string& option) {
  std::vector<std::string> names;
  for (const OptionRow& row : options_of(command)) names.push_back(fmt::format("--{}", row.name));
  const std::vector<std::string_view> known(names.begin(), names.end());
  throw UsageError(fmt::format("unknown option '{}'{}; see: redtune {} --help", option,
                               suggest(option, known), command.words));
}

[[noreturn]] void refuse_repeated(const Command& command, const OptionRow& row,
                                  const std::vector<std::string>& values) {
  std::string given;
  for (const std::string& value : values) {
    const bool is_last = &value == &values.back();
    given += fmt::format("{}'{}'", given.empty() ? "" : is_last ? " and " : ", ", value);
  }
  const std::string times = values.size() == 2 ? "twice" : fmt::format("{} times", values.size());
  throw UsageError(fmt::format("--{} is given {}, {}; give it once; see: redtune {} --help",
                               row.name, times, given, command.words));
}

/// What no command begins with. two: with the word that follows, if any.
[[noreturn]] void refuse_unknown_words(const std::string& one, const std::string& two) {
  std::vector<std::string_view> names;
  for (const Command& command : commands()) {
    if (!command.is_hidden) names.push_back(command.words);
  }
  if (is_group(one)) {
    throw UsageError(
        fmt::format("unknown command '{}'{}; see: redtune help {}", two, suggest(two, names), one));
  }
  std::string guess = suggest(two, names);
  for (const std::string_view name : std::vector(names))
    names.push_back(name.substr(0, name.find(' ')));
  if (guess.empty()) guess = suggest(one, names);
  throw UsageError(fmt::format("unknown command '{}'{}; see: redtune help", one, guess));
}

/// A line for each command that begins so.
std::string rows_of_help(std::string_view beginning) {
  std::string rows;
  for (const Command& command : commands()) {
    if (command.is_hidden || !command.words.starts_with(beginning)) continue;
    rows += fmt::format("  {:<18} {}\n", command.words, command.summary);
  }
  return rows;
}

po::variables_map parse_raw(const Command& command, const std::vector<std::string>& arguments) {
  // Every abbreviation accepted today would be an interface to keep: no guessing.
  const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  po::positional_options_description positional;
  positional.add(words_key.data(), -1);
  const auto options = description(command);
  po::variables_map raw;
  try {
    po::store(po::command_line_parser(arguments)
                  .options(options)
                  .positional(positional)
                  .style(style)
                  .run(),
              raw);
  } catch (const po::unknown_option& error) {
    refuse_unknown(command, error.get_option_name());
  } catch (const po::error& error) {
    throw UsageError(fmt::format("{}; see: redtune {} --help", error.what(), command.words));
  }
  return raw;
}

}  // namespace

std::vector<std::string> spellings_of(const OptionRow& row) {
  std::vector<std::string> all{fmt::format("--{}", row.name)};
  if (row.letter != 0) all.push_back(fmt::format("-{}", row.letter));
  return all;
}

std::string explanation_of(const OptionRow& row) {
  return row.repeated == Repeated::lists ? fmt::format("{}; may be repeated", row.help) : row.help;
}

std::vector<OptionRow> options_of(const Command& command) {
  std::vector<OptionRow> rows = command.options;
  for (const OptionRow& common : common_options()) {
    // A command whose JSON goes into a file says so itself.
    if (std::ranges::find(command.options, common.name, &OptionRow::name) == command.options.end())
      rows.push_back(common);
  }
  return rows;
}

Options::Options(Values given, Values fallbacks, std::vector<std::string> words)
    : given_(std::move(given)), fallbacks_(std::move(fallbacks)), words_(std::move(words)) {}

const std::vector<std::string>* Options::values(std::string_view name) const {
  for (const Values* values : {&given_, &fallbacks_}) {
    const auto found = values->find(std::string(name));
    if (found != values->end()) return &found->second;
  }
  return nullptr;
}

bool Options::has(std::string_view name) const {
  return values(name) != nullptr;
}

bool Options::is_given(std::string_view name) const {
  return given_.contains(std::string(name));
}

std::string Options::text(std::string_view name) const {
  const auto* found = values(name);
  return found == nullptr || found->empty() ? std::string{} : found->front();
}

std::vector<std::string> Options::all(std::string_view name) const {
  const auto* found = values(name);
  return found == nullptr ? std::vector<std::string>{} : *found;
}

std::uint64_t Options::number(std::string_view name) const {
  const std::string value = text(name);
  std::uint64_t result = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (error == std::errc{} && end == value.data() + value.size()) return result;
  throw UsageError(fmt::format("--{} is '{}'; it must be a whole number from 0", name, value));
}

Options parse(const Command& command, const std::vector<std::string>& arguments) {
  const po::variables_map raw = parse_raw(command, arguments);
  Options::Values given;
  Options::Values fallbacks;
  for (const OptionRow& row : options_of(command)) {
    const std::string name(row.name);
    if (raw.count(name) != 0) {
      given[name] = row.argument.empty() ? std::vector<std::string>{}
                                         : raw[name].as<std::vector<std::string>>();
      if (given[name].size() > 1 && row.repeated == Repeated::is_refused) {
        refuse_repeated(command, row, given[name]);
      }
    } else if (!row.fallback.empty()) {
      fallbacks[name] = {row.fallback};
    }
  }
  std::vector<std::string> words;
  const std::string key(words_key);
  if (raw.count(key) != 0) words = raw[key].as<std::vector<std::string>>();
  const bool any_number = command.operand.find("...") != std::string_view::npos;
  const auto named = static_cast<std::size_t>(std::ranges::count(command.operand, ' ')) + 1;
  const std::size_t most_words = any_number ? words.size() : command.operand.empty() ? 0 : named;
  if (words.size() > most_words) {
    throw UsageError(fmt::format("'{}' is not expected here; see: redtune {} --help", words.back(),
                                 command.words));
  }
  return Options(std::move(given), std::move(fallbacks), std::move(words));
}

std::string help(const Command& command) {
  std::string text =
      fmt::format("{}\n\nusage: redtune {}{}{} [options]\n\n", command.summary, command.words,
                  command.operand.empty() ? "" : " ", command.operand);
  for (const OptionRow& row : options_of(command)) {
    const std::string left = fmt::format("{}{}{}", fmt::join(spellings_of(row), ", "),
                                         row.argument.empty() ? "" : " ", row.argument);
    text += fmt::format("  {:<24} {}{}\n", left, explanation_of(row),
                        row.fallback.empty() ? "" : fmt::format(" [{}]", row.fallback));
  }
  return text;
}

std::string help_of_all() {
  return fmt::format(
      "redtune finds the fastest reduction for each GPU, remembers it, and runs it.\n\n"
      "usage: redtune COMMAND [options]\n\n{}\n"
      "redtune help COMMAND, or COMMAND --help, shows the options of a command. Short: -h, and -V "
      "for the version.\n",
      rows_of_help(""));
}

bool is_group(std::string_view word) {
  return !word.empty() && std::ranges::any_of(commands(), [&](const Command& command) {
    return command.words.starts_with(fmt::format("{} ", word));
  });
}

std::string help_of_group(std::string_view word) {
  return fmt::format(
      "usage: redtune {} COMMAND [options]\n\n{}\n"
      "redtune help {} COMMAND shows the options of a command.\n",
      word, rows_of_help(fmt::format("{} ", word)), word);
}

const Command& find_command(std::vector<std::string>& arguments) {
  const std::string one = arguments[0];
  const std::string two = arguments.size() > 1 ? fmt::format("{} {}", one, arguments[1]) : one;
  for (const Command& command : commands()) {
    if (command.words != one && command.words != two) continue;
    arguments.erase(arguments.begin(), arguments.begin() + (command.words == one ? 1 : 2));
    return command;
  }
  refuse_unknown_words(one, two);
}

}  // namespace redtune::cli
