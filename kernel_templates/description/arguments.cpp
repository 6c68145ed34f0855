// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Arguments: their types as C spells them, what they are used for, what is in them at first.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>

#include "kernel_templates/description/parts.hpp"
#include "redtune/suggest.hpp"

namespace redtune::kernels {
namespace {

constexpr std::string_view buffer_usage = "arg float NAME[EXTENT] in|out|inout|scratch FILL";
constexpr std::string_view scalar_usage = "arg int NAME, or arg float NAME = 0.5";
constexpr std::string_view fill_usage =
    "zero, constant(1), uniform(-1, 1), counting, each(i % 7) or file NAME";

struct TypeName {
  std::string_view name;
  DType dtype;
  int lanes = 1;
};

/// Of one word, and of several in one order. Types of 16-bit floats have vendors' names.
constexpr std::array type_names{
    TypeName{"float", DType::f32},
    TypeName{"double", DType::f64},
    TypeName{"half", DType::f16},
    TypeName{"__half", DType::f16},
    TypeName{"_Float16", DType::f16},
    TypeName{"bool", DType::u8},
    TypeName{"char", DType::i8},
    TypeName{"signed char", DType::i8},
    TypeName{"unsigned char", DType::u8},
    TypeName{"short", DType::i16},
    TypeName{"short int", DType::i16},
    TypeName{"unsigned short", DType::u16},
    TypeName{"unsigned short int", DType::u16},
    TypeName{"int", DType::i32},
    TypeName{"unsigned", DType::u32},
    TypeName{"unsigned int", DType::u32},
    TypeName{"long", DType::i64},
    TypeName{"long int", DType::i64},
    TypeName{"unsigned long", DType::u64},
    TypeName{"unsigned long int", DType::u64},
    TypeName{"long long", DType::i64},
    TypeName{"long long int", DType::i64},
    TypeName{"unsigned long long", DType::u64},
    TypeName{"unsigned long long int", DType::u64},
    TypeName{"int8_t", DType::i8},
    TypeName{"int16_t", DType::i16},
    TypeName{"int32_t", DType::i32},
    TypeName{"int64_t", DType::i64},
    TypeName{"uint8_t", DType::u8},
    TypeName{"uint16_t", DType::u16},
    TypeName{"uint32_t", DType::u32},
    TypeName{"uint64_t", DType::u64},
    TypeName{"size_t", DType::u64},
    TypeName{"ptrdiff_t", DType::i64},
};

/// Those that a digit behind makes a vector of.
constexpr std::array vector_names{
    TypeName{"float", DType::f32},     TypeName{"double", DType::f64},
    TypeName{"half", DType::f16},      TypeName{"char", DType::i8},
    TypeName{"uchar", DType::u8},      TypeName{"short", DType::i16},
    TypeName{"ushort", DType::u16},    TypeName{"int", DType::i32},
    TypeName{"uint", DType::u32},      TypeName{"long", DType::i64},
    TypeName{"ulong", DType::u64},     TypeName{"longlong", DType::i64},
    TypeName{"ulonglong", DType::u64},
};

std::optional<ElementType> element_type_of(std::string_view name) {
  const auto row = std::ranges::find(type_names, name, &TypeName::name);
  if (row != type_names.end()) return ElementType{row->dtype, 1};
  if (name.ends_with("bfloat16") && is_name(name)) return ElementType{DType::bf16, 1};
  if (name.empty() || name.back() < '2' || name.back() > '4') return std::nullopt;
  const int lanes = name.back() - '0';
  name.remove_suffix(1);
  const auto vector = std::ranges::find(vector_names, name, &TypeName::name);
  // Three lanes lie in memory in a way of their own.
  if (vector == vector_names.end() || lanes == 3) return std::nullopt;
  return ElementType{vector->dtype, lanes};
}

/// A declaration word by word: "const unsigned int in" and what stands behind it.
class DeclarationReader {
 public:
  DeclarationReader(StatementReader& reader, const std::string& folder)
      : reader_(reader), folder_(folder) {}

