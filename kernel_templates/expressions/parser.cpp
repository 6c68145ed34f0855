// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Text into nodes: a function for each rule of the grammar.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "kernel_templates/expressions/expression.hpp"
#include "kernel_templates/expressions/functions.hpp"
#include "redtune/suggest.hpp"

namespace redtune::kernels {

/// A piece of the text; no text: its end.
struct ExpressionToken {
  std::string_view text;
  std::size_t at = 0;

  [[nodiscard]] bool is_name() const {
    return !text.empty() &&
           (std::isalpha(static_cast<unsigned char>(text.front())) != 0 || text.front() == '_');
  }
  [[nodiscard]] bool is_number() const {
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0;
  }
};

namespace {

using Token = ExpressionToken;

bool continues_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// What other languages write, and what is written here.
struct Foreign {
  std::string_view text;
  std::string_view instead;
};
constexpr std::array foreign_operators{
    Foreign{"&&", "write 'and'"},
    Foreign{"||", "write 'or'"},
    Foreign{"<<", "write '* 2 **'"},
    Foreign{">>", "write '// 2 **'"},
    Foreign{"^", "a power is written with '**'"},
    Foreign{"!", "write 'not'"},
    Foreign{"=", "two sides are compared with '=='"},
    Foreign{"?", "there are no conditional expressions"},
    Foreign{"&", "there are no operators on bits"},
    Foreign{"|", "there are no operators on bits"},
    Foreign{"~", "there are no operators on bits"},
    Foreign{"[", "there are no lists here"},
    Foreign{".", "numbers are whole; write a quotient, like 1 / 2"},
    Foreign{"'", "there is no text in expressions, only numbers"},
    Foreign{"\"", "there is no text in expressions, only numbers"},
};

constexpr std::array<std::string_view, 5> operator_words{"and", "or", "not", "in", "if"};

struct TruthWord {
  std::string_view text;
  bool is_true;
};
constexpr std::array truth_words{TruthWord{"True", true}, TruthWord{"true", true},
                                 TruthWord{"False", false}, TruthWord{"false", false}};

constexpr std::array<std::string_view, 16> known_operators{
    "**", "//", "<=", ">=", "==", "!=", "+", "-", "*", "/", "%", "<", ">", "(", ")", ","};

/// A character that a terminal shows as it is, or its number.
std::string shown_character(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x20 && byte < 0x7f) return fmt::format("'{}'", c);
  return fmt::format("byte {:#04x}", byte);
}

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::string_view rest = text.substr(at);
    if (std::isspace(static_cast<unsigned char>(rest.front())) != 0) {
      ++at;
      continue;
    }
    Token token{rest.substr(0, 0), at};
    if (continues_name(rest.front())) {
      const auto end = std::ranges::find_if_not(rest, continues_name);
      token.text = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
    } else {
      const auto is_next = [&](std::string_view one) { return rest.starts_with(one); };
      const auto known = std::ranges::find_if(known_operators, is_next);
      const auto foreign = std::ranges::find_if(foreign_operators, is_next, &Foreign::text);
      const bool is_shorter = foreign != foreign_operators.end() &&
                              known != known_operators.end() &&
                              known->size() >= foreign->text.size();
      if (foreign != foreign_operators.end() && !is_shorter) {
        throw ExpressionError(
            at, fmt::format("'{}' is no operator here; {}", foreign->text, foreign->instead));
      }
      if (known == known_operators.end()) {
        throw ExpressionError(
            at, fmt::format("{} means nothing in an expression", shown_character(rest.front())));
      }
      token.text = rest.substr(0, known->size());
    }
    at += token.text.size();
    tokens.push_back(token);
  }
  tokens.push_back({{}, text.size()});
  return tokens;
}

}  // namespace

class ExpressionParser {
 public:
  using Node = Expression::Node;
  using Kind = Expression::Kind;
  using Relation = Expression::Relation;

  explicit ExpressionParser(std::string_view text) {
    expression_.text_ = text;
    expression_.nodes_.clear();
    tokens_ = tokens_of(expression_.text_);
  }

