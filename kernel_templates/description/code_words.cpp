// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/description/code_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace redtune::kernels {
namespace {

bool is_of_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

class CodeReader {
 public:
  explicit CodeReader(std::string_view text) : text_(text) {}

  std::string words() {
    while (at_ < text_.size()) step();
    end_line();
    return std::move(words_);
  }

 private:
  [[nodiscard]] bool sees(std::string_view what) const {
    return text_.substr(at_).starts_with(what);
  }

  void step() {
    const char c = text_[at_];
    if (sees("//")) {
      skip_line();
    } else if (sees("/*")) {
      at_ += 2;
      skip_to("*/");
      at_ = std::min(at_ + 2, text_.size());
      is_parted_ = true;
    } else if (sees("\\\n") || sees("\\\r\n")) {
      at_ += c == '\\' && text_[at_ + 1] == '\r' ? 3 : 2;
    } else if (c == '\n') {
      end_line();
      ++at_;
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      is_parted_ = true;
      ++at_;
    } else if (c == '"') {
      if (!is_parted_ && ends_raw_prefix(words_))
        take_raw_string();
      else
        take_until_closed('"');
    } else if (c == '\'') {
      take_until_closed('\'');
    } else if (is_of_word(c)) {
      take_word();
    } else {
      if (c == '#' && is_line_empty_) begin_directive();
      take(1);
    }
  }

  void skip_to(std::string_view end) { at_ = std::min(text_.find(end, at_), text_.size()); }

  /// To its end, which may be on the next one.
  void skip_line() {
    do {
      skip_to("\n");
      const std::string_view before = text_.substr(0, at_);
      if (!before.ends_with('\\') && !before.ends_with("\\\r")) return;
    } while (++at_ < text_.size());
  }

  void take(std::size_t characters) {
    if (is_parted_ && !words_.empty() && words_.back() != '\n') words_ += ' ';
    is_parted_ = false;
    is_line_empty_ = false;
    words_ += text_.substr(at_, characters);
    at_ = std::min(at_ + characters, text_.size());
  }

  void begin_directive() {
    is_directive_ = true;
    if (!words_.empty() && words_.back() != '\n') words_ += '\n';
  }

  /// Digits may have marks between them, which open nothing.
  void take_word() {
    const bool is_number = std::isdigit(static_cast<unsigned char>(text_[at_])) != 0;
    std::size_t end = at_;
    while (end < text_.size() && (is_of_word(text_[end]) || (is_number && text_[end] == '\''))) {
      ++end;
    }
    take(end - at_);
  }

  void take_until_closed(char mark) {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != mark && text_[end] != '\n') {
      end += text_[end] == '\\' ? 2 : 1;
    }
    take(std::min(end + 1, text_.size()) - at_);
  }

  /// R"mark(...)mark"
  void take_raw_string() {
    const std::size_t open = std::min(text_.find('(', at_), text_.size());
    const std::string close = ')' + std::string(text_.substr(at_ + 1, open - at_ - 1)) + '"';
    const std::size_t end = std::min(text_.find(close, open), text_.size());
    take(std::min(end + close.size(), text_.size()) - at_);
  }

  /// A preprocessor's line ends where it ends, and one that numbers lines was never there.
  void end_line() {
    is_parted_ = true;
    if (is_directive_) {
      const std::size_t begin = words_.rfind('\n');
      const std::size_t first = begin == std::string::npos ? 0 : begin + 1;
      const std::string_view line = std::string_view(words_).substr(first);
      const std::size_t word = line.find_first_not_of("# ");
      if (word != std::string_view::npos && line.substr(word).starts_with("line ")) {
        words_.resize(first);
      } else {
        words_ += '\n';
      }
      is_directive_ = false;
    }
    is_line_empty_ = true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string words_;
  bool is_parted_ = false;     // something was left out before what comes next
  bool is_line_empty_ = true;  // so far
  bool is_directive_ = false;  // this line is a preprocessor's
};

}  // namespace

bool ends_raw_prefix(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && is_of_word(text[begin - 1])) --begin;
  constexpr std::array<std::string_view, 5> prefixes{"R", "LR", "uR", "UR", "u8R"};
  return std::ranges::find(prefixes, text.substr(begin)) != prefixes.end();
}

std::string code_words(std::string_view text) {
  return CodeReader(text).words();
}

}  // namespace redtune::kernels
