// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/man_page.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <utility>

#include "cli/doctor/examine.hpp"
#include "cli/exit_code.hpp"
#include "cli/manual_texts.hpp"
#include "redtune/version.hpp"

namespace redtune::cli {
namespace {

constexpr std::array exit_codes{
    std::pair{ExitCode::done, "done"},
    std::pair{ExitCode::failed, "failed"},
    std::pair{ExitCode::usage, "usage: an option, name, number or file that cannot be used"},
    std::pair{ExitCode::nothing_valid, "nothing valid found"},
    std::pair{ExitCode::missed, "the look-up missed: it found less than --min-match demands"},
    std::pair{ExitCode::untrustworthy, "the measurement is not trustworthy"},
    std::pair{ExitCode::device_unhealthy, "the device cannot be used"},
    std::pair{ExitCode::io, "input or output failed"},
    std::pair{
        ExitCode::busy,
        "busy: another process holds the device or the store; wait until it is done, or end it"},
    std::pair{ExitCode::interrupted, "interrupted"},
};

/// What a character is called that a formatter would replace, or take for a request; empty: itself.
std::string_view escape_of(char c, bool begins_line) {
  switch (c) {
    case '-':
      return "\\-";
    case '\\':
      return "\\e";
    case '\'':
      return "\\(aq";
    case '^':
      return "\\(ha";
    case '~':
      return "\\(ti";
    case '`':
      return "\\(ga";
    case '.':
      return begins_line ? "\\&." : "";
    default:
      return "";
  }
}

std::string roff_escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const std::string_view escape = escape_of(c, result.empty() || result.back() == '\n');
    result += escape.empty() ? std::string_view(&c, 1) : escape;
  }
  return result;
}

std::string bold(std::string_view text) {
  return fmt::format("\\fB{}\\fR", roff_escaped(text));
}

std::string italic(std::string_view text) {
  return fmt::format("\\fI{}\\fR", roff_escaped(text));
}

std::string section(std::string_view name) {
  return fmt::format(".SH {}\n", name);
}

/// A term and what it means; both are escaped already.
std::string item(const std::string& term, const std::string& meaning) {
  return fmt::format(".TP\n{}\n{}\n", term, meaning);
}

std::string reference(std::string_view page) {
  return fmt::format("{}(1)", bold(page));
}

std::string page_top(std::string name, std::string_view summary, const std::string& date) {
  const std::string written = roff_escaped(name);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  // No hyphens inside names.
  return fmt::format(".TH {} 1 \"{}\" \"redtune {}\" \"redtune\"\n.nh\n.SH NAME\n{} \\- {}\n",
                     roff_escaped(name), date, version, written, roff_escaped(summary));
}

std::string options_section(const Command& command) {
  std::string text = section("OPTIONS");
  for (const OptionRow& row : options_of(command)) {
    const std::string value = row.argument.empty() ? "" : ' ' + italic(row.argument);
    const std::string fallback =
        row.fallback.empty() ? "" : fmt::format(" [{}]", roff_escaped(row.fallback));
    std::string names;
    for (const std::string& name : spellings_of(row)) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", bold(name));
    }
    text += item(names + value, roff_escaped(explanation_of(row)) + fallback);
  }
  return text;
}

std::string description_section(const ManualText& manual) {
  return section("DESCRIPTION") + roff_escaped(manual.description) + '\n';
}

std::string examples_section(const ManualText& manual) {
  std::string text = section("EXAMPLES");
  for (const Example& example : manual.examples) {
    text += item(bold(example.line), roff_escaped(example.what));
  }
  return text;
}

std::string exit_status() {
  std::string text = section("EXIT STATUS");
  for (const auto& [code, meaning] : exit_codes) {
    text += item(bold(fmt::format("{}", static_cast<int>(code))), roff_escaped(meaning));
  }
  return text;
}

std::string environment() {
  std::string text = section("ENVIRONMENT");
  for (const Variable& variable : variables()) {
    text += item(bold(variable.name), roff_escaped(variable.effect));
  }
  return text;
}

std::string files() {
  return section("FILES") + item(italic("~/.local/share/redtune/"), "results of this user") +
         item(italic("/etc/redtune/") + ", " + italic("/var/lib/redtune/"),
              "results for all users of this machine") +
         item(italic("~/.local/state/redtune/"), "a log of each run") +
         item(italic("~/.cache/redtune/"), "compiled kernels; may be deleted");
}

}  // namespace

std::string page_name(const Command& command) {
  std::string name = fmt::format("redtune-{}", command.words);
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string man_page_of_all(std::span<const Command> commands, const std::string& date) {
  std::string rows;
  std::string others;
  for (const Command& command : commands) {
    if (command.is_hidden) continue;
    rows += item(bold(command.words), roff_escaped(command.summary));
    others += fmt::format("{}{}", others.empty() ? "" : ",\n", reference(page_name(command)));
  }
  return page_top("redtune", "find the fastest reduction for each GPU, remember it, and run it",
                  date) +
         section("SYNOPSIS") +
         fmt::format("{0} {1} [{2}]\n.br\n{0} {3} [{1}]\n.br\n{0} {4}\n", bold("redtune"),
                     italic("COMMAND"), italic("options"), bold("--help"), bold("--version")) +
         section("DESCRIPTION") +
         "Finds, once per device, the launch parameters that make a reduction fast there, keeps\n"
         "them, and hands them to programs that are linked to libredtune.\n"
         "Results go to standard output, everything else to standard error.\n" +
         section("COMMANDS") + rows + exit_status() + environment() + files() +
         section("SEE ALSO") + others + '\n';
}

std::string man_page(const Command& command, const std::string& date) {
  const ManualText* text = manual_text_of(command);
  const std::string operand =
      command.operand.empty() ? "" : fmt::format(" {}", italic(command.operand));
  return page_top(page_name(command), command.summary, date) + section("SYNOPSIS") +
         fmt::format("{}{} [{}]\n", bold(fmt::format("redtune {}", command.words)), operand,
                     italic("options")) +
         (text == nullptr ? "" : description_section(*text)) + options_section(command) +
         (text == nullptr ? "" : examples_section(*text)) + section("EXIT STATUS") +
         fmt::format("As of {}.\n", reference("redtune")) + section("SEE ALSO") +
         reference("redtune") + '\n';
}

}  // namespace redtune::cli
