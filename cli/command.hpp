// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A sub-command is a row: its words, its options, its function. Parsing, --help and error texts are
// made from the rows.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace redtune::cli {

/// What an option that is given twice means: an error, or a list.
enum class Repeated { is_refused, lists };

struct OptionRow {
  std::string name;      ///< without the dashes
  std::string argument;  ///< as shown in help, e.g. "NAME"; empty: a flag
  std::string help;
  std::string fallback = {};              ///< shown in help and used when the option is not given
  std::vector<std::string> choices = {};  ///< what shells offer; others may be valid, too
  Repeated repeated = Repeated::is_refused;  ///< a flag never lists
  char letter = 0;                           ///< after one dash the same; 0: none
};

/// "--help", "-h": all ways to write an option, without its argument.
[[nodiscard]] std::vector<std::string> spellings_of(const OptionRow& row);

/// The help of an option with what the rest of its row says: whether it may be repeated.
[[nodiscard]] std::string explanation_of(const OptionRow& row);

/// The options and words a person typed, checked against the rows.
class Options {
 public:
  using Values = std::map<std::string, std::vector<std::string>>;
  Options(Values given, Values fallbacks, std::vector<std::string> words);

  /// Whether there is a value, of a person or a fallback.
  [[nodiscard]] bool has(std::string_view name) const;
  /// Whether a person typed it.
  [[nodiscard]] bool is_given(std::string_view name) const;
  /// The value given, else the fallback, else empty.
  [[nodiscard]] std::string text(std::string_view name) const;
  /// All values of an option that lists.
  [[nodiscard]] std::vector<std::string> all(std::string_view name) const;
  /// A whole number from 0. Throws UsageError that names the option.
  [[nodiscard]] std::uint64_t number(std::string_view name) const;
  /// What stands without a dash.
  [[nodiscard]] const std::vector<std::string>& words() const { return words_; }

 private:
  /// Nothing where there is none.
  [[nodiscard]] const std::vector<std::string>* values(std::string_view name) const;

  Values given_;
  Values fallbacks_;  // of options that are not given
  std::vector<std::string> words_;
};

struct Command {
  std::string_view words;  ///< e.g. "kernels compile"
  std::string_view
      operand;  ///< what stands without a dash, e.g. "[FILE]", "FILE...", "URL ID"; or empty
  std::string_view summary;
  std::vector<OptionRow> options;
  int (*run)(const Options&) = nullptr;
  bool is_hidden = false;  ///< for redtune's own use: not in --help
  std::vector<std::string> operand_choices = {};
};

/// All sub-commands, in the order of --help.
[[nodiscard]] std::span<const Command> commands();

/// The command's own and those that every command has, in the order of --help.
[[nodiscard]] std::vector<OptionRow> options_of(const Command& command);

/// Throws UsageError for unknown options and words, with a suggestion, and for options whose second
/// value would hide the first.
[[nodiscard]] Options parse(const Command& command, const std::vector<std::string>& arguments);

[[nodiscard]] std::string help(const Command& command);
[[nodiscard]] std::string help_of_all();

/// Whether commands of more words begin with this one: "cache".
[[nodiscard]] bool is_group(std::string_view word);
[[nodiscard]] std::string help_of_group(std::string_view word);

/// The command whose words the arguments start with; they are taken off. Throws UsageError with a
/// suggestion.
[[nodiscard]] const Command& find_command(std::vector<std::string>& arguments);

}  // namespace redtune::cli
