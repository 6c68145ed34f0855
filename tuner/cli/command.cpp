// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/cli/command.hpp"

#include <algorithm>
#include <boost/program_options.hpp>
#include <charconv>
#include <fmt/format.h>

#include "redtune/error.hpp"
#include "redtune/suggest.hpp"

namespace redtune::tuner::cli {
namespace {

namespace po = boost::program_options;

constexpr std::string_view words_key = "words";

/// Options that every command has.
std::span<const OptionRow> common_options() {
  static const std::vector<OptionRow> rows{
      {"json", "", "print one JSON document instead of text"},
      {"help", "", "show this help"},
  };
  return rows;
}

po::options_description description(const Command& command) {
  po::options_description options;
  for (const OptionRow& row : options_of(command)) {
    if (row.argument.empty()) {
      options.add_options()(row.name.c_str(), "");
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

std::vector<OptionRow> options_of(const Command& command) {
  std::vector<OptionRow> rows = command.options;
  rows.insert(rows.end(), common_options().begin(), common_options().end());
  return rows;
}

Options::Options(std::map<std::string, std::vector<std::string>> values,
                 std::vector<std::string> words)
    : values_(std::move(values)), words_(std::move(words)) {}

bool Options::has(std::string_view name) const {
  return values_.contains(std::string(name));
}

std::string Options::text(std::string_view name) const {
  const auto found = values_.find(std::string(name));
  return found == values_.end() || found->second.empty() ? std::string{} : found->second.back();
}

std::vector<std::string> Options::all(std::string_view name) const {
  const auto found = values_.find(std::string(name));
  return found == values_.end() ? std::vector<std::string>{} : found->second;
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
  std::map<std::string, std::vector<std::string>> values;
  for (const OptionRow& row : options_of(command)) {
    const std::string name(row.name);
    if (raw.count(name) != 0) {
      values[name] = row.argument.empty() ? std::vector<std::string>{}
                                          : raw[name].as<std::vector<std::string>>();
    } else if (!row.fallback.empty()) {
      values[name] = {std::string(row.fallback)};
    }
  }
  std::vector<std::string> words;
  const std::string key(words_key);
  if (raw.count(key) != 0) words = raw[key].as<std::vector<std::string>>();
  const bool any_number = command.operand.find("...") != std::string_view::npos;
  const std::size_t most_words = any_number ? words.size() : command.operand.empty() ? 0 : 1;
  if (words.size() > most_words) {
    throw UsageError(fmt::format("'{}' is not expected here; see: redtune {} --help", words.back(),
                                 command.words));
  }
  return Options(std::move(values), std::move(words));
}

std::string help(const Command& command) {
  std::string text =
      fmt::format("{}\n\nusage: redtune {}{}{} [options]\n\n", command.summary, command.words,
                  command.operand.empty() ? "" : " ", command.operand);
  for (const OptionRow& row : options_of(command)) {
    const std::string left =
        fmt::format("--{}{}{}", row.name, row.argument.empty() ? "" : " ", row.argument);
    text += fmt::format("  {:<24} {}{}\n", left, row.help,
                        row.fallback.empty() ? "" : fmt::format(" [{}]", row.fallback));
  }
  return text;
}

std::string help_of_all() {
  std::string text =
      "redtune finds the fastest reduction for each GPU, remembers it, and runs it.\n\n"
      "usage: redtune COMMAND [options]\n\n";
  for (const Command& command : commands()) {
    if (command.is_hidden) continue;
    text += fmt::format("  {:<18} {}\n", command.words, command.summary);
  }
  text +=
      "\nredtune COMMAND --help shows the options of a command; redtune --version the version.\n";
  return text;
}

}  // namespace redtune::tuner::cli
