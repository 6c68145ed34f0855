// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The language in which a kernel's description calculates: whole numbers, exact quotients and truth
// values, in Python's spelling. docs/reference/own_kernels.md has the grammar. Begin with
// Expression::parse().
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernel_templates/expressions/value.hpp"
#include "redtune/error.hpp"

namespace redtune::kernels {

/// What is wrong with an expression, and where in its text.
class ExpressionError : public UsageError {
 public:
  ExpressionError(std::size_t offset, const std::string& why) : UsageError(why), offset_(offset) {}
  /// Bytes before the place, from 0.
  [[nodiscard]] std::size_t offset() const { return offset_; }

 private:
  std::size_t offset_;
};

/// Whether a name means something in every expression: "and", "True". Nothing else can be named so.
[[nodiscard]] bool is_expression_word(std::string_view name);

class Expression {
 public:
  static constexpr std::size_t most_bytes = 4096;
  static constexpr int most_depth = 64;  ///< of brackets and signs in each other

  /// The number 0.
  Expression();
  /// Throws ExpressionError.
  [[nodiscard]] static Expression parse(std::string_view text);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// That it asks for, each once, in the order of their first places.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Throws ExpressionError at the first name that is none of these, with what may be meant.
  void require_known(std::span<const std::string_view> known) const;

  /// values: of names(), in their order. Throws ExpressionError for overflow, division by zero and
  /// what functions are not defined for.
  [[nodiscard]] Value evaluate(std::span<const Value> values) const;
  /// Likewise; value_of is asked for each of names() once.
  [[nodiscard]] Value evaluate(const std::function<Value(std::string_view)>& value_of) const;
  /// Likewise a whole number. Throws ExpressionError for a quotient that is none.
  [[nodiscard]] std::int64_t evaluate_whole(std::span<const Value> values) const;
  [[nodiscard]] std::int64_t evaluate_whole(
      const std::function<Value(std::string_view)>& value_of) const;

  /// Whether both calculate the same; blanks and needless brackets are of no account.
  bool operator==(const Expression& other) const {
    return nodes_ == other.nodes_ && names_ == other.names_;
  }

 private:
  friend class ExpressionParser;

  enum class Kind {
    number,
    name,
    negate,
    invert,
    add,
    subtract,
    multiply,
    divide,
    divide_down,
    remainder,
    power,
    compare,
    both,
    either,
    call
  };
  enum class Relation { less, less_equal, greater, greater_equal, equal, unequal };

  struct Node {
    Kind kind = Kind::number;
    std::size_t at = 0;                 // in the text
    Value value = {};                   // of a number
    std::size_t index = 0;              // of a name, or of a function
    std::vector<std::size_t> operands;  // nodes before this one
    std::vector<Relation> relations;    // between neighbouring operands

    bool operator==(const Node& other) const {
      return kind == other.kind && value == other.value && index == other.index &&
             operands == other.operands && relations == other.relations;
    }
  };

  [[nodiscard]] Value value_at(std::size_t node, std::span<const Value> values) const;
  [[nodiscard]] Value calculated(const Node& node, std::span<const Value> values) const;
  [[nodiscard]] Value compared(const Node& node, std::span<const Value> values) const;
  [[nodiscard]] Value called(const Node& node, std::span<const Value> values) const;

  std::string text_;
  std::vector<Node> nodes_;  // the last one is the whole
  std::vector<std::string> names_;
};

}  // namespace redtune::kernels
