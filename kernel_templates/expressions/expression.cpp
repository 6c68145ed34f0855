// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What nodes are worth.
#include "kernel_templates/expressions/expression.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "kernel_templates/expressions/functions.hpp"
#include "redtune/suggest.hpp"

namespace redtune::kernels {

Expression::Expression() : text_("0"), nodes_{Node{}} {}

void Expression::require_known(std::span<const std::string_view> known) const {
  for (const Node& node : nodes_) {
    if (node.kind != Kind::name) continue;
    const std::string& name = names_[node.index];
    if (std::ranges::find(known, name) != known.end()) continue;
    throw ExpressionError(node.at, fmt::format("unknown name '{}'{}; known: {}", name,
                                               suggest(name, known), join(known)));
  }
}

Value Expression::evaluate(std::span<const Value> values) const {
  return value_at(nodes_.size() - 1, values);
}

namespace {

/// Of each name once.
std::vector<Value> values_of_names(const std::vector<std::string>& names,
                                   const std::function<Value(std::string_view)>& value_of) {
  std::vector<Value> values;
  values.reserve(names.size());
  for (const std::string& name : names) values.push_back(value_of(name));
  return values;
}

}  // namespace

Value Expression::evaluate(const std::function<Value(std::string_view)>& value_of) const {
  return evaluate(values_of_names(names_, value_of));
}

std::int64_t Expression::evaluate_whole(
    const std::function<Value(std::string_view)>& value_of) const {
  return evaluate_whole(values_of_names(names_, value_of));
}

std::int64_t Expression::evaluate_whole(std::span<const Value> values) const {
  const Value value = evaluate(values);
  if (value.is_whole()) return value.numerator();
  throw ExpressionError(0, fmt::format("{} is {}, which is no whole number; write '//' or ceil()",
                                       text_, to_string(value)));
}

Value Expression::value_at(std::size_t number, std::span<const Value> values) const {
  const Node& node = nodes_[number];
  switch (node.kind) {
    case Kind::number:
      return node.value;
    case Kind::name:
      return values[node.index];
    case Kind::invert:
      return Value::truth(!value_at(node.operands[0], values).is_true());
    case Kind::compare:
      return compared(node, values);
    case Kind::both:
    case Kind::either: {
      // The operand that decides, as in Python; those behind it are not looked at.
      Value decisive;
      for (const std::size_t operand : node.operands) {
        decisive = value_at(operand, values);
        if (decisive.is_true() == (node.kind == Kind::either)) break;
      }
      return decisive;
    }
    case Kind::call:
      return called(node, values);
    default:
      return calculated(node, values);
  }
}

Value Expression::calculated(const Node& node, std::span<const Value> values) const {
  const Value a = value_at(node.operands[0], values);
  const Value b = node.operands.size() > 1 ? value_at(node.operands[1], values) : Value();
  const auto result = [&]() -> std::optional<Value> {
    switch (node.kind) {
      case Kind::negate:
        return subtract(Value(0), a);
      case Kind::add:
        return add(a, b);
      case Kind::subtract:
        return subtract(a, b);
      case Kind::multiply:
        return multiply(a, b);
      case Kind::divide:
        return divide(a, b);
      case Kind::divide_down:
        return divide_down(a, b);
      case Kind::remainder:
        return remainder(a, b);
      default:
        return power(a, b);
    }
  }();
  if (result) return *result;
  const bool divides =
      node.kind == Kind::divide || node.kind == Kind::divide_down || node.kind == Kind::remainder;
  if (divides && !b.is_true()) throw ExpressionError(node.at, "this divides by zero");
  if (node.kind == Kind::power && !b.is_whole()) {
    throw ExpressionError(
        node.at, fmt::format("{} is no exponent; it must be a whole number", to_string(b)));
  }
  if (node.kind == Kind::power && !a.is_true()) {
    throw ExpressionError(node.at, "0 has no power below 0");
  }
  throw ExpressionError(node.at, "the result does not fit into 64 bits");
}

Value Expression::compared(const Node& node, std::span<const Value> values) const {
  const auto holds = [](Relation relation, const Value& a, const Value& b) {
    switch (relation) {
      case Relation::less:
        return a < b;
      case Relation::less_equal:
        return a <= b;
      case Relation::greater:
        return a > b;
      case Relation::greater_equal:
        return a >= b;
      case Relation::equal:
        return a == b;
      default:
        return a != b;
    }
  };
  Value left = value_at(node.operands[0], values);
  for (std::size_t i = 0; i < node.relations.size(); ++i) {
    const Value right = value_at(node.operands[i + 1], values);
    if (!holds(node.relations[i], left, right)) return Value::truth(false);
    left = right;
  }
  return Value::truth(true);
}

Value Expression::called(const Node& node, std::span<const Value> values) const {
  std::vector<Value> operands;
  for (const std::size_t operand : node.operands) operands.push_back(value_at(operand, values));
  const FunctionResult result = expression_functions()[node.index].apply(operands);
  if (!result.why_not.empty()) throw ExpressionError(node.at, result.why_not);
  return result.value;
}

}  // namespace redtune::kernels
