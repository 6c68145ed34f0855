// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the text of an operator says of its structs: their members, where these lie, and in one line
// what cannot be.
#include "vocabulary/operator_structs.hpp"

#include <cstddef>
#include <gtest/gtest.h>

#include "redtune/error.hpp"

namespace redtune {
namespace {

std::string with_structs(const std::string& structs, const std::string& more = "") {
  return "struct custom {\n" + structs + "\n  static accumulator identity();\n" + more + "};\n";
}
const std::string finish = "  static result finish(accumulator a, i64 count) { return {}; }\n";

std::shared_ptr<const OperatorStructs> read(const std::string& text, DType in = DType::f32) {
  require_structs({"my.hpp", text}, in);
  return structs_of({"my.hpp", text}, in);
}
std::string refusal(const std::string& text) {
  try {
    require_structs({"my.hpp", text}, DType::f32);
    return {};
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(OperatorStructs, AreNotThereInMostTexts) {
  for (const std::string text :
       {"", "text", "struct custom {};", "struct custom { struct other { std::string x; }; };",
        "// struct accumulator { float x; };\nstruct custom {};",
        "struct accumulator; struct custom {};",
        "struct custom { static struct accumulator make(int) { return {}; } };"}) {
    EXPECT_EQ(refusal(text), "") << text;
    EXPECT_FALSE(structs_of({"a", text}, DType::f32)->has_members()) << text;
  }
}

TEST(OperatorStructs, HaveMembersInWordsOfTheirOwn) {
  const auto found =
      read(with_structs("  struct accumulator {\n"
                        "    u8 seen;  // whether there is one\n"
                        "    double sum;\n"
                        "    short low, high[2];\n"
                        "  };",
                        "  static result finish(accumulator, i64) { return 0; }\n"));
  const std::vector<ResultValue> members{{"seen", DType::u8, 0},
                                         {"sum", DType::f64, 4},
                                         {"low", DType::i16, 12},
                                         {"high[0]", DType::i16, 16},
                                         {"high[1]", DType::i16, 20}};
  EXPECT_EQ(found->accumulator, members);
  EXPECT_EQ(found->accumulator_bytes, 24U);
  struct AsCompilersDo {
    std::uint8_t seen;
    double sum;
    std::int16_t low, high[2];
  };
  EXPECT_EQ(found->struct_bytes, sizeof(AsCompilersDo));
  EXPECT_TRUE(found->result.empty()) << "finish() gives one number";
  EXPECT_FALSE(found->gives_accumulator);
}

TEST(OperatorStructs, OfResultsAreLaidOutAsCompilersDo) {
  struct Result {
    std::uint8_t a;
    double b;
    std::int16_t c;
    std::int64_t d;
    float e[2];
  };
  const auto found =
      read(with_structs("  struct accumulator { float x; };\n"
                        "  struct result { unsigned char a; double b; i16 c; long long d; float "
                        "e[2]; };",
                        finish));
  ASSERT_EQ(found->result.size(), 6U);
  EXPECT_EQ(found->result[1].offset, offsetof(Result, b));
  EXPECT_EQ(found->result[2].offset, offsetof(Result, c));
  EXPECT_EQ(found->result[3].offset, offsetof(Result, d));
  EXPECT_EQ(found->result[5].offset, offsetof(Result, e) + sizeof(float));
  EXPECT_EQ(found->result[5].name, "e[1]");
  EXPECT_EQ(found->result_bytes, sizeof(Result));
}

TEST(OperatorStructs, AreResultsWhereNothingFinishes) {
  const auto found = read(with_structs("  struct accumulator { u8 a; double b; };"));
  EXPECT_TRUE(found->gives_accumulator);
  EXPECT_EQ(found->result, (std::vector<ResultValue>{{"a", DType::u8, 0}, {"b", DType::f64, 8}}));
  EXPECT_EQ(found->result_bytes, 16U);
  EXPECT_EQ(found->accumulator_bytes, 12U);
}

TEST(OperatorStructs, KnowEveryNameOfAType) {
  const std::pair<std::string, DType> names[] = {{"float", DType::f32},
                                                 {"double", DType::f64},
                                                 {"signed char", DType::i8},
                                                 {"unsigned char", DType::u8},
                                                 {"short", DType::i16},
                                                 {"unsigned short", DType::u16},
                                                 {"int", DType::i32},
                                                 {"unsigned", DType::u32},
                                                 {"unsigned int", DType::u32},
                                                 {"long long", DType::i64},
                                                 {"unsigned long long", DType::u64},
                                                 {"i8", DType::i8},
                                                 {"u8", DType::u8},
                                                 {"i16", DType::i16},
                                                 {"u16", DType::u16},
                                                 {"i32", DType::i32},
                                                 {"u32", DType::u32},
                                                 {"i64", DType::i64},
                                                 {"u64", DType::u64}};
  for (const auto& [name, type] : names) {
    const auto found = read(with_structs("struct accumulator { " + name + "\n x ; } ;"));
    EXPECT_EQ(found->accumulator, (std::vector<ResultValue>{{"x", type, 0}})) << name;
  }
  const std::string of_element = with_structs("struct accumulator { element x; };");
  for (const auto& [in, type] : {std::pair{DType::bf16, DType::f32}, {DType::i8, DType::i8}}) {
    EXPECT_EQ(read(of_element, in)->accumulator.front().type, type) << "16-bit floats are floats";
  }
}

TEST(OperatorStructs, AreRefusedInOneLine) {
  const std::string numbers =
      "has numbers as members, and arrays of them, written as 'float x;' or 'float x[3];', and "
      "nothing else; their types are float, double, i8 to i64, u8 to u64 and element";
  for (const std::string member :
       {"std::string x;", "half x;", "bool x;", "long x;", "float x = 0;", "float x[n];",
        "float x[0];", "float x[2][2];", "float* x;", "const float x;", "float x, ;", "float;",
        "float 2;", "accumulator() {}", "float f() { return 0; }", "union { float x; };", "float x",
        "static int x;", ";"}) {
    EXPECT_EQ(refusal(with_structs("struct accumulator {\n  float ok;\n  " + member + "\n};")),
              "my.hpp:4: struct accumulator " + numbers)
        << member;
  }
  EXPECT_EQ(refusal(with_structs("struct accumulator {};")),
            "my.hpp:2: struct accumulator has no members");
  EXPECT_EQ(refusal(with_structs("struct accumulator { double x[4]; u8 y; };")),
            "my.hpp:2: struct accumulator takes 9 words of 32 bits, of which each member has whole "
            "ones; kernels hand over 8 at most");
  EXPECT_EQ(refusal(with_structs("struct accumulator { double x[4]; };")), "") << "eight words";
  EXPECT_EQ(refusal(with_structs("struct result { u8 x[9]; };", finish)),
            "my.hpp:2: struct result has 9 values; a result has 8 at most");
  EXPECT_EQ(refusal(with_structs("struct result { float x, y; };")),
            "my.hpp: custom has no function finish(accumulator, i64), which makes a result of an "
            "accumulator");
  EXPECT_EQ(refusal(with_structs("struct accumulator { float x; };\n"
                                 "#ifdef A\nstruct accumulator { float x; };\n#endif")),
            "my.hpp:4: struct accumulator is there already");
  for (const std::string head :
       {"class accumulator", "union accumulator", "struct alignas(16) accumulator",
        "struct accumulator : base", "struct __attribute__((packed)) accumulator"}) {
    EXPECT_EQ(refusal(with_structs(head + " { float x; };")),
              "my.hpp:2: it must be: struct accumulator { members };")
        << head;
  }
  EXPECT_EQ(refusal("struct accumulator { float x; };\nstruct custom {};\n"),
            "my.hpp:1: struct accumulator belongs within struct custom");
  EXPECT_EQ(refusal("struct custom { struct inner { struct result { float x; }; }; };\n"),
            "my.hpp:1: struct result belongs within struct custom");
}

TEST(OperatorStructs, ChooseTheTypesOfAProblem) {
  const CustomOp op{"my.hpp", with_structs("struct accumulator { u64 a; float b; i8 c; };\n"
                                           "struct result { i8 c; u32 d; };",
                                           finish)};
  const Problem problem = make_problem(op, DType::i16, Shape::rows(3, 5));
  EXPECT_EQ(problem.acc, DType::f32) << "a float before an integer";
  EXPECT_EQ(problem.out, DType::u32) << "the widest";
  EXPECT_EQ(accumulator_bytes(problem), 16U);
  EXPECT_EQ(result_bytes(problem), 8U);
  EXPECT_EQ(output_bytes(problem), 24U);
  EXPECT_TRUE(is_joint(problem));
  EXPECT_EQ(shape_of_result(problem), ResultShape::members);
  EXPECT_EQ(values_of_result(problem),
            (std::vector<ResultValue>{{"c", DType::i8, 0}, {"d", DType::u32, 4}}));
  EXPECT_EQ(describe(problem), "my.hpp i16 3x[5] cold");
  EXPECT_EQ(make_problem(op, DType::i16, 5, {.acc = DType::f32, .out = DType::u32}).acc,
            DType::f32);
  const auto why = [&](const ProblemChoices& choices) {
    try {
      (void)make_problem(op, DType::i16, 5, choices);
      return std::string();
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_EQ(why({.acc = DType::f64}),
            "my.hpp has an accumulator of its own members, and no other type can be chosen: f64");
  EXPECT_EQ(why({.out = DType::f64}),
            "my.hpp has a result of its own members, and no other type can be chosen: f64");
}

TEST(OperatorStructs, OfOneNumberInAndSeveralOutHaveAnAccumulatorOfWords) {
  const CustomOp op{"my.hpp", with_structs("struct result { float a, b; };", finish)};
  const Problem problem = make_problem(op, DType::i8, 5, {.acc = DType::i16});
  EXPECT_EQ(problem.acc, DType::i16);
  EXPECT_EQ(accumulator_bytes(problem), 4U);
  EXPECT_EQ(accumulator_members(problem), (std::vector<ResultValue>{{"", DType::i16, 0}}));
  EXPECT_EQ(result_bytes(problem), 8U);
}

TEST(ValuesOfResults, OfBuiltInOperatorsHaveTheirNames) {
  EXPECT_EQ(values_of_result(make_problem(Op::mean_variance, DType::i8, 1)),
            (std::vector<ResultValue>{{"mean", DType::f64, 0}, {"variance", DType::f64, 8}}));
  EXPECT_EQ(values_of_result(make_problem(Op::argmax, DType::i8, 1)),
            (std::vector<ResultValue>{{"value", DType::i8, 0}}));
}

}  // namespace
}  // namespace redtune
