// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Expressions are worth what Python says, or are refused at their place.
#include "kernel_templates/expressions/expression.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <ostream>
#include <utility>

namespace redtune::kernels {
namespace {

Value named(std::string_view name) {
  return Value(name == "n" ? 1000 : 7);
}

/// "12", or "COLUMN: why".
std::string worth(std::string_view text) {
  try {
    return to_string(Expression::parse(text).evaluate(named));
  } catch (const ExpressionError& error) {
    return std::to_string(error.offset() + 1) + ": " + error.what();
  }
}

struct Row {
  std::string_view text;
  std::string_view worth;
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.text;
}

class Expressions : public ::testing::TestWithParam<Row> {};

TEST_P(Expressions, AreWorthWhatIsExpected) {
  EXPECT_EQ(worth(GetParam().text), GetParam().worth);
}

INSTANTIATE_TEST_SUITE_P(
    Numbers, Expressions,
    ::testing::Values(Row{"0", "0"}, Row{"9223372036854775807", "9223372036854775807"},
                      Row{"1+2*3", "7"}, Row{"(1+2)*3", "9"}, Row{"7-2-1", "4"}, Row{"-2**2", "-4"},
                      Row{"2**3**2", "512"}, Row{"2**-1", "1/2"}, Row{"-7//2", "-4"},
                      Row{"7//-2", "-4"}, Row{"-7%3", "2"}, Row{"7%-3", "-2"}, Row{"+-+3", "-3"},
                      Row{"1/2+1/2", "1"}, Row{"n/3", "1000/3"}, Row{"7/2//1", "3"},
                      Row{"0**0", "1"}, Row{"(-1)**9223372036854775807", "-1"},
                      Row{"ceil(n/256)*256", "1024"}, Row{"ceil(-7/2)", "-3"},
                      Row{"floor(-7/2)", "-4"}, Row{"abs(-3)", "3"}, Row{"min(3,1,2)", "1"},
                      Row{"max(3)", "3"}, Row{"pow2(10)", "1024"}, Row{"pow2(-1)", "1/2"},
                      Row{"log2(1024)", "10"}, Row{"log2(1/8)", "-3"}, Row{"a_b1", "7"}));

INSTANTIATE_TEST_SUITE_P(
    Truth, Expressions,
    ::testing::Values(Row{"1<2<3", "true"}, Row{"32<=2048<=1024", "false"}, Row{"1<3>2", "true"},
                      Row{"1/2==2/4", "true"}, Row{"1!=1", "false"}, Row{"True", "true"},
                      Row{"false", "false"}, Row{"True+True", "2"}, Row{"not 0", "true"},
                      Row{"not not 3", "true"}, Row{"not 1==2", "true"}, Row{"n and 3", "3"},
                      Row{"0 or 4", "4"}, Row{"0 and 1/0", "0"}, Row{"1 or 1/0", "1"},
                      Row{"2<1<1/0", "false"}, Row{"1 or 0 and 0", "1"}, Row{"(n>5)*4", "4"}));

INSTANTIATE_TEST_SUITE_P(
    Refused, Expressions,
    ::testing::Values(
        Row{"", "1: there is no expression; write a number or a name"},
        Row{"  ", "3: there is no expression; write a number or a name"},
        Row{"1+", "3: something is missing at the end; write a number or a name"},
        Row{"1 2", "3: '2' is not expected here; the expression is over before it"},
        Row{"*1", "1: '*' is not expected here; write a number or a name"},
        Row{"(1", "3: here a ')' is missing: a bracket before is not closed"},
        Row{"min(1,2", "8: here a ')' is missing: the bracket of 'min' is not closed"},
        Row{"ceil(1,2)", "8: ceil is of one number"},
        Row{"mni(1)",
            "1: there is no function 'mni' (did you mean 'min'?); known: min, max, ceil, "
            "floor, abs, pow2, log2"},
        Row{"a&&b", "2: '&&' is no operator here; write 'and'"},
        Row{"a||b", "2: '||' is no operator here; write 'or'"},
        Row{"!a", "1: '!' is no operator here; write 'not'"},
        Row{"a=3", "2: '=' is no operator here; two sides are compared with '=='"},
        Row{"2^3", "2: '^' is no operator here; a power is written with '**'"},
        Row{"1<<3", "2: '<<' is no operator here; write '* 2 **'"},
        Row{"a?b:c", "2: '?' is no operator here; there are no conditional expressions"},
        Row{"1 if a", "3: 'if' is not expected here; the expression is over before it"},
        Row{"and", "1: 'and' is not expected here; write a number or a name"},
        Row{"1.5", "2: '.' is no operator here; numbers are whole; write a quotient, like 1 / 2"},
        Row{"0x10", "1: '0x10' is neither a number nor a name; numbers are decimal and whole"},
        Row{"@", "1: '@' means nothing in an expression"},
        Row{"\xc3\xa9", "1: byte 0xc3 means nothing in an expression"},
        Row{"9223372036854775808", "1: 9223372036854775808 does not fit into 64 bits"}));

INSTANTIATE_TEST_SUITE_P(
    WithoutAValue, Expressions,
    ::testing::Values(Row{"1/0", "2: this divides by zero"},
                      Row{"1//(n-1000)", "2: this divides by zero"},
                      Row{"1%0", "2: this divides by zero"},
                      Row{"2**63", "2: the result does not fit into 64 bits"},
                      Row{"9223372036854775807+1", "20: the result does not fit into 64 bits"},
                      Row{"-9223372036854775807-2", "21: the result does not fit into 64 bits"},
                      Row{"4294967296*4294967296", "11: the result does not fit into 64 bits"},
                      Row{"3**-64", "2: the result does not fit into 64 bits"},
                      Row{"abs(-9223372036854775807-1)", "1: the result does not fit into 64 bits"},
                      Row{"2**(1/2)", "2: 1/2 is no exponent; it must be a whole number"},
                      Row{"0**-1", "2: 0 has no power below 0"},
                      Row{"log2(12)", "1: log2(12) is no whole number; log2 is of powers of two"},
                      Row{"log2(0)", "1: log2(0) is no whole number; log2 is of powers of two"},
                      Row{"pow2(1/2)", "1: 2 to the power of 1/2 is not calculated"}));

TEST(ExpressionNames, AreToldOnceInTheirOrder) {
  const Expression expression = Expression::parse("b * a + b * max(c, a) - true");
  EXPECT_EQ(expression.names(), (std::vector<std::string>{"b", "a", "c"}));
  const std::vector<Value> values{Value(2), Value(3), Value(5)};
  EXPECT_EQ(to_string(expression.evaluate(values)), "15");
}

TEST(ExpressionNames, ThatAreUnknownAreRefusedAtTheirPlace) {
  const std::vector<std::string_view> known{"BLOCK", "n"};
  const Expression expression = Expression::parse("n * BLOKC");
  try {
    expression.require_known(known);
    FAIL() << "it is known";
  } catch (const ExpressionError& error) {
    EXPECT_EQ(error.offset(), 4U);
    EXPECT_STREQ(error.what(), "unknown name 'BLOKC' (did you mean 'BLOCK'?); known: BLOCK, n");
  }
  EXPECT_NO_THROW(Expression::parse("n * BLOCK").require_known(known));
}

TEST(ExpressionText, OfTheSameMeaningIsEqual) {
  EXPECT_EQ(Expression::parse("a+b*2"), Expression::parse(" a + ( b * 2 ) "));
  EXPECT_NE(Expression::parse("a+b*2"), Expression::parse("(a+b)*2"));
  EXPECT_NE(Expression::parse("a+b"), Expression::parse("a+c"));
  EXPECT_NE(Expression::parse("a<b"), Expression::parse("a<=b"));
  EXPECT_NE(Expression::parse("min(a,b)"), Expression::parse("max(a,b)"));
  EXPECT_EQ(Expression(), Expression::parse("0"));
}

TEST(ExpressionText, HasAnEndOfItsDepthAndLength) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '(') + "1" + std::string(depth, ')');
  };
  EXPECT_EQ(worth(nested(Expression::most_depth)), "1");
  EXPECT_EQ(worth(nested(Expression::most_depth + 1)),
            "66: more than 64 brackets and signs are in each other");
  EXPECT_EQ(worth(std::string(65, '-') + "1"),
            "66: more than 64 brackets and signs are in each other");
  std::string sum = "1";
  while (sum.size() + 2 <= Expression::most_bytes) sum += "+1";
  EXPECT_EQ(worth(sum), std::to_string(sum.size() / 2 + 1));
  EXPECT_EQ(worth(sum + "+1"), "4097: an expression has at most 4096 bytes");
}

