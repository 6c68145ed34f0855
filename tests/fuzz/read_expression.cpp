// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The language in which descriptions calculate.
#include "kernel_templates/expressions/expression.hpp"
#include "tests/fuzz/targets.hpp"

namespace redtune::fuzz {

void read_expression(std::string_view bytes) {
  using kernels::Expression;
  using kernels::Value;
  try {
    const Expression expression = Expression::parse(bytes);
    promise(Expression::parse(expression.text()) == expression, "a text means one thing");
    for (const std::int64_t at :
         {std::int64_t{0}, std::int64_t{-3}, std::int64_t{64}, std::int64_t{0x7fffffffffffffff}}) {
      std::int64_t next = at;
      try {
        const Value value = expression.evaluate(
            [&](std::string_view) { return Value(next = static_cast<std::int64_t>(next / 2)); });
        promise(value.denominator() > 0, "a denominator is above zero");
      } catch (const kernels::ExpressionError& error) {
        promise(error.offset() < bytes.size(), "what has no value has a place");
      }
    }
  } catch (const kernels::ExpressionError& error) {
    promise(error.offset() <= bytes.size(), "a refusal has a place");
    promise(*error.what() != '\0', "a refusal says why");
  }
}

std::vector<std::string> expression_samples() {
  return {"32 <= BLOCK_X * BLOCK_Y <= 1024 and n % (ITEMS * 4) == 0",
          "min(ceil(n / (BLOCK * ITEMS)), UNITS * 32)",
          "not (a // 2 ** 3 != -7 % b) or log2(pow2(floor(x / 3))) > abs(-1) and True", "((((1))))",
          "9223372036854775807 + 1"};
}

}  // namespace redtune::fuzz
