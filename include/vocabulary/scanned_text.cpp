// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "vocabulary/scanned_text.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <vector>

namespace redtune {

bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

namespace {

int line_at(std::string_view text, std::size_t place) {
  return 1 + static_cast<int>(std::ranges::count(text.substr(0, place), '\n'));
}

/// Whether an apostrophe stands within a number, as in 1'000.
bool separates_digits(std::string_view text, std::size_t place) {
  std::size_t begin = place;
  while (begin > 0 && (is_of_word(text[begin - 1]) || text[begin - 1] == '\'')) --begin;
  return begin < place && std::isdigit(static_cast<unsigned char>(text[begin])) != 0;
}

/// Where the comment or literal that begins at a place ends; npos: nowhere. The place itself: there
/// begins none.
std::size_t end_of_non_code(std::string_view text, std::size_t at) {
  const auto behind = [](std::size_t found, std::size_t length) {
    return found == std::string_view::npos ? found : found + length;
  };
  if (text.substr(at, 2) == "/*") return behind(text.find("*/", at + 2), 2);
  if (text.substr(at, 2) == "//") return std::min(text.find('\n', at), text.size());
  if (text[at] == '"' && at > 0 && text[at - 1] == 'R') {
    const std::size_t open = text.find('(', at);
    if (open == std::string_view::npos) return open;
    const std::string close = fmt::format("){}\"", text.substr(at + 1, open - at - 1));
    return behind(text.find(close, open), close.size());
  }
  if (text[at] != '"' && (text[at] != '\'' || separates_digits(text, at))) return at;
  for (std::size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == text[at]) return i + 1;
    if (text[i] == '\\') ++i;
  }
  return std::string_view::npos;
}

/// Reads brackets and directives, and remembers what is open.
class TextReader {
 public:
  explicit TextReader(std::string_view code) : code_(code) {}

  std::optional<TextFault> read() {
    bool is_line_start = true;
    for (std::size_t at = 0; at < code_.size() && !fault_; ++at) {
      const char c = code_[at];
      if (c == '\n') {
        is_line_start = true;
      } else if (c == '#' && is_line_start) {
        read_directive(at);
      } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
        is_line_start = false;
        read_bracket(at);
      }
    }
    if (!fault_ && !conditionals_.empty()) {
      blame(conditionals_.back().place, "this condition has no #endif");
    }
    if (!fault_ && !open_.empty()) {
      blame(open_.back(), fmt::format("this '{}' is never closed", code_[open_.back()]));
    }
    return fault_;
  }

 private:
  /// What was open where a conditional began: each branch begins with that.
  struct Conditional {
    std::size_t place;
    std::vector<std::size_t> open;
  };

  void blame(std::size_t place, std::string what) {
    fault_ = TextFault{line_at(code_, place), std::move(what)};
  }

  void read_bracket(std::size_t at) {
    constexpr std::string_view opening = "([{";
    constexpr std::string_view closing = ")]}";
    if (opening.find(code_[at]) != std::string_view::npos) open_.push_back(at);
    const std::size_t kind = closing.find(code_[at]);
    if (kind == std::string_view::npos) return;
    if (open_.empty()) return blame(at, fmt::format("this '{}' closes nothing", code_[at]));
    const std::size_t opened = open_.back();
    if (code_[opened] != opening[kind]) {
      return blame(at, fmt::format("this '{}' does not close the '{}' of line {}", code_[at],
                                   code_[opened], line_at(code_, opened)));
    }
    open_.pop_back();
  }

  void read_directive(std::size_t at) {
    const std::size_t begin = code_.find_first_not_of(" \t", at + 1);
    if (begin == std::string_view::npos) return;
    const std::string_view rest = code_.substr(begin);
    const auto end = std::ranges::find_if_not(rest, is_of_word);
    const std::string_view word = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
    if (word == "include") {
      blame(at, "nothing can be included: kernels have no headers and no standard library");
    } else if (word.starts_with("if")) {
      conditionals_.push_back({at, open_});
    } else if (conditionals_.empty() && (word.starts_with("el") || word == "endif")) {
      blame(at, fmt::format("this #{} has no #if", word));
    } else if (word.starts_with("el")) {
      open_ = conditionals_.back().open;
    } else if (word == "endif") {
      conditionals_.pop_back();
    }
  }

  std::string_view code_;
  std::vector<std::size_t> open_;
  std::vector<Conditional> conditionals_;
  std::optional<TextFault> fault_;
};

}  // namespace

ScannedText::ScannedText(std::string_view text) : code_(text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = end_of_non_code(text, at);
    if (end == std::string_view::npos) {
      fault_ = TextFault{line_at(text, at), text[at] == '/' ? "this comment is never closed"
                                                            : "this quotation is never closed"};
      return;
    }
    for (std::size_t i = at; i < end; ++i) {
      if (code_[i] != '\n') code_[i] = ' ';
    }
    at = std::max(end, at + 1);
  }
  fault_ = TextReader(code_).read();
}

int ScannedText::line_of(std::string_view word) const {
  for (auto at = code_.find(word); at != std::string::npos; at = code_.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_of_word(code_[at - 1]);
    if (begins && (end == code_.size() || !is_of_word(code_[end]))) return line_at(code_, at);
  }
  return 0;
}

}  // namespace redtune
