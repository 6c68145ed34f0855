// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "vocabulary/operator_structs.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "redtune/error.hpp"
#include "vocabulary/scanned_text.hpp"

namespace redtune {
namespace {

/// A word, a number, or one sign.
struct Token {
  std::string_view text;
  int line = 1;
};

std::vector<Token> tokens_of(std::string_view code) {
  std::vector<Token> tokens;
  int line = 1;
  for (std::size_t at = 0; at < code.size();) {
    if (code[at] == '\n') ++line;
    if (std::isspace(static_cast<unsigned char>(code[at])) != 0) {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    while (is_of_word(code[at]) && end < code.size() && is_of_word(code[end])) ++end;
    tokens.push_back({code.substr(at, end - at), line});
    at = end;
  }
  return tokens;
}

struct TypeName {
  std::string_view name;
  DType type;
};
constexpr TypeName type_names[] = {{"float", DType::f32},
                                   {"double", DType::f64},
                                   {"i8", DType::i8},
                                   {"i16", DType::i16},
                                   {"i32", DType::i32},
                                   {"i64", DType::i64},
                                   {"u8", DType::u8},
                                   {"u16", DType::u16},
                                   {"u32", DType::u32},
                                   {"u64", DType::u64},
                                   {"signed char", DType::i8},
                                   {"unsigned char", DType::u8},
                                   {"short", DType::i16},
                                   {"unsigned short", DType::u16},
                                   {"int", DType::i32},
                                   {"unsigned int", DType::u32},
                                   {"unsigned", DType::u32},
                                   {"long long", DType::i64},
                                   {"unsigned long long", DType::u64}};

/// The text of an operator, as far as it tells of structs.
class StructReader {
 public:
  StructReader(const CustomOp& op, DType in)
      : name_(op.name.empty() ? "custom operator" : op.name),
        in_(in),
        scanned_(op.source),
        tokens_(tokens_of(scanned_.code())) {}

  /// Throws UsageError.
  OperatorStructs read() {
    if (!scanned_.fault()) find_structs();  // what is wrong otherwise is told elsewhere
    if (!found_.has_members()) return {};
    found_.gives_accumulator = !finishes_;
    if (!finishes_ && !found_.result.empty()) {
      throw UsageError(fmt::format(
          "{}: custom has no function finish(accumulator, i64), which makes a result of an "
          "accumulator",
          name_));
    }
    if (!finishes_) {
      found_.result = found_.accumulator;
      found_.result_bytes = laid_out(found_.result);
    }
    return std::move(found_);
  }

 private:
  [[noreturn]] void refuse(int line, std::string_view why) const {
    throw UsageError(fmt::format("{}:{}: {}", name_, line, why));
  }
  [[nodiscard]] std::string_view text(std::size_t at) const {
    return at < tokens_.size() ? tokens_[at].text : std::string_view();
  }
  [[nodiscard]] static bool opens_type(std::string_view word) {
    return word == "struct" || word == "class" || word == "union";
  }

  /// Those within `custom`, and whether it has a function that finishes.
  void find_structs() {
    int depth = 0;
    int depth_of_custom = -1;  // of what is within it
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      const bool is_within = depth == depth_of_custom;
      if (text(at) == "{") ++depth;
      if (text(at) == "}" && depth-- == depth_of_custom) depth_of_custom = -1;
      if (is_within && text(at) == "finish" && text(at + 1) == "(") finishes_ = true;
      if (!opens_type(text(at))) continue;
      const std::size_t body = body_of(at);
      if (body == 0) continue;
      if (names(at, body, "custom")) {
        depth_of_custom = depth + 1;
      } else if (names(at, body, "accumulator")) {
        at = read_struct(at, body, "accumulator", is_within);
      } else if (names(at, body, "result")) {
        at = read_struct(at, body, "result", is_within);
      }
    }
  }
  /// Where the body of a type begins; 0: it has none here, as where functions give it.
  [[nodiscard]] std::size_t body_of(std::size_t at) const {
    for (++at; at < tokens_.size(); ++at) {
      if (text(at) == "{") return at;
      const bool has_attribute =
          text(at - 1) == "alignas" || text(at - 1) == "__attribute__" || text(at - 1) == "(";
      if (text(at) == "(" && !has_attribute) return 0;
      if (text(at) == ";" || text(at) == ">" || text(at) == "=") return 0;
    }
    return 0;
  }
  [[nodiscard]] bool names(std::size_t from, std::size_t to, std::string_view name) const {
    for (; from < to && text(from) != ":"; ++from) {
      if (text(from) == name) return true;
    }
    return false;
  }

  /// Where it ends.
  std::size_t read_struct(std::size_t at, std::size_t body, std::string_view name, bool is_within) {
    const int line = tokens_[at].line;
    if (!is_within) refuse(line, fmt::format("struct {} belongs within struct custom", name));
    if (text(at) != "struct" || body != at + 2) {
      refuse(line, fmt::format("it must be: struct {0} {{ members }};", name));
    }
    const bool is_accumulator = name == "accumulator";
    auto& members = is_accumulator ? found_.accumulator : found_.result;
    if (!members.empty()) refuse(line, fmt::format("struct {} is there already", name));
    std::size_t end = body + 1;
    while (end < tokens_.size() && text(end) != "}") end = read_members(end, name, members);
    if (members.empty()) refuse(line, fmt::format("struct {} has no members", name));
    if (is_accumulator) {
      found_.accumulator_bytes = laid_out_in_words(line, members);
    } else {
      found_.result_bytes = laid_out(members);
      if (members.size() > most_result_values) {
        refuse(line, fmt::format("struct result has {} values; a result has {} at most",
                                 members.size(), most_result_values));
      }
    }
    return end;
  }

  /// "float low, high[2];", from a token on; the token behind. Nothing else may stand in a struct.
  std::size_t read_members(std::size_t at, std::string_view name,
                           std::vector<ResultValue>& members) const {
    const int line = tokens_[at].line;
    const auto type = take_type(at);
    while (type) {
      const std::string_view member = text(at++);
      if (member.empty() || !is_of_word(member.front()) || is_digit(member.front())) break;
      if (text(at) != "[") {
        members.push_back({std::string(member), *type});
      } else if (!take_array(at, {std::string(member), *type}, members)) {
        break;
      }
      const std::string_view behind = text(at++);
      if (behind == ";") return at;
      if (behind != ",") break;
    }
    refuse(line,
           fmt::format("struct {} has numbers as members, and arrays of them, written as 'float "
                       "x;' or 'float x[3];', and nothing else; their types are float, double, i8 "
                       "to i64, u8 to u64 and element",
                       name));
  }
  [[nodiscard]] static bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
  }
  /// The longest name that stands there.
  std::optional<DType> take_type(std::size_t& at) const {
    if (text(at) == "element") {
      ++at;
      return info(in_).kind == DTypeKind::floating && size_of(in_) < 4 ? DType::f32 : in_;
    }
    std::string words;
    std::optional<DType> found;
    for (std::size_t next = at; next < at + 3 && next < tokens_.size(); ++next) {
      words += fmt::format("{}{}", words.empty() ? "" : " ", text(next));
      for (const TypeName& known : type_names) {
        if (known.name != words) continue;
        found = known.type;
        at = next;
      }
    }
    if (found) ++at;
    return found;
  }
  /// "[3]"; false where there is no such number.
  bool take_array(std::size_t& at, const ResultValue& one,
                  std::vector<ResultValue>& members) const {
    const std::string_view digits = text(at + 1);
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
    constexpr std::size_t most = 1024;  // beyond all that is admitted
    if (error != std::errc{} || end != digits.data() + digits.size() || text(at + 2) != "]" ||
        length == 0 || length > most) {
      return false;
    }
    for (std::size_t i = 0; i < length; ++i) {
      members.push_back({fmt::format("{}[{}]", one.name, i), one.type});
    }
    at += 3;
    return true;
  }

