// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/description/formula.hpp"

namespace redtune::kernels {
namespace {

/// Does something with an expression that stands there; what is wrong is told with the place.
template <class Action>
auto told_with_place(const Place& place, const Action& action) -> decltype(action()) {
  try {
    return action();
  } catch (const ExpressionError& error) {
    refuse_at(place.behind(error.offset()), error.what());
  }
}

}  // namespace

Formula Formula::parse(std::string_view text, const Place& place) {
  return told_with_place(place, [&] { return Formula{Expression::parse(text), place}; });
}

void Formula::require_known(std::span<const std::string_view> known) const {
  told_with_place(place, [&] { expression.require_known(known); });
}

std::int64_t Formula::whole(const ValueOf& value_of) const {
  return told_with_place(place, [&] { return expression.evaluate_whole(value_of); });
}

Value Formula::value(const ValueOf& value_of) const {
  return told_with_place(place, [&] { return expression.evaluate(value_of); });
}

std::int64_t Formula::whole(std::span<const Value> values) const {
  return told_with_place(place, [&] { return expression.evaluate_whole(values); });
}

Value Formula::value(std::span<const Value> values) const {
  return told_with_place(place, [&] { return expression.evaluate(values); });
}

}  // namespace redtune::kernels
