// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Described kernels as problems and families: what their results depend on, and what they do not.
#include "kernel_templates/description/kernel_problem.hpp"

#include <gtest/gtest.h>

#include "kernel_templates/description/code_tokens.hpp"
#include "kernel_templates/description/code_words.hpp"
#include "kernel_templates/description/described_family.hpp"
#include "tests/descriptions/described.hpp"

namespace redtune::kernels {
namespace {

using testing::row_sum_comments;
using testing::row_sum_with;
using testing::why_refused;

constexpr std::string_view code =
    "#define TWO 2\n"
    "__global__ void row_sum(float* out, const float* in, int n) {\n"
    "  out[0] = TWO * in[0];  // doubled\n"
    "}\n";

std::string meaning(const std::string& comments, std::string_view text = code) {
  return meaning_of(description_in_comments(comments, "k.cpp"), std::string(text));
}

TEST(CodeWords, LeaveCommentsAndBlanksOut) {
  EXPECT_EQ(code_words("int  a; // one\n\n\tint /* two\nlines */ b;"), "int a; int b;");
  EXPECT_EQ(code_words("a\n#line 3 \"k.cpp\"\n#define  B /* b */ 1 \\\n  + 2\nc"),
            "a\n#define B 1 + 2\nc");
}

TEST(CodeWords, KeepWhatStandsInQuotationMarks) {
  EXPECT_EQ(code_words(R"(s = "a  // \" b"; c = '"'; d = '\'' ;  // e)"),
            R"(s = "a  // \" b"; c = '"'; d = '\'' ;)");
  EXPECT_EQ(code_words("u8R\"x(a  /* )\" */)x\"  b"), "u8R\"x(a  /* )\" */)x\" b");
  EXPECT_EQ(code_words("1'000  + 0xff'ff // c"), "1'000 + 0xff'ff");
}

TEST(CodeWords, EndWhereATextBreaksOff) {
  for (const char* text : {"a /* b", "a \"b", "a 'b", "R\"x(b", "a \\", "#", "//"}) {
    EXPECT_LE(code_words(text).size(), std::string_view(text).size() + 1) << text;
  }
}

TEST(CodeWords, GoOnWhereABackslashJoinsLines) {
  EXPECT_EQ(code_words("in\\\nt a; // one \\\n two\nint b; // three \\\r\n four"), "int a; int b;");
  EXPECT_EQ(code_words("R\\\n\"(a // b)\" FOOR\"(\" // c"), "R\"(a // b)\" FOOR\"(\"");
}

TEST(CodeTokens, AreTheSameWhereverBlanksAre) {
  const std::pair<std::string_view, std::string_view> same[]{
      {"a=b+c*d;", "a = b + c * d ;"},
      {"f( a,b ) ;", "f(a, b);"},
      {"if(a<b&&c>=d){", "if (a < b && c >= d) {"},
      {"int*p=&x;", "int *p = &x;"},
      {"A<::B>a;", "A < ::B > a ;"},
      {"a->b.c=p->*q", "a -> b . c = p ->* q"},
      {"x=1.e+5f+.5", "x = 1.e+5f + .5"},
      {"#define  ADD( a,b ) a+b\nc", "#define ADD(a, b) a + b\nc"},
      {"#  if A&&!B\nc\n#endif", "#if A && !B\nc\n#endif"},
      {"#define P a##b\nc", "#define P a ## b\nc"},
      {"s=\"a + b\";", "s = \"a + b\" ;"},
      {"\xc3\xa9=1", "\xc3\xa9 = 1"}};
  for (const auto& [one, other] : same) EXPECT_EQ(code_tokens(one), code_tokens(other)) << one;
}

TEST(CodeTokens, DifferWhereAProgramIsAnother) {
  const std::pair<std::string_view, std::string_view> different[]{
      {"a+ +b", "a++b"},
      {"a- -b", "a--b"},
      {"a&& b", "a& &b"},
      {"a< <b", "a<<b"},
      {"a<<< b", "a<< <b"},
      {"a> >=b", "a>>=b"},
      {"a<= >b", "a<=>b"},
      {"p-> *q", "p->*q"},
      {"a: :b", "a::b"},
      {"a<: :b", "a<::b"},
      {"a. ..", "a..."},
      {"1. f", "1.f"},
      {"1e +5", "1e+5"},
      {"0xE +1", "0xE+1"},
      {"1 '0'", "1'0"},
      {"in t", "int"},
      {"\xc3 \xa9", "\xc3\xa9"},
      {"a $", "a$"},
      {"L \"a\"", "L\"a\""},
      {"R \"(a)\"", "R\"(a)\""},
      {"\"a\" _s", "\"a\"_s"},
      {"s = \"a b\"", "s = \"ab\""},
      {"s = \"a  b\"", "s = \"a b\""},
      {"c = ' '", "c = '  '"},
      {"R\"(a +b)\"", "R\"(a + b)\""},
      {"#define F (x)\na", "#define F(x)\na"},
      {"#define F x\na", "#define F x a\n"},
      {"#if A\na\n#endif", "#if A a\n#endif"},
      {"#include <a b>\n", "#include <ab>\n"},
      {"#if __has_include(<a/ b>)\n", "#if __has_include(<a/b>)\n"},
      {"a?\?=b", "a ? ? = b"}};
  for (const auto& [one, other] : different) EXPECT_NE(code_tokens(one), code_tokens(other)) << one;
}

TEST(CodeTokens, KeepBlanksWhereAMacroMakesStrings) {
  const std::string macro = "#define TEXT(x) #x\n";
  EXPECT_NE(code_tokens(macro + "s = TEXT(a+b);"), code_tokens(macro + "s = TEXT(a + b);"));
  EXPECT_EQ(code_tokens(macro + "s = TEXT(a  + b);"), code_tokens(macro + "s = TEXT(a + /**/ b);"));
  EXPECT_NE(code_tokens("%:define T(x) %:x\nT(a+b)"), code_tokens("%:define T(x) %:x\nT(a + b)"));
}

TEST(CodeTokens, OfTokensAreTheSame) {
  for (const char* text :
       {"a=b/* c */+d", "a \"b", "a 'b", "R\"x(b", "#", "#define", "#define F(", "# include <a  b>",
        "#define S(x) #x\na+b", "#error don't\na+b", "\"a\\", "'", "a/**/", "1'", "...."}) {
    const std::string tokens = code_tokens(text);
    EXPECT_EQ(code_tokens(tokens), tokens) << text;
  }
}

TEST(KernelMeanings, StayWhereNothingIsChangedThatResultsDependOn) {
  const std::string before = meaning(std::string(row_sum_comments));
  EXPECT_EQ(meaning(row_sum_with("64, 128, 256 default 128", "32, 64, 512 default 64")), before);
  EXPECT_EQ(meaning(row_sum_with("n = 1000", "n = 2000, 3000")), before);
  EXPECT_EQ(meaning(row_sum_with("require BLOCK % WAVE == 0", "require BLOCK < 500")), before);
  EXPECT_EQ(meaning(row_sum_with("traffic 8 * n", "traffic 4 * n")), before);
  std::string commented(code);
  commented.insert(commented.find("  out"), "  // a comment\n  ");
  EXPECT_EQ(meaning(std::string(row_sum_comments), commented), before);
  std::string formatted(code);
  formatted.replace(formatted.find("(float* out"), 11, "(\n    float *out");
  formatted.replace(formatted.find("TWO * in"), 8, "TWO*in");
  EXPECT_EQ(meaning(std::string(row_sum_comments), formatted), before);
}

TEST(KernelMeanings, ChangeWithAllThatResultsDependOn) {
  const std::string before = meaning(std::string(row_sum_comments));
  const std::pair<std::string_view, std::string_view> changes[]{
      {"block = BLOCK", "block = 64"},      {"ceil(n / BLOCK)", "ceil(n / 64)"},
      {"uniform(-1, 1)", "uniform(-1, 2)"}, {"in[n]", "in[n + 1]"},
      {"within 1e-5", "within 1e-4"},       {"row_sum<float, BLOCK>", "row_sum<double, BLOCK>"}};
  for (const auto& [piece, other] : changes) {
    EXPECT_NE(meaning(row_sum_with(piece, other)), before) << piece;
  }
  std::string changed(code);
  changed.replace(changed.find("TWO 2"), 5, "TWO 3");
  EXPECT_NE(meaning(std::string(row_sum_comments), changed), before);
}

KernelDescription with_sizes(const std::string& lines) {
  return description_in_comments(row_sum_with("size    n = 1000", "size n = 1000" + lines),
                                 "k.cpp");
}

TEST(KernelProblems, HaveThreeSizesAsExtentsAndTheOthersInTheirKey) {
  const KernelDescription all = with_sizes(
      "\n// redtune: size m = 2\n// redtune: size k = 3\n// redtune: size taps = 5\n// redtune: "
      "size w = 7");
  const SizeValues sizes{1000, 2, 3, 5, 7};
  const Problem problem = kernel_problem(all, "key", sizes, CacheMode::warm);
  EXPECT_EQ(problem.op, Op::kernel);
  EXPECT_EQ(Shape(problem), (Shape{.count = 1000, .outer = 2, .inner = 3}));
  EXPECT_EQ(problem.custom.source, "key taps=5 w=7");
  EXPECT_EQ(describe(problem), "row_sum n=1000 m=2 k=3 taps=5 w=7 warm");
  EXPECT_EQ(sizes_of(all, problem), sizes);
}

TEST(KernelProblems, OfSizesThatCannotBeAreRefused) {
  const KernelDescription all = with_sizes("\n// redtune: size m = 2\n// redtune: size k = 2");
  const auto refused = [&](const SizeValues& sizes) {
    return why_refused([&] { return kernel_problem(all, "key", sizes, CacheMode::cold); });
  };
  EXPECT_EQ(refused({0, 1, 1}), "row_sum: n = 0, m = 1, k = 1: a size is 1 or more");
  const std::int64_t large = std::int64_t{1} << 32;
  EXPECT_EQ(refused({large, large, 1}),
            "row_sum: n = 4294967296, m = 4294967296, k = 1: their product is beyond 2^63");
  EXPECT_EQ(refused({large, large / 4, 1}), "");
}

std::unique_ptr<DescribedFamily> family(const std::string& comments, const std::string& key) {
  DescribedFamily::Parts parts;
  parts.source = {"k.cpp", comments};
  parts.description = description_in(parts.source);
  parts.text = std::string(code);
  parts.limits.wave_size = 32;
  return std::make_unique<DescribedFamily>(std::move(parts), key);
}

TEST(DescribedFamilies, KnowTheirConfigsAndNoOthers) {
  const auto one = family(std::string(row_sum_comments), std::string(64, 'a'));
  EXPECT_EQ(one->name(), "row_sum@aaaaaaaaaaaaaaaa");
  const Problem problem = one->problem({1000}, CacheMode::cold);
  EXPECT_EQ(one->space(problem, {.wave_size = 32}).size(), 3U);
  EXPECT_EQ(to_string(one->default_settings(problem, {})), "BLOCK=128");
  EXPECT_EQ(one->settings_at(one->point_of({{"BLOCK", "256"}})), (Settings{{"BLOCK", "256"}}));
  EXPECT_EQ(one->why_invalid({{"BLOCK", "100"}}, problem, {}),
            "100 is no value of row_sum's tunable BLOCK");
  EXPECT_EQ(one->why_invalid({}, problem, {}), "nothing is said of row_sum's tunable BLOCK");
  EXPECT_EQ(one->why_invalid({{"BLOK", "64"}}, problem, {}),
            "row_sum has no tunable 'BLOK' (did you mean 'BLOCK'?); known: BLOCK");
  EXPECT_EQ(one->bytes_moved(problem), 8000);
  EXPECT_EQ(one->bytes_held(problem), 8000U);
  EXPECT_EQ(one->name_expressions({{"BLOCK", "64"}}, problem, 32),
            (std::vector<std::string>{"row_sum<float, 64>"}));
}

/// "row_sum@..." and the problem of stores from before keys were of tokens.
TEST(DescribedFamilies, KnowWhatTheyWereCalledBefore) {
  DescribedFamily::Parts parts;
  parts.source = {"k.cpp", row_sum_with("size    n = 1000",
                                        "size n = 1\n// redtune: size m = 2\n"
                                        "// redtune: size k = 3\n// redtune: size taps = 5")};
  parts.description = description_in(parts.source);
  const DescribedFamily one(std::move(parts), std::string(64, 'c'), std::string(64, 'd'));
  const Problem problem = one.problem({1000, 2, 3, 5}, CacheMode::cold);
  const DescribedFamily::Former former = one.former(problem);
  EXPECT_EQ(former.family, "row_sum@dddddddddddddddd");
  EXPECT_EQ(former.problem.custom.source, std::string(64, 'd') + " taps=5");
  EXPECT_EQ(describe(former.problem), describe(problem));
}

TEST(DescribedFamilies, AreFoundWhereTheyWereAdopted) {
  const std::string key(64, 'b');
  const Problem problem = family(std::string(row_sum_comments), key)->problem({5}, CacheMode::cold);
  EXPECT_EQ(why_refused([&] { return family_of(problem).name(); }),
            "row_sum n=5 cold is a kernel of a user's: name its file");
  EXPECT_EQ(
      why_refused([] { return find_family("row_sum@bbbbbbbbbbbbbbbb").name(); }),
      "row_sum@bbbbbbbbbbbbbbbb is a kernel of a user's: it is known where its file is named");
  const Family& first = adopt_family(family(std::string(row_sum_comments), key));
  EXPECT_EQ(&family_of(problem), &first);
  const Family& second = adopt_family(family(row_sum_with("64, 128, 256", "64, 128"), key));
  EXPECT_EQ(&family_of(problem), &second);
  EXPECT_EQ(&find_family("row_sum@bbbbbbbbbbbbbbbb"), &second);
  EXPECT_EQ(first.tunables()[0].values.size(), 3U);  // it is still there
  EXPECT_EQ(family_of(make_problem(Op::sum, DType::f32, 5)).name(), "reduce");
}

}  // namespace
}  // namespace redtune::kernels
