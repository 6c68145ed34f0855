// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Texts that cannot be an operator are refused with the line that is wrong, and compilers' logs are
// told in the same words whichever compiler it was.
#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "kernel_templates/reduce/custom_operator.hpp"
#include "redtune/error.hpp"

namespace redtune {
namespace {

const std::string good =
    "struct custom {\n"
    "  static accumulator identity() { return 0; }\n"
    "  static accumulator combine(accumulator a, accumulator b) { return a + b; }\n"
    "  static accumulator transform(element x) { return x * x + 1; }\n"
    "  static result finish(accumulator a, i64 n) { return a + 2 * n; }\n"
    "};\n";

/// What is said of a text at sight; empty: nothing.
std::string refusal(const std::string& source) {
  try {
    kernels::require_operator_text({"my.hpp", source});
    return {};
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(CustomOperatorText, IsRefusedWithItsLineWhenItWouldNotStayInItsPlace) {
  EXPECT_EQ(refusal(good), "");
  EXPECT_EQ(refusal(""), refusal(" \n\t\n"));
  EXPECT_EQ(refusal(""),
            "my.hpp: it is empty; write a struct 'custom' with identity() and combine()");
  EXPECT_EQ(refusal("struct mine {};"), "my.hpp: there is no struct 'custom' in it");
  EXPECT_EQ(refusal("struct mine {}; // custom\n"), "my.hpp: there is no struct 'custom' in it");
  EXPECT_EQ(refusal(std::string("custom\0", 7)), "my.hpp: it is not text: it has a zero byte");
  EXPECT_EQ(refusal("\n#include <cmath>\n" + good),
            "my.hpp:2: nothing can be included: kernels have no headers and no standard library");
  EXPECT_EQ(refusal(good + "}\n"), "my.hpp:7: this '}' closes nothing");
  EXPECT_EQ(refusal("struct custom {\n"), "my.hpp:1: this '{' is never closed");
  EXPECT_EQ(refusal("} struct custom {\n"), "my.hpp:1: this '}' closes nothing");
  EXPECT_EQ(refusal("struct custom {\n int a(int b};\n"),
            "my.hpp:2: this '}' does not close the '(' of line 2");
  EXPECT_EQ(refusal("\n/* custom"), "my.hpp:2: this comment is never closed");
  EXPECT_EQ(refusal("custom \"a\n"), "my.hpp:1: this quotation is never closed");
  EXPECT_EQ(refusal("custom\n#ifdef A\n"), "my.hpp:2: this condition has no #endif");
  EXPECT_EQ(refusal("custom\n#else\n"), "my.hpp:2: this #else has no #if");
}

TEST(CustomOperatorText, MayHaveBracketsThatAreNoCode) {
  EXPECT_EQ(refusal("struct custom { // }\n /* { */ char a = '{', b = '\\'', c = '\"'; };"), "");
  EXPECT_EQ(refusal("struct custom { const char* a = \"}\\\"}\"; int b = 1'000'000; };"), "");
  EXPECT_EQ(refusal("struct custom { const char* a = R\"x(}\")\")x\"; };"), "");
  EXPECT_EQ(refusal("#ifdef A\nstruct custom {\n#else\nstruct custom { // other\n#endif\n};\n"),
            "");
}

std::string explained(const std::string& log) {
  return kernels::explain_operator_log({"my.hpp", "one\n\ttwo y\nthree\n"}, log)
      .value_or("nothing");
}

TEST(CustomOperatorLog, TellsTheErrorsOfEveryCompilerAlike) {
  const std::string with_column = "my.hpp:2: no y\n     2 | \ttwo y\n       | \t    ^";
  EXPECT_EQ(explained("ops.hip.h:1:1: error: other\nmy.hpp:2:6: error: no y\n two y\n     ^\n"),
            with_column);
  EXPECT_EQ(explained("my.hpp: In static member function 'f':\nmy.hpp:2:6: fatal error: no y"),
            with_column);
  EXPECT_EQ(explained("my.hpp(2): error: no y\n      two y\n"), "my.hpp:2: no y\n     2 | \ttwo y");
  EXPECT_EQ(explained("my.hpp(2): error #20: no y\n"), "my.hpp:2: no y\n     2 | \ttwo y");
  EXPECT_EQ(explained("my.hpp:2:6: warning: no y\nmy.hpp:2:6: note: error: no y"), "nothing");
  EXPECT_EQ(explained("not_my.hpp:2:6: error: no y"), "nothing");
  EXPECT_EQ(explained(""), "nothing");
}

TEST(CustomOperatorLog, QuotesLinesOfOtherSystems) {
  EXPECT_EQ(kernels::explain_operator_log({"my.hpp", "one\r\ntwo\r\n"}, "my.hpp:1:2: error: no"),
            "my.hpp:1: no\n     1 | one\n       |  ^");
}

TEST(CustomOperatorLog, TellsEachErrorOnceAndAFewOnly) {
  const std::string error = "my.hpp:3:1: error: bad 'redtune_custom::given::custom'\n";
  EXPECT_EQ(explained(error + error), "my.hpp:3: bad 'custom'\n     3 | three\n       | ^");
  std::string many;
  for (int i = 1; i <= 9; ++i) many += fmt::format("my.hpp:3:{}: error: bad\n", i);
  const std::string said = explained(many);
  EXPECT_EQ(std::ranges::count(said, '|'), 2 * 5) << said;
}

TEST(CustomOperatorLog, TellsWhatTheProgramSays) {
  EXPECT_EQ(explained("a.h:1:1: error: static assertion failed: redtune says: there is no cake"),
            "my.hpp: there is no cake");
  EXPECT_EQ(explained("a.h(1): error: static assertion failed with \"redtune says: no cake\""),
            "my.hpp: no cake");
  EXPECT_EQ(explained("a.h:1:1: error: static assertion failed: redtune says: it must be: static "
                      "cake three(int)"),
            "my.hpp:3: it must be: static cake three(int)");
  EXPECT_EQ(explained("behind the operator:2:1: error: expected more"),
            "my.hpp:3: expected more\n     3 | three");
  EXPECT_EQ(explained("behind the operator:20:1: error: something else"), "nothing");
}

}  // namespace
}  // namespace redtune