  /// Whole words, one behind the other; how many bytes they are.
  std::size_t laid_out_in_words(int line, std::vector<ResultValue>& members) {
    constexpr std::size_t word = sizeof(std::uint32_t);
    found_.struct_bytes = laid_out(members);
    std::size_t bytes = 0;
    for (ResultValue& member : members) {
      member.offset = bytes;
      bytes += std::max(word, size_of(member.type));
    }
    if (bytes <= most_accumulator_words * word) return bytes;
    refuse(line, fmt::format("struct accumulator takes {} words of 32 bits, of which each member "
                             "has whole ones; kernels hand over {} at most",
                             bytes / word, most_accumulator_words));
  }
  /// As compilers lay out structs; how many bytes it is.
  static std::size_t laid_out(std::vector<ResultValue>& members) {
    std::size_t bytes = 0;
    std::size_t alignment = 1;
    const auto aligned = [](std::size_t at, std::size_t to) { return (at + to - 1) / to * to; };
    for (ResultValue& member : members) {
      member.offset = aligned(bytes, size_of(member.type));
      bytes = member.offset + size_of(member.type);
      alignment = std::max(alignment, size_of(member.type));
    }
    return aligned(bytes, alignment);
  }

  std::string name_;
  DType in_;
  ScannedText scanned_;
  std::vector<Token> tokens_;
  OperatorStructs found_;
  bool finishes_ = false;
};

}  // namespace

void require_structs(const CustomOp& op, DType in) {
  (void)StructReader(op, in).read();
}

std::shared_ptr<const OperatorStructs> structs_of(const CustomOp& op, DType in) {
  // Rules and plans ask again and again, of one operator mostly.
  thread_local std::string source;
  thread_local DType type{};
  thread_local std::shared_ptr<const OperatorStructs> known;
  if (known == nullptr || type != in || source != op.source) {
    try {
      known = std::make_shared<const OperatorStructs>(StructReader(op, in).read());
    } catch (const UsageError&) {
      known = std::make_shared<const OperatorStructs>();
    }
    source = op.source;
    type = in;
  }
  return known;
}

std::vector<ResultValue> accumulator_members(const Operation& operation) {
  const auto structs = structs_of(operation.custom, operation.in);
  if (structs->accumulator.empty()) return {{"", operation.acc, 0}};
  return structs->accumulator;
}

}  // namespace redtune
