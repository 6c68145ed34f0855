// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/description/code_tokens.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "kernel_templates/description/code_words.hpp"

namespace redtune::kernels {
namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Of a name: letters beyond ASCII, and their numbers behind a backslash, too.
bool is_of_name(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || c == '$' || c == '\\' || byte >= 0x80;
}

/// Those of several characters, the longest first, of all versions of C++ and of CUDA: what is two
/// tokens to some compiler, and one here, is only told apart from the same with a blank.
constexpr std::array<std::string_view, 34> operators{
    "<<<=", ">>>=", "<=>=", "<<<", ">>>", "<<=", ">>=", "<=>", "->*", "...", "::", ".*",
    "->",   "+=",   "-=",   "*=",  "/=",  "%=",  "^=",  "&=",  "|=",  "==",  "!=", "<=",
    ">=",   "&&",   "||",   "<<",  ">>",  "++",  "--",  "##",  "<%",  "%>"};

std::size_t length_of_name(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_of_name) - text.begin());
}

/// As preprocessors know numbers: "1e+5", ".5f", "1'000", and "0xE+1" as well.
std::size_t length_of_number(std::string_view text) {
  std::size_t end = 1;
  for (; end < text.size(); ++end) {
    const char c = text[end];
    const char before = text[end - 1];
    const bool is_of_exponent =
        (c == '+' || c == '-') && std::string_view("eEpP").find(before) != std::string_view::npos;
    const bool is_mark = c == '\'' && end + 1 < text.size() && is_of_name(text[end + 1]);
    if (!is_of_name(c) && c != '.' && !is_of_exponent && !is_mark) break;
  }
  return end;
}

std::size_t length_of_literal(std::string_view text) {
  std::size_t end = 1;
  while (end < text.size() && text[end] != text.front() && text[end] != '\n') {
    end += text[end] == '\\' ? 2 : 1;
  }
  const bool is_closed = end < text.size() && text[end] == text.front();
  return std::min(is_closed ? end + 1 : end, text.size());
}

/// "(...)mark" behind the first quotation mark: "mark(...)mark".
std::size_t length_of_raw_string(std::string_view text) {
  const std::size_t open = std::min(text.find('('), text.size());
  const std::string close =
      ')' + std::string(text.substr(std::min<std::size_t>(1, open), open - 1)) + '"';
  const std::size_t end = text.find(close, open);
  return end == std::string_view::npos ? text.size() : end + close.size();
}

std::size_t length_of_operator(std::string_view text) {
  // "A<::B>" has no digraph in it.
  const char behind = text.size() > 3 ? text[3] : ' ';
  if (text.starts_with("<::") && behind != ':' && behind != '>') return 1;
  if (text.starts_with("<:") || text.starts_with(":>")) return 2;
  const auto found =
      std::ranges::find_if(operators, [&](std::string_view one) { return text.starts_with(one); });
  return found == operators.end() ? 1 : found->size();
}

/// For code as code_words() gives it.
class TokenReader {
 public:
  explicit TokenReader(std::string_view code) : code_(code) {}

  std::string tokens() {
    while (at_ < code_.size()) step();
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] std::string_view rest() const { return code_.substr(at_); }
  [[nodiscard]] bool begins_line() const { return tokens_.empty() || tokens_.back() == '\n'; }

  void step() {
    const char c = code_[at_];
    if (c == ' ') {
      is_parted_ = true;
      ++at_;
    } else if (c == '\n') {
      tokens_ += c;
      ++at_;
      is_parted_ = false;
    } else if (c == '#' && begins_line()) {
      take_directive();
    } else if (is_digit(c) || (c == '.' && rest().size() > 1 && is_digit(rest()[1]))) {
      take(length_of_number(rest()), Kind::word);
    } else if (is_of_name(c)) {
      take(length_of_name(rest()), Kind::word);
    } else if (c == '"' || c == '\'') {
      const bool is_raw = c == '"' && !is_parted_ && ends_raw_prefix(tokens_);
      take(is_raw ? length_of_raw_string(rest()) : length_of_literal(rest()), Kind::literal);
    } else {
      take(length_of_operator(rest()), Kind::mark);
    }
  }

  enum class Kind { word, literal, mark };

  /// What stands at a literal without a blank may be a part of it.
  void take(std::size_t length, Kind kind) {
    const bool may_be_one = (kind == Kind::literal && last_ != Kind::mark) ||
                            (kind == Kind::word && last_ == Kind::literal);
    if (!begins_line() && (is_parted_ || !may_be_one)) tokens_ += ' ';
    append(length);
    last_ = kind;
  }
  void append(std::size_t length) {
    tokens_ += rest().substr(0, length);
    at_ = std::min(at_ + length, code_.size());
    is_parted_ = false;
  }

  /// Names of headers are no tokens; "#define F(x)" is not "#define F (x)".
  void take_directive() {
    const std::string_view line = rest().substr(0, rest().find('\n'));
    for (const std::string_view word : {"include", "import", "embed"}) {
      if (line.find(word) == std::string_view::npos) continue;
      append(line.size());
      return;
    }
    append(1);
    if (rest().starts_with(' ')) ++at_;
    const std::string_view name = rest().substr(0, length_of_name(rest()));
    append(name.size());
    last_ = Kind::word;
    if (name != "define" || !rest().starts_with(' ')) return;
    tokens_ += ' ';
    ++at_;
    append(length_of_name(rest()));
    if (rest().starts_with('(')) append(1);
    last_ = Kind::mark;
  }

  std::string_view code_;
  std::size_t at_ = 0;
  std::string tokens_;
  bool is_parted_ = false;  // there is a blank before what comes next
  Kind last_ = Kind::mark;
};

/// Whether a line defines a macro that makes a string of what it is given.
bool makes_strings(std::string_view line) {
  for (std::size_t at = line.find('#', 1); at < line.size(); at = line.find('#', at)) {
    if (!line.substr(at).starts_with("##")) return true;
    at += 2;
  }
  return false;
}

/// Blanks between tokens may be seen by a program, or tokens be spelled in ways that nobody uses.
bool tells_blanks(std::string_view code) {
  if (code.find("??") != std::string_view::npos) return true;
  if (code.find("%:") != std::string_view::npos) return true;
  for (std::size_t begin = 0; begin < code.size();) {
    const std::size_t end = std::min(code.find('\n', begin), code.size());
    const std::string_view line = code.substr(begin, end - begin);
    if (line.starts_with('#') && makes_strings(line)) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

std::string code_tokens(std::string_view text) {
  std::string code = code_words(text);
  return tells_blanks(code) ? code : TokenReader(code).tokens();
}

}  // namespace redtune::kernels
