// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Malformed descriptions, each with the whole line that it is answered with.
#include <ostream>

#include "tests/descriptions/described.hpp"

namespace redtune::kernels {
namespace {

struct Malformed {
  std::string_view piece;  ///< of the usual description
  std::string_view instead;
  std::string_view why;
};

void PrintTo(const Malformed& row, std::ostream* out) {
  *out << row.instead;
}

class MalformedDescriptions : public ::testing::TestWithParam<Malformed> {};

TEST_P(MalformedDescriptions, AreRefusedWithWhatWouldBeRight) {
  const Malformed& row = GetParam();
  const std::string text = testing::row_sum_with(row.piece, row.instead);
  EXPECT_EQ(testing::why_refused([&] { return description_in_comments(text, "k.cpp"); }), row.why);
}

TEST(WellFormedDescription, IsNotRefused) {
  EXPECT_EQ(testing::why_refused(
                [] { return description_in_comments(testing::row_sum_comments, "k.cpp"); }),
            "");
}

TEST(MalformedDescription, CountsNoUlpsOfIntegers) {
  std::string text = testing::row_sum_with("float out[n] out", "int out[n] out");
  const auto at = text.find("within 1e-5");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string_view("within 1e-5").size(), "within 4 ulps");
  const std::string why =
      testing::why_refused([&] { return description_in_comments(text, "k.cpp"); });
  EXPECT_TRUE(why.ends_with("ulps are of floats, and out is of i32; write within 4 absolute"))
      << why;
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, MalformedDescriptions,
    ::testing::Values(Malformed{"kernel  row_sum<float, BLOCK>", "kernel  row sum",
                                "k.cpp:1:21: 'row sum' is no kernel's name; write it as in the "
                                "kernel's text, like row_sum or row_sum<float, BLOCK>"},
                      Malformed{"row_sum<float, BLOCK>", "row_sum<float, BLOCK",
                                "k.cpp:1:28: this '<' is not closed"},
                      Malformed{"// redtune: kernel  row_sum<float, BLOCK>", "// a kernel",
                                "k.cpp:1:1: no kernel is named; write redtune: kernel NAME"},
                      Malformed{"// redtune: launch ", "// launch",
                                "k.cpp:1:21: it is not said how the kernel is launched; write "
                                "redtune: launch block = BLOCK grid = ceil(n / BLOCK)"},
                      Malformed{"float out[n] out", "float out",
                                "k.cpp:1:21: the kernel has no output; write redtune: arg float "
                                "NAME[EXTENT] out for what it writes"}));

INSTANTIATE_TEST_SUITE_P(
    Tunables, MalformedDescriptions,
    ::testing::Values(
        Malformed{"tune    BLOCK ", "tuen    BLOCK ",
                  "k.cpp:2:13: unknown key 'tuen' (did you mean 'tune'?); known: kernel, tune, "
                  "require, size, launch, reference, arg, check, traffic"},
        Malformed{"BLOCK = 64, 128, 256 default 128", "BLOCK 64",
                  "k.cpp:2:27: '64' stands here, where '=' is expected; write tune NAME = 64, 128, "
                  "256 default 128"},
        Malformed{"64, 128, 256 default 128", "64, 128, 64",
                  "k.cpp:2:38: 64 is listed twice; leave one out"},
        Malformed{"64, 128, 256 default 128", "64, 128, 256 default 512",
                  "k.cpp:2:50: the default 512 is none of the values of BLOCK"},
        Malformed{
            "64, 128, 256 default 128", "64, , 256",
            "k.cpp:2:33: here a value is missing; write tune NAME = 64, 128, 256 default 128"},
        Malformed{"64, 128, 256 default 128", "256..64",
                  "k.cpp:2:29: 256..64 is no range; it goes from a whole number to a larger one"},
        Malformed{"64, 128, 256 default 128", "0..64 pow2", "k.cpp:2:29: powers of two begin at 1"},
        Malformed{"64, 128, 256 default 128", "64..256 step 0",
                  "k.cpp:2:41: a step is a whole number from 1"},
        Malformed{"64, 128, 256 default 128", "64, 128, 256 else 128",
                  "k.cpp:2:42: 'else 128' stands here, where nothing is expected; write tune NAME "
                  "= 64, 128, 256 default 128"},
        Malformed{"64, 128, 256 default 128", "\"a, b",
                  "k.cpp:2:29: this quotation is not closed"}));

INSTANTIATE_TEST_SUITE_P(
    Requirements, MalformedDescriptions,
    ::testing::Values(
        Malformed{"BLOCK % WAVE == 0", "BLOCK % WAEV == 0",
                  "k.cpp:3:29: unknown name 'WAEV' (did you mean 'WAVE'?); known: BLOCK, n, WAVE, "
                  "UNITS, SHARED_MAX, ELEMENT_out, ELEMENT_in, ELEMENT_n"},
        Malformed{"BLOCK % WAVE == 0", "BLOCK % WAVE = 0",
                  "k.cpp:3:34: '=' is no operator here; two sides are compared with '=='"},
        Malformed{"BLOCK % WAVE == 0", "BLOCK % (WAVE == 0",
                  "k.cpp:3:39: here a ')' is missing: a bracket before is not closed"},
        Malformed{"BLOCK % WAVE == 0", "BLOCK % WAVE == 0 && n > 0",
                  "k.cpp:3:39: '&&' is no operator here; write 'and'"},
        Malformed{"BLOCK % WAVE == 0", "lgo2(BLOCK) > 5",
                  "k.cpp:3:21: there is no function 'lgo2' (did you mean 'log2'?); known: min, "
                  "max, ceil, floor, abs, pow2, log2"},
        Malformed{"BLOCK % WAVE == 0", "BLOCK ==",
                  "k.cpp:3:29: something is missing at the end; write a number or a name"},
        Malformed{"BLOCK % WAVE == 0", "BLOCK > 1.5",
                  "k.cpp:3:30: '.' is no operator here; numbers are whole; write a quotient, like "
                  "1 / 2"}));

INSTANTIATE_TEST_SUITE_P(
    Sizes, MalformedDescriptions,
    ::testing::Values(Malformed{"n = 1000", "n = -1",
                                "k.cpp:4:25: -1 is no size; sizes are whole numbers from 0"},
                      Malformed{"n = 1000", "n = 1e6",
                                "k.cpp:4:25: '1e6' is no value; write size NAME = 2^20, 2^24"},
                      Malformed{"n = 1000", "BLOCK = 1000",
                                "k.cpp:4:21: the name BLOCK is taken; choose another one"},
                      Malformed{"n = 1000", "WAVE = 1000",
                                "k.cpp:4:21: the name WAVE is taken; choose another one"},
                      Malformed{"n = 1000", "or = 1000",
                                "k.cpp:4:21: the name or is taken; choose another one"}));

INSTANTIATE_TEST_SUITE_P(
    Launches, MalformedDescriptions,
    ::testing::Values(
        Malformed{"block = BLOCK grid = ceil(n / BLOCK)", "block = BLOCK",
                  "k.cpp:5:21: this launch has no grid; write launch block = BLOCK grid = ceil(n / "
                  "BLOCK) shared = BLOCK * 4"},
        Malformed{"block = BLOCK grid = ceil(n / BLOCK)", "grid = 1",
                  "k.cpp:5:21: this launch has no block; write launch block = BLOCK grid = ceil(n "
                  "/ BLOCK) shared = BLOCK * 4"},
        Malformed{"block = BLOCK grid = ceil(n / BLOCK)", "block = BLOCK grid = 1 grid = 2",
                  "k.cpp:5:44: grid is given twice; leave one out"},
        Malformed{"block = BLOCK grid = ceil(n / BLOCK)", "block = BLOCK gird = 1",
                  "k.cpp:5:35: a launch has no 'gird' (did you mean 'grid'?); known: block, grid, "
                  "shared, args"},
        Malformed{"block = BLOCK grid = ceil(n / BLOCK)", "block = 1, 2, 3, 4 grid = 1",
                  "k.cpp:5:37: block has at most three extents, x, y and z"},
        Malformed{
            "block = BLOCK grid = ceil(n / BLOCK)", "block = BLOCK grid = 1 args = out, im",
            "k.cpp:5:56: there is no argument 'im' (did you mean 'in'?); known: out, in, n"}));

INSTANTIATE_TEST_SUITE_P(
    Arguments, MalformedDescriptions,
    ::testing::Values(
        Malformed{"float out[n] out", "floot out[n] out",
                  "k.cpp:6:21: unknown type 'floot' (did you mean 'float'?); elements are numbers "
                  "like int, float, unsigned char, half, double, float4"},
        Malformed{"float out[n] out", "float* out",
                  "k.cpp:6:26: pointers are written as arrays with their extent; write arg float "
                  "NAME[n]"},
        Malformed{"float out[n] out", "float out[n",
                  "k.cpp:6:32: the statement ends here, where ']' is expected; write arg float "
                  "NAME[EXTENT] in|out|inout|scratch FILL"},
        Malformed{"float out[n] out", "float out[n]",
                  "k.cpp:6:33: it is not said whether 'out' is read or written; write in, out, "
                  "inout or scratch behind its extent"},
        Malformed{"float out[n] out", "float out[m] out",
                  "k.cpp:6:31: unknown name 'm' (did you mean 'n'?); known: BLOCK, n, WAVE, UNITS, "
                  "SHARED_MAX, ELEMENT_out, ELEMENT_in, ELEMENT_n"},
        Malformed{"float out[n] out", "float out[BLOCK] out",
                  "k.cpp:6:31: the extent of an output cannot depend on BLOCK; write scratch for "
                  "what launches leave for each other"},
        Malformed{"float out[n] out", "float out[n] out zero",
                  "k.cpp:6:38: an output has nothing in it at first; write inout where the kernel "
                  "needs what is there"},
        Malformed{"float out[n] out", "float out[n] inout",
                  "k.cpp:6:39: it is not said what is in 'out' at first; write zero, constant(1), "
                  "uniform(-1, 1), counting, each(i % 7) or file NAME"},
        Malformed{"float out[n] out", "const float out[n] out",
                  "k.cpp:6:40: what is constant is no output; leave it at 'in'"},
        Malformed{"const float in[n] uniform(-1, 1)", "const float in[n]",
                  "k.cpp:7:38: it is not said what is in 'in' at first; write zero, constant(1), "
                  "uniform(-1, 1), counting, each(i % 7) or file NAME"},
        Malformed{"const float in[n] uniform(-1, 1)", "const float in[n] uniform(1, -1)",
                  "k.cpp:7:39: the lower end is above the upper one; write uniform(-1, 1)"},
        Malformed{"const float in[n] uniform(-1, 1)", "const float in[n] uniform(1)",
                  "k.cpp:7:48: ')' stands here, where ',' is expected; write zero, constant(1), "
                  "uniform(-1, 1), counting, each(i % 7) or file NAME"},
        Malformed{"const float in[n] uniform(-1, 1)", "const unsigned char in[n] uniform(0, 256)",
                  "k.cpp:7:58: 256 is no unsigned char; write a whole number from 0 to 255"},
        Malformed{"const float in[n] uniform(-1, 1)", "const float out[n] zero",
                  "k.cpp:7:21: there is a second argument out"},
        Malformed{"const float in[n] uniform(-1, 1)", "const float in[n] gaussian(0, 1)",
                  "k.cpp:7:39: it is not said what is in 'in' at first; write zero, constant(1), "
                  "uniform(-1, 1), counting, each(i % 7) or file NAME"},
        Malformed{"int n", "int m",
                  "k.cpp:8:21: no size and no tunable is named m; write its value behind it: arg "
                  "int m = 1"},
        Malformed{"int n",
                  "int n = ", "k.cpp:8:28: there is no expression; write a number or a name"},
        Malformed{"int n", "int2 n",
                  "k.cpp:8:21: a scalar is one number; vectors are elements of buffers only"},
        Malformed{"int n", "constant int n",
                  "k.cpp:8:35: what is in constant memory has an extent; write arg constant float "
                  "NAME[9]"},
        Malformed{"// redtune: check   out within 1e-5 of default", "",
                  "k.cpp:6:21: it is not said how near 'out' has to be; write redtune: check out "
                  "within 1e-5 of default"},
        Malformed{"const float in[n] uniform(-1, 1)", "const int in[n] each(j + 1)",
                  "k.cpp:7:42: unknown name 'j' (did you mean 'i'?); known: i"},
        Malformed{"int n", "int not",
                  "k.cpp:8:21: the name not is taken; choose another one, or write its value "
                  "behind it"}));

INSTANTIATE_TEST_SUITE_P(
    Checks, MalformedDescriptions,
    ::testing::Values(
        Malformed{"out within 1e-5 of default", "in exact",
                  "k.cpp:9:21: in is no output, and is not checked"},
        Malformed{"out within 1e-5 of default", "out within 0 of default",
                  "k.cpp:9:32: a tolerance of 0 is none; write exact, or a number above 0"},
        Malformed{
            "out within 1e-5 of default", "out near default",
            "k.cpp:9:25: it is not said how near 'out' has to be; write check NAME within 1e-5 of "
            "default, or exact, within 1e-6 relative, within 4 ulps, of kernel NAME, of file NAME"},
        Malformed{"out within 1e-5 of default", "out within 1e-5 of kernel plain",
                  "k.cpp:9:47: it is not said how 'plain' is launched; write redtune: reference "
                  "plain block = 256 grid = 1"},
        Malformed{
            "out within 1e-5 of default", "ouz exact of default",
            "k.cpp:9:21: there is no argument 'ouz' (did you mean 'out'?); known: out, in, n"},
        Malformed{"out within 1e-5 of default", "out within 1e-5 of everything",
                  "k.cpp:9:40: it is not said what 'out' is compared with; write of default, of "
                  "kernel NAME or of file NAME"}));

INSTANTIATE_TEST_SUITE_P(
    Others, MalformedDescriptions,
    ::testing::Values(
        Malformed{"traffic 8 * n", "traffic 8 n",
                  "k.cpp:10:23: 'n' is not expected here; the expression is over before it"},
        Malformed{"traffic 8 * n", "kernel other",
                  "k.cpp:10:20: there is a second 'kernel'; a description has one kernel"},
        Malformed{"traffic 8 * n", "check out exact",
                  "k.cpp:10:19: there is a second check of out"},
        Malformed{"traffic 8 * n", "+ / 0",
                  "k.cpp:10:15: '/ 0' stands here, where nothing is expected; write check NAME "
                  "within 1e-5 of default, or exact, within 1e-6 relative, within 4 ulps, of "
                  "kernel NAME, of file NAME"}));

}  // namespace
}  // namespace redtune::kernels