  Expression parse() {
    if (next().text.empty()) refuse("there is no expression; write a number or a name");
    (void)either();
    if (!next().text.empty()) {
      refuse(
          fmt::format("'{}' is not expected here; the expression is over before it", next().text));
    }
    return std::move(expression_);
  }

 private:
  struct Binary {
    std::string_view text;
    Kind kind;
  };

  [[nodiscard]] const Token& next() const { return tokens_[position_]; }
  [[noreturn]] void refuse(const std::string& why) const { throw ExpressionError(next().at, why); }
  bool take(std::string_view text) {
    if (next().text != text) return false;
    ++position_;
    return true;
  }
  void require(std::string_view text, std::string_view why) {
    if (!take(text)) refuse(fmt::format("here a '{}' is missing{}", text, why));
  }
  std::size_t push(Node node) {
    expression_.nodes_.push_back(std::move(node));
    return expression_.nodes_.size() - 1;
  }

  /// Brackets and signs in each other, so that the stack is enough for what is read.
  class Level {
   public:
    explicit Level(ExpressionParser& parser) : parser_(parser) {
      if (++parser_.depth_ > Expression::most_depth) {
        parser_.refuse(fmt::format("more than {} brackets and signs are in each other",
                                   Expression::most_depth));
      }
    }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    ExpressionParser& parser_;
  };

  std::size_t either() {
    return word_list("or", Kind::either, [this] { return both(); });
  }
  std::size_t both() {
    return word_list("and", Kind::both, [this] { return inverted(); });
  }
  template <class Operand>
  std::size_t word_list(std::string_view word, Kind kind, const Operand& operand) {
    std::vector<std::size_t> operands{operand()};
    const std::size_t at = next().at;
    while (take(word)) operands.push_back(operand());
    if (operands.size() == 1) return operands[0];
    return push({.kind = kind, .at = at, .operands = std::move(operands)});
  }

  std::size_t inverted() {
    const std::size_t at = next().at;
    if (!take("not")) return comparison();
    const Level level(*this);
    const std::size_t operand = inverted();
    return push({.kind = Kind::invert, .at = at, .operands = {operand}, .relations = {}});
  }

  std::optional<Relation> relation() {
    static constexpr std::array<std::pair<std::string_view, Relation>, 6> all{
        {{"<", Relation::less},
         {"<=", Relation::less_equal},
         {">", Relation::greater},
         {">=", Relation::greater_equal},
         {"==", Relation::equal},
         {"!=", Relation::unequal}}};
    for (const auto& [text, relation] : all) {
      if (take(text)) return relation;
    }
    return std::nullopt;
  }
  std::size_t comparison() {
    std::vector<std::size_t> operands{sum()};
    std::vector<Relation> relations;
    const std::size_t at = next().at;
    while (const auto found = relation()) {
      relations.push_back(*found);
      operands.push_back(sum());
    }
    if (relations.empty()) return operands[0];
    return push({.kind = Kind::compare,
                 .at = at,
                 .operands = std::move(operands),
                 .relations = std::move(relations)});
  }

  template <class Operand>
  std::size_t left_to_right(std::span<const Binary> rows, const Operand& operand) {
    std::size_t left = operand();
    for (;;) {
      const std::size_t at = next().at;
      const auto row = std::ranges::find(rows, next().text, &Binary::text);
      if (row == rows.end()) return left;
      ++position_;
      const std::size_t right = operand();
      left = push({.kind = row->kind, .at = at, .operands = {left, right}});
    }
  }
  std::size_t sum() {
    static constexpr std::array rows{Binary{"+", Kind::add}, Binary{"-", Kind::subtract}};
    return left_to_right(rows, [this] { return product(); });
  }
  std::size_t product() {
    static constexpr std::array rows{Binary{"*", Kind::multiply}, Binary{"/", Kind::divide},
                                     Binary{"//", Kind::divide_down}, Binary{"%", Kind::remainder}};
    return left_to_right(rows, [this] { return signed_power(); });
  }