  KernelArgument read() {
    reader_.skip_blanks();
    argument_.place = reader_.place();
    read_words();
    if (reader_.take("["))
      read_buffer();
    else
      read_scalar();
    return std::move(argument_);
  }

 private:
  /// The qualifiers, the type and, as the last word, the name.
  void read_words() {
    struct Word {
      std::string_view text;
      std::size_t at;
    };
    std::vector<Word> words;
    for (std::string_view word = reader_.peek_word(); !word.empty(); word = reader_.peek_word()) {
      const std::size_t at = reader_.offset();
      (void)reader_.take_word();
      if (word == "const") {
        is_const_ = true;
      } else if (word == "constant" && words.empty()) {
        argument_.kind = ArgumentKind::constant;
      } else if (word != "volatile" && word != "__restrict__" && word != "restrict") {
        words.push_back({word, at});
      }
    }
    const std::string_view rest = reader_.rest();
    if (rest.starts_with("*") || rest.starts_with("&")) {
      reader_.refuse("pointers are written as arrays with their extent; write arg float NAME[n]");
    }
    if (words.size() < 2) {
      reader_.refuse_from(words.empty() ? reader_.offset() : words[0].at,
                          fmt::format("an argument has a type and a name; write {}, or {}",
                                      buffer_usage, scalar_usage));
    }
    argument_.name = words.back().text;
    words.pop_back();
    std::string type;
    for (const Word& word : words) type += (type.empty() ? "" : " ") + std::string(word.text);
    const auto found = element_type_of(type);
    if (!found) {
      std::vector<std::string_view> known;
      for (const TypeName& row : type_names) known.push_back(row.name);
      reader_.refuse_from(words[0].at,
                          fmt::format("unknown type '{}'{}; elements are numbers like int, float, "
                                      "unsigned char, half, double, float4",
                                      type, suggest(type, known)));
    }
    argument_.type = *found;
  }

  void read_scalar() {
    if (argument_.kind == ArgumentKind::constant) {
      reader_.refuse("what is in constant memory has an extent; write arg constant float NAME[9]");
    }
    if (argument_.type.lanes > 1) {
      reader_.refuse_from(0, "a scalar is one number; vectors are elements of buffers only");
    }
    if (!reader_.take("=")) {
      if (!reader_.is_done()) {
        reader_.refuse(fmt::format("'{}' is not expected here; write {}, or {}",
                                   reader_.rest().substr(0, 20), scalar_usage, buffer_usage));
      }
      // By its name: of a size, or of a tunable.
      if (is_expression_word(argument_.name)) {
        reader_.refuse_from(0, fmt::format("the name {} is taken; choose another one, or write its "
                                           "value behind it",
                                           argument_.name));
      }
      argument_.amount = Formula::parse(argument_.name, argument_.place);
      return;
    }
    reader_.skip_blanks();
    if (is_floating() && has_fraction(reader_.rest())) {
      argument_.fraction = reader_.require_number("the scalar's value");
      reader_.require_done(scalar_usage);
      return;
    }
    argument_.amount = reader_.formula_until("");
  }

  /// Whether it is a number that no formula spells.
  static bool has_fraction(std::string_view text) {
    const std::string_view number = trimmed(text);
    return number.find_first_of(".eE") != std::string_view::npos &&
           number.find_first_not_of("+-.0123456789eE") == std::string_view::npos;
  }

  void read_buffer() {
    if (argument_.kind == ArgumentKind::scalar) argument_.kind = ArgumentKind::buffer;
    argument_.amount = reader_.formula_until("]");
    reader_.require("]", buffer_usage);
    read_access();
    read_fill();
    reader_.require_done(buffer_usage);
  }

  void read_access() {
    reader_.skip_blanks();
    const std::size_t at = reader_.offset();
    const bool is_read_only = is_const_ || argument_.kind == ArgumentKind::constant;
    const auto refuse_output = [&] {
      if (is_read_only) reader_.refuse_from(at, "what is constant is no output; leave it at 'in'");
    };
    if (reader_.take_word("in")) return;
    if (reader_.take_word("inout")) {
      refuse_output();
      argument_.access = Access::inout;
    } else if (reader_.take_word("out")) {
      refuse_output();
      argument_.access = Access::out;
    } else if (reader_.take_word("scratch")) {
      refuse_output();
      argument_.access = Access::scratch;
    } else if (!is_read_only) {
      reader_.refuse(
          fmt::format("it is not said whether '{}' is read or written; write in, out, "
                      "inout or scratch behind its extent",
                      argument_.name));
    }
  }

