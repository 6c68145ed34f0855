// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// An expression with its place, so that whoever calculates it can say where it is wrong.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "kernel_templates/description/place.hpp"
#include "kernel_templates/expressions/expression.hpp"

namespace redtune::kernels {

using ValueOf = std::function<Value(std::string_view name)>;

struct Formula {
  Expression expression;
  Place place = {};

  /// Throws UsageError with the place.
  [[nodiscard]] static Formula parse(std::string_view text, const Place& place);
  /// Throws UsageError at the first name that is none of these.
  void require_known(std::span<const std::string_view> known) const;
  /// Throws UsageError with the place.
  [[nodiscard]] std::int64_t whole(const ValueOf& value_of) const;
  [[nodiscard]] Value value(const ValueOf& value_of) const;
  /// Likewise; values: of the expression's names.
  [[nodiscard]] std::int64_t whole(std::span<const Value> values) const;
  [[nodiscard]] Value value(std::span<const Value> values) const;

  bool operator==(const Formula& other) const { return expression == other.expression; }
};

}  // namespace redtune::kernels
