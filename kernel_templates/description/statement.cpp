// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/description/statement.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace redtune::kernels {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

bool is_in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// What stands there, for an error.
std::string found(std::string_view rest) {
  return rest.empty() ? "the statement ends here"
                      : fmt::format("'{}' stands here", rest.substr(0, 40));
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

bool is_name(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::ranges::all_of(text, is_in_name);
}

void StatementReader::skip_blanks() {
  const std::string_view left = rest();
  offset_ += static_cast<std::size_t>(std::ranges::find_if_not(left, is_blank) - left.begin());
}

bool StatementReader::is_done() {
  skip_blanks();
  return rest().empty();
}

void StatementReader::require_done(std::string_view usage) {
  if (!is_done())
    refuse(fmt::format("{}, where nothing is expected; write {}", found(rest()), usage));
}

std::string_view StatementReader::peek_word() {
  skip_blanks();
  const std::string_view left = rest();
  const auto end = std::ranges::find_if_not(left, is_in_name);
  const std::string_view word = left.substr(0, static_cast<std::size_t>(end - left.begin()));
  return is_name(word) ? word : std::string_view();
}

std::string_view StatementReader::take_word() {
  const std::string_view word = peek_word();
  offset_ += word.size();
  return word;
}

bool StatementReader::take_word(std::string_view word) {
  if (peek_word() != word) return false;
  offset_ += word.size();
  return true;
}

std::string_view StatementReader::require_word(std::string_view what, std::string_view usage) {
  const std::string_view word = take_word();
  if (word.empty()) {
    refuse(fmt::format("{}, where {} is expected; write {}", found(rest()), what, usage));
  }
  return word;
}

bool StatementReader::take(std::string_view text) {
  skip_blanks();
  if (!rest().starts_with(text)) return false;
  offset_ += text.size();
  return true;
}

void StatementReader::require(std::string_view text, std::string_view usage) {
  if (!take(text)) {
    refuse(fmt::format("{}, where '{}' is expected; write {}", found(rest()), text, usage));
  }
}

double StatementReader::require_number(std::string_view what) {
  skip_blanks();
  const std::string_view left = rest();
  double number = 0;
  const auto [end, error] = std::from_chars(left.data(), left.data() + left.size(), number);
  const auto bytes = static_cast<std::size_t>(end - left.data());
  const bool is_whole_word = bytes == left.size() || !is_in_name(left[bytes]);
  if (error != std::errc() || !std::isfinite(number) || !is_whole_word) {
    refuse(fmt::format("{}, where {} is expected, a number like 0.5 or 1e-5", found(left), what));
  }
  offset_ += bytes;
  return number;
}

std::string StatementReader::require_path() {
  skip_blanks();
  const std::size_t begin = offset_;
  const bool is_quoted = take("\"");
  const std::string_view left = rest();
  const std::size_t end =
      is_quoted ? left.find('"') : std::min(left.find_first_of(" \t"), left.size());
  if (end == std::string_view::npos) refuse_from(begin, "this quotation is not closed");
  const std::string path(left.substr(0, end));
  if (path.empty()) refuse_from(begin, "here a file's name is missing; write file NAME");
  offset_ += end + (is_quoted ? 1 : 0);
  return path;
}

std::string_view StatementReader::take_until(std::string_view ends) {
  const std::string_view left = rest();
  std::size_t depth = 0;
  bool is_quoted = false;
  std::size_t at = 0;
  for (; at < left.size(); ++at) {
    const char c = left[at];
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (depth == 0 && ends.find(c) != std::string_view::npos) break;
    if (c == '(' || c == '[') ++depth;
    if ((c == ')' || c == ']') && depth > 0) --depth;
  }
  offset_ += at;
  return left.substr(0, at);
}

Formula StatementReader::formula_until(std::string_view ends) {
  skip_blanks();
  const std::size_t begin = offset_;
  return formula_of(take_until(ends), begin);
}

Formula StatementReader::formula_of(std::string_view part, std::size_t begin) const {
  // Expressions tell places by their own bytes; those of a translated text say nothing.
  try {
    return {Expression::parse(part), place_at(begin)};
  } catch (const ExpressionError& error) {
    refuse_at(place_at(begin + error.offset()), error.what());
  }
}

}  // namespace redtune::kernels