  std::size_t signed_power() {
    const std::size_t at = next().at;
    const bool is_negated = take("-");
    if (!is_negated && !take("+")) return raised();
    const Level level(*this);
    const std::size_t operand = signed_power();
    if (!is_negated) return operand;
    return push({.kind = Kind::negate, .at = at, .operands = {operand}, .relations = {}});
  }
  /// From right to left, and before signs: -2 ** 2 is -4.
  std::size_t raised() {
    const std::size_t base = primary();
    const std::size_t at = next().at;
    if (!take("**")) return base;
    const Level level(*this);
    const std::size_t exponent = signed_power();
    return push({.kind = Kind::power, .at = at, .operands = {base, exponent}, .relations = {}});
  }

  std::size_t primary() {
    const Token token = next();
    if (take("(")) {
      const Level level(*this);
      const std::size_t inner = either();
      require(")", ": a bracket before is not closed");
      return inner;
    }
    if (token.is_number()) return number();
    if (token.is_name()) return name();
    if (token.text.empty()) refuse("something is missing at the end; write a number or a name");
    refuse(fmt::format("'{}' is not expected here; write a number or a name", token.text));
  }

  std::size_t number() {
    const Token token = next();
    std::int64_t value = 0;
    const char* const end = token.text.data() + token.text.size();
    const auto [stop, error] = std::from_chars(token.text.data(), end, value);
    if (error == std::errc::result_out_of_range) {
      refuse(fmt::format("{} does not fit into 64 bits", token.text));
    }
    if (stop != end) {
      refuse(fmt::format("'{}' is neither a number nor a name; numbers are decimal and whole",
                         token.text));
    }
    ++position_;
    return push({.kind = Kind::number, .at = token.at, .value = Value(value)});
  }

  std::size_t name() {
    const Token token = next();
    if (std::ranges::find(operator_words, token.text) != operator_words.end()) {
      refuse(fmt::format("'{}' is not expected here; write a number or a name", token.text));
    }
    ++position_;
    const auto truth = std::ranges::find(truth_words, token.text, &TruthWord::text);
    if (truth != truth_words.end()) {
      return push({.kind = Kind::number, .at = token.at, .value = Value::truth(truth->is_true)});
    }
    if (next().text == "(") return call(token);
    auto& names = expression_.names_;
    auto found = std::ranges::find(names, token.text);
    if (found == names.end()) found = names.insert(names.end(), std::string(token.text));
    return push({.kind = Kind::name,
                 .at = token.at,
                 .index = static_cast<std::size_t>(found - names.begin())});
  }

  std::size_t call(const Token& name) {
    const auto all = expression_functions();
    const auto function = std::ranges::find(all, name.text, &Function::name);
    if (function == all.end()) {
      std::vector<std::string_view> known;
      for (const Function& one : all) known.push_back(one.name);
      throw ExpressionError(name.at,
                            fmt::format("there is no function '{}'{}; known: {}", name.text,
                                        suggest(name.text, known), join(known)));
    }
    require("(", "");
    const Level level(*this);
    std::vector<std::size_t> operands{either()};
    while (take(",")) {
      if (!function->takes_several) refuse(fmt::format("{} is of one number", name.text));
      operands.push_back(either());
    }
    require(")", fmt::format(": the bracket of '{}' is not closed", name.text));
    return push({.kind = Kind::call,
                 .at = name.at,
                 .index = static_cast<std::size_t>(function - all.begin()),
                 .operands = std::move(operands)});
  }

  Expression expression_;
  std::vector<Token> tokens_;
  std::size_t position_ = 0;
  int depth_ = 0;
};

bool is_expression_word(std::string_view name) {
  return std::ranges::find(operator_words, name) != operator_words.end() ||
         std::ranges::find(truth_words, name, &TruthWord::text) != truth_words.end();
}

Expression Expression::parse(std::string_view text) {
  if (text.size() > most_bytes) {
    throw ExpressionError(most_bytes,
                          fmt::format("an expression has at most {} bytes", most_bytes));
  }
  return ExpressionParser(text).parse();
}

}  // namespace redtune::kernels