  void read_fill() {
    reader_.skip_blanks();
    const std::size_t at = reader_.offset();
    Fill& fill = argument_.fill;
    if (reader_.take_word("zero")) {
      fill.kind = FillKind::zero;
    } else if (reader_.take_word("counting")) {
      fill.kind = FillKind::counting;
    } else if (reader_.take_word("constant")) {
      fill.kind = FillKind::constant;
      reader_.require("(", fill_usage);
      fill.low = fill.high = require_element("the constant");
      reader_.require(")", fill_usage);
    } else if (reader_.take_word("uniform")) {
      fill.kind = FillKind::uniform;
      reader_.require("(", fill_usage);
      fill.low = require_element("the lower end");
      reader_.require(",", fill_usage);
      fill.high = require_element("the upper end");
      reader_.require(")", fill_usage);
      if (fill.high < fill.low) {
        reader_.refuse_from(at, "the lower end is above the upper one; write uniform(-1, 1)");
      }
    } else if (reader_.take_word("each")) {
      fill.kind = FillKind::formula;
      reader_.require("(", fill_usage);
      fill.formula = reader_.formula_until(")");
      fill.formula.require_known({&index_name, 1});
      reader_.require(")", fill_usage);
    } else if (reader_.take_word("file")) {
      fill.kind = FillKind::file;
      fill.path = path_beside(folder_, reader_.require_path());
    } else if (argument_.access == Access::in || argument_.access == Access::inout) {
      reader_.refuse(fmt::format("it is not said what is in '{}' at first; write {}",
                                 argument_.name, fill_usage));
    }
    if (argument_.access == Access::out && fill.kind != FillKind::none) {
      reader_.refuse_from(at,
                          "an output has nothing in it at first; write inout where the kernel "
                          "needs what is there");
    }
  }

  [[nodiscard]] bool is_floating() const {
    return info(argument_.type.dtype).kind == DTypeKind::floating;
  }

  /// A number that an element can be.
  double require_element(std::string_view what) {
    reader_.skip_blanks();
    const std::size_t at = reader_.offset();
    const double number = reader_.require_number(what);
    if (is_floating()) return number;
    const DTypeInfo& type = info(argument_.type.dtype);
    const bool is_signed = type.kind == DTypeKind::signed_int;
    // Doubles tell integers up to 2^53 apart.
    const double most = std::min(
        std::ldexp(1.0, static_cast<int>(type.bytes) * 8 - (is_signed ? 1 : 0)) - 1, 0x1p53);
    const double least = is_signed ? -most - 1 : 0;
    if (number != std::floor(number) || number < least || number > most) {
      reader_.refuse_from(at, fmt::format("{} is no {}; write a whole number from {} to {}", number,
                                          to_string(argument_.type), least, most));
    }
    return number;
  }

  StatementReader& reader_;
  const std::string& folder_;
  KernelArgument argument_;
  bool is_const_ = false;
};

}  // namespace

std::string to_string(const ElementType& type) {
  if (type.lanes > 1) {
    const auto row = std::ranges::find(vector_names, type.dtype, &TypeName::dtype);
    return fmt::format("{}{}", row->name, type.lanes);
  }
  if (type.dtype == DType::bf16) return "bfloat16";
  if (type.dtype == DType::u8) return "unsigned char";
  return std::string(std::ranges::find(type_names, type.dtype, &TypeName::dtype)->name);
}

std::string path_beside(const std::string& folder, const std::string& name) {
  return (std::filesystem::path(folder) / name).lexically_normal().generic_string();
}

KernelArgument read_argument(const Statement& statement, const std::string& folder) {
  StatementReader reader(statement);
  return DeclarationReader(reader, folder).read();
}

}  // namespace redtune::kernels