TEST(ExpressionWholes, AreWholeOrRefused) {
  EXPECT_EQ(Expression::parse("n // 3").evaluate_whole(named), 333);
  EXPECT_EQ(Expression::parse("n > 3").evaluate_whole(named), 1);
  EXPECT_THROW((void)Expression::parse("n / 3").evaluate_whole(named), ExpressionError);
}

/// All that can be calculated with small numbers, beside the same in doubles.
TEST(ExpressionArithmetic, AgreesWithDoubles) {
  for (int a = -9; a <= 9; ++a) {
    for (int b = -9; b <= 9; ++b) {
      const Value x(a);
      const Value y(b);
      EXPECT_EQ(add(x, y)->numerator(), a + b);
      EXPECT_EQ(subtract(x, y)->numerator(), a - b);
      EXPECT_EQ(multiply(x, y)->numerator(), a * b);
      EXPECT_EQ(x < y, a < b);
      EXPECT_EQ(divide(x, y).has_value(), b != 0);
      if (b == 0) continue;
      const double quotient = static_cast<double>(a) / b;
      const Value exact = *divide(x, y);
      EXPECT_DOUBLE_EQ(
          static_cast<double>(exact.numerator()) / static_cast<double>(exact.denominator()),
          quotient);
      EXPECT_GT(exact.denominator(), 0);
      EXPECT_EQ(divide_down(x, y)->numerator(), static_cast<std::int64_t>(std::floor(quotient)));
      EXPECT_EQ(rounded_up(exact)->numerator(), static_cast<std::int64_t>(std::ceil(quotient)));
      EXPECT_EQ(*add(*multiply(*divide_down(x, y), y), *remainder(x, y)), x);
    }
  }
}

}  // namespace
}  // namespace redtune::kernels
