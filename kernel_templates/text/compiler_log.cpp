// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/text/compiler_log.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <vector>

#include "vocabulary/scanned_text.hpp"

namespace redtune::kernels {
namespace {

/// More errors than this are the first one's echo.
constexpr std::size_t most_errors = 5;

/// What follows a text and belongs to it: its end, and the name of what it should define.
constexpr int lines_behind = 3;

struct Diagnostic {
  int line = 0;
  int column = 0;  ///< from 1; 0: not told
  std::string what;

  auto operator<=>(const Diagnostic&) const = default;
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const bool ends_in_return = end > 0 && text[end - 1] == '\r';
    lines.push_back(text.substr(0, ends_in_return ? end - 1 : end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Takes a number off the front of a text; 0: there is none.
int take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return error == std::errc{} ? number : 0;
}

/// "name:3:12: error: words" of clang and GCC, "name(3): error: words" of NVRTC; or "fatal error",
/// "error #20".
std::optional<Diagnostic> diagnostic_of(std::string_view row, std::string_view name) {
  if (!row.starts_with(name)) return std::nullopt;
  row.remove_prefix(name.size());
  if (!row.starts_with(':') && !row.starts_with('(')) return std::nullopt;
  row.remove_prefix(1);
  Diagnostic found;
  found.line = take_number(row);
  if (row.starts_with(':')) {
    row.remove_prefix(1);
    found.column = take_number(row);
  }
  const std::size_t kind = row.find(": ");
  const std::size_t words = row.find(": ", kind == std::string_view::npos ? kind : kind + 2);
  if (found.line == 0 || words == std::string_view::npos) return std::nullopt;
  if (row.substr(kind, words - kind).find("error") == std::string_view::npos) return std::nullopt;
  found.what = row.substr(words + 2);
  return found;
}

/// Names as the author of the text knows them.
std::string without_surroundings(std::string what) {
  for (const std::string_view outer : {"redtune_custom::given::", "redtune_custom::"}) {
    for (auto at = what.find(outer); at != std::string::npos; at = what.find(outer)) {
      what.erase(at, outer.size());
    }
  }
  return what;
}

/// The line that a diagnostic is about, and a mark under its column.
std::string quoted(const Diagnostic& found, std::string_view source) {
  const auto lines = lines_of(source);
  if (static_cast<std::size_t>(found.line) > lines.size()) return {};
  const std::string_view line = lines[static_cast<std::size_t>(found.line) - 1];
  std::string text = fmt::format("\n  {:4} | {}", found.line, line);
  if (found.column > 0 && static_cast<std::size_t>(found.column) <= line.size() + 1) {
    std::string before(line.substr(0, static_cast<std::size_t>(found.column) - 1));
    std::ranges::replace_if(
        before, [](char c) { return c != '\t'; }, ' ');
    text += fmt::format("\n       | {}^", before);
  }
  return text;
}

/// What the program itself says of the text, with the line of the function it names.
std::optional<std::string> said_by_program(const GivenText& text, std::string_view log) {
  constexpr std::string_view mark = "redtune says: ";
  for (std::string_view row : lines_of(log)) {
    const std::size_t at = row.find(mark);
    if (at == std::string_view::npos || row.find("error") > at) continue;
    row.remove_prefix(at + mark.size());
    const std::string what(row.substr(0, row.find('"')));
    // "it must be: static accumulator combine(accumulator, accumulator)"
    const std::size_t open = what.find('(');
    const std::size_t space = what.rfind(' ', open);
    const bool is_of_function = what.starts_with("it must be");
    const int line =
        is_of_function ? ScannedText(text.source).line_of(what.substr(space + 1, open - space - 1))
                       : 0;
    return line > 0 ? fmt::format("{}:{}: {}", text.name, line, what)
                    : fmt::format("{}: {}", text.name, what);
  }
  return std::nullopt;
}

/// The errors of a log in lines of a name, each once.
std::vector<Diagnostic> errors_in(std::string_view log, std::string_view line_name) {
  std::vector<Diagnostic> errors;
  for (const std::string_view row : lines_of(log)) {
    auto found = diagnostic_of(row, line_name);
    if (!found) continue;
    found->what = without_surroundings(std::move(found->what));
    if (std::ranges::find(errors, *found) == errors.end()) errors.push_back(std::move(*found));
  }
  return errors;
}

}  // namespace

std::optional<std::string> explain_log(const GivenText& text, std::string_view log) {
  std::vector<Diagnostic> errors = errors_in(log, text.line_name);
  if (errors.empty()) {
    const auto behind = errors_in(log, text.line_name_behind);
    const bool is_of_text = !behind.empty() && behind.front().line <= lines_behind;
    if (!is_of_text) return said_by_program(text, log);
    // What is wrong with the text as a whole is noticed behind its last line.
    const auto last = static_cast<int>(lines_of(text.source).size());
    errors = {{.line = last, .what = behind.front().what}};
  }
  std::string explained;
  for (std::size_t i = 0; i < std::min(errors.size(), most_errors); ++i) {
    const Diagnostic& error = errors[i];
    explained += fmt::format("{}{}:{}: {}{}", i == 0 ? "" : "\n", text.name, error.line, error.what,
                             quoted(error, text.source));
  }
  return explained;
}

}  // namespace redtune::kernels
