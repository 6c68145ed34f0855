// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Descriptions in comments, in TOML and in T1: all become the same.
#include "kernel_templates/description/read_description.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

#include "kernel_templates/description/describe_in_text.hpp"
#include "tests/descriptions/described.hpp"
#include "tests/support/scratch_folder.hpp"

namespace redtune::kernels {
namespace {

using testing::row_sum_comments;
using testing::row_sum_with;
using testing::why_refused;

constexpr std::string_view all_comments = R"(#include <hip/hip_runtime.h>
  // redtune: kernel    row_sum<float, BLOCK>
//redtune: tune BLOCK = 64, 128, 256 default 128
/// redtune: tune ITEMS = 1, 2, 4, 8
// redtune: require   BLOCK % WAVE == 0
// redtune: require   ITEMS <= 4
// redtune: size      problem_size_x = 1000
// redtune: launch    block = BLOCK
// redtune: +         grid = ceil(problem_size_x / (BLOCK * ITEMS))
// redtune: +         shared = BLOCK * 4
// redtune: arg       float out[problem_size_x] inout zero
// redtune: arg       const float in[problem_size_x + max(1, 2, 4, 8)] uniform(0, 2)
// redtune: arg       constant float weights[9] constant(0.5)
// redtune: arg       float scale = 1.5
// redtune: arg       int n = problem_size_x
// redtune: check     out within 1e-6 of default
__global__ void row_sum();
)";

constexpr std::string_view all_toml = R"toml(# the same
file = "row_sum.hip.cpp"
kernel = "row_sum<float, BLOCK>"
tune = ["BLOCK = 64, 128, 256 default 128", 'ITEMS = 1..8 pow2']
require = ["BLOCK % WAVE == 0", "ITEMS <= 4"]
size = "problem_size_x = 1000"
launch = "block = BLOCK grid = ceil(problem_size_x / (BLOCK * ITEMS)) shared = BLOCK * 4"
arg = [
  "float out[problem_size_x] inout zero",
  "const float in[problem_size_x + max(1, 2, 4, 8)] uniform(0, 2)",
  "constant float weights[9] constant(0.5)",
  "float scale = 1.5",
  "int n = problem_size_x",
]
check = "out within 1e-6 of default"
)toml";

constexpr std::string_view all_t1 = R"json({
  "General": {"FormatVersion": "1.0.0"},
  "ConfigurationSpace": {
    "TuningParameters": [
      {"Name": "BLOCK", "Type": "int", "Values": "[32 * 2**i for i in range(1, 4)]", "Default": 128},
      {"Name": "ITEMS", "Type": "int", "Values": [1, 2, 4, 8]}
    ],
    "Conditions": [
      {"Parameters": ["BLOCK"], "Expression": "BLOCK % WAVE == 0"},
      {"Parameters": ["ITEMS"], "Expression": "ITEMS <= 4"}
    ]
  },
  "KernelSpecification": {
    "Language": "CUDA",
    "KernelName": "row_sum<float, BLOCK>",
    "KernelFile": "row_sum.hip.cpp",
    "ProblemSize": ["1000"],
    "LocalSize": {"X": "BLOCK"},
    "GridDivX": ["BLOCK * ITEMS"],
    "SharedMemory": "BLOCK * 4",
    "Arguments": [
      {"Name": "out", "Type": "float", "MemoryType": "Vector", "Size": "problem_size_x",
       "AccessType": "ReadWrite", "FillType": "Constant", "FillValue": 0},
      {"Name": "in", "Type": "float", "MemoryType": "Vector", "Size": "problem_size_x + max(ITEMS)",
       "AccessType": "ReadOnly", "FillType": "Random", "FillValue": 2.0
},
      {"Name": "weights", "Type": "float", "MemoryType": "Vector", "MemType": "Constant", "Size": 9,
       "FillType": "Constant", "FillValue": 0.5},
      {"Name": "scale", "Type": "float", "MemoryType": "Scalar", "FillType": "Constant",
       "FillValue": 1.5},
      {"Name": "n", "Type": "int32", "MemoryType": "Scalar", "FillType": "Constant",
       "FillValue": "problem_size_x"}
    ]
}
}
)json";

TEST(Descriptions, OfOneKernelAreEqualHoweverTheyAreWritten) {
  const KernelDescription in_comments =
      description_in_comments(all_comments, "kernels/row_sum.hip.cpp");
  const KernelDescription in_toml = description_from_toml(all_toml, "kernels/row_sum.toml");
  const KernelDescription in_t1 = description_from_t1(all_t1, "kernels/row_sum.json");
  EXPECT_EQ(in_comments, in_toml);
  EXPECT_EQ(in_comments, in_t1);
  EXPECT_EQ(in_t1.remarks, std::vector<std::string>());
}

TEST(Descriptions, SayWhatIsWritten) {
  const KernelDescription all = description_in_comments(all_comments, "kernels/row_sum.hip.cpp");
  EXPECT_EQ(all.name, "row_sum");
  EXPECT_EQ(all.text_file, "kernels/row_sum.hip.cpp");
  ASSERT_EQ(all.tunables.size(), 2U);
  EXPECT_EQ(all.tunables[0].values.size(), 3U);
  EXPECT_EQ(all.tunables[0].default_index, 1U);
  EXPECT_EQ(all.tunables[1].values[3].text, "8");
  EXPECT_EQ(all.tunables[1].default_index, 0U);
  EXPECT_EQ(all.requirements.size(), 2U);
  ASSERT_EQ(all.sizes.size(), 1U);
  EXPECT_EQ(all.sizes[0].values, (std::vector<std::int64_t>{1000}));
  ASSERT_EQ(all.launches.size(), 1U);
  EXPECT_EQ(all.launches[0].kernel, "row_sum<float, BLOCK>");
  EXPECT_EQ(all.launches[0].arguments, (std::vector<std::size_t>{0, 1, 3, 4}));  // not the constant
  ASSERT_EQ(all.arguments.size(), 5U);
  EXPECT_EQ(all.arguments[0].access, Access::inout);
  EXPECT_EQ(all.arguments[1].access, Access::in);
  EXPECT_EQ(to_string(all.arguments[1].fill), "uniform(0, 2)");
  EXPECT_EQ(all.arguments[2].kind, ArgumentKind::constant);
  EXPECT_EQ(all.arguments[3].fraction, 1.5);
  EXPECT_EQ(all.arguments[4].kind, ArgumentKind::scalar);
  ASSERT_EQ(all.checks.size(), 1U);
  EXPECT_EQ(to_string(all, all.checks[0]), "out within 1e-06 of default");
  EXPECT_FALSE(all.traffic.has_value());
}

/// Every part of a description counts when two are compared.
TEST(Descriptions, ThatDifferInAnythingAreNotEqual) {
  const auto read = [](std::string_view text) { return description_in_comments(text, "k.cpp"); };
  const KernelDescription usual = read(row_sum_comments);
  EXPECT_EQ(usual, read(row_sum_comments));
  EXPECT_EQ(usual, read(row_sum_with("ceil(n / BLOCK)", "ceil( n/BLOCK )")));
  for (const auto& [piece, other] : std::vector<std::pair<std::string_view, std::string_view>>{
           {"row_sum<float", "row_sum<double"},
           {"default 128", "default 64"},
           {"64, 128", "32, 128"},
           {"WAVE == 0", "WAVE == 1"},
           {"n = 1000", "n = 1001"},
           {"block = BLOCK", "block = 64"},
           {"grid = ceil", "grid = 2, ceil"},
           {"(n / BLOCK)", "(n / BLOCK) shared = 4"},
           {"(n / BLOCK)", "(n / BLOCK) args = in, out, n"},
           {"float out[n] out", "double out[n] out"},
           {"float out[n] out", "float out[n + 1] out"},
           {"float out[n] out", "float out[n] inout zero"},
           {"uniform(-1, 1)", "uniform(-1, 2)"},
           {"int n", "int n = 5"},
           {"1e-5 of", "1e-5 relative of"},
           {"8 * n", "9 * n"}}) {
    EXPECT_NE(usual, read(row_sum_with(piece, other))) << other;
  }
}

TEST(Descriptions, TakeValuesInAllTheirWays) {
  const auto texts_of = [](std::string_view values) {
    std::vector<std::string> texts;
    const auto all =
        description_in_comments(row_sum_with("64, 128, 256 default 128", values), "k.cpp");
    for (const TunableValue& value : all.tunables[0].values) texts.push_back(value.text);
    return texts;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts_of("2^6, 1K,-3"), (Texts{"64", "1024", "-3"}));
  EXPECT_EQ(texts_of("1..4"), (Texts{"1", "2", "3", "4"}));
  EXPECT_EQ(texts_of("3..40 pow2, 5"), (Texts{"4", "8", "16", "32", "5"}));
  EXPECT_EQ(texts_of("-64..64 step 64"), (Texts{"-64", "0", "64"}));
  EXPECT_EQ(texts_of("false, True"), (Texts{"false", "true"}));
  EXPECT_EQ(texts_of("0.5, 1.25"), (Texts{"0.5", "1.25"}));
}

TEST(Descriptions, TakeWordsThatNoExpressionAsksFor) {
  const std::string text =
      row_sum_with("tune    BLOCK",
                   "tune    T = float, \"unsigned int\" default \"unsigned int\"\n"
                   "// redtune: tune    BLOCK");
  const KernelDescription all = description_in_comments(text, "k.cpp");
  EXPECT_EQ(all.tunables[0].values[1].text, "unsigned int");
  EXPECT_EQ(all.tunables[0].default_index, 1U);
  EXPECT_NE(why_refused([&] {
              std::string asked = text;
              return description_in_comments(asked.replace(asked.find("BLOCK % WAVE"), 5, "T    "),
                                             "k.cpp");
            }).find("unknown name 'T'"),
            std::string::npos);
}

TEST(Descriptions, OfSeveralLaunchesShareArguments) {
  const KernelDescription all = description_in_comments(
      row_sum_with("(n / BLOCK)\n",
                   "(n / BLOCK) args = partials, in, n\n"
                   "// redtune: launch second block = WAVE, 2 grid = 1, 2, 3 args = out, partials\n"
                   "// redtune: arg float partials[ceil(n / BLOCK)] scratch\n"),
      "k.cpp");
  ASSERT_EQ(all.launches.size(), 2U);
  EXPECT_EQ(all.launches[0].kernel, "row_sum<float, BLOCK>");
  EXPECT_EQ(all.launches[0].arguments, (std::vector<std::size_t>{0, 2, 3}));
  EXPECT_EQ(all.launches[1].kernel, "second");
  EXPECT_EQ(all.launches[1].arguments, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(all.checks.size(), 1U);  // of out, and not of partials
}

TEST(Descriptions, OfIntegersAreComparedBitByBitWhereNothingIsSaid) {
  std::string text = row_sum_with("float out[n] out", "unsigned out[n] out");
  text.erase(text.find("// redtune: check"),
             text.find("// redtune: traffic") - text.find("// redtune: check"));
  const KernelDescription all = description_in_comments(text, "k.cpp");
  ASSERT_EQ(all.checks.size(), 1U);
  EXPECT_EQ(to_string(all, all.checks[0]), "out exact of default");
}

class DescriptionFiles : public ::testing::Test {
 protected:
  void write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ / name) << text;
  }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }

  checks::ScratchFolder folder_;
};

TEST_F(DescriptionFiles, AreFoundByTheirNames) {
  write("row_sum.hip.cpp", all_comments);
  write("row_sum.toml", all_toml);
  write("row_sum.json", all_t1);
  const KernelDescription all = read_description(path("row_sum.hip.cpp"));
  EXPECT_EQ(all.text_file, path("row_sum.hip.cpp"));
  EXPECT_EQ(all, read_description(path("row_sum.toml")));
  EXPECT_EQ(all, read_description(path("row_sum.json")));
}

TEST_F(DescriptionFiles, StandBesideAKernelThatNobodyMayEdit) {
  write("row_sum.hip.cpp", "__global__ void row_sum();\n");
  EXPECT_EQ(why_refused([&] { return read_description(path("row_sum.hip.cpp")); }),
            path("row_sum.hip.cpp") +
                ": it has no line '// redtune: kernel NAME', and there is no " +
                path("row_sum.hip.cpp") + ".toml that describes it");
  write("row_sum.hip.cpp.toml", all_toml);
  EXPECT_EQ(read_description(path("row_sum.hip.cpp")).tunables.size(), 2U);
}

TEST_F(DescriptionFiles, ThatCannotBeReadAreRefused) {
  EXPECT_NE(
      why_refused([&] { return read_description(path("nothing.hip.cpp")); }).find("cannot read"),
      std::string::npos);
  EXPECT_NE(why_refused([&] { return read_description(path("")); }).find("is not a regular file"),
            std::string::npos);
}

// T1 as it is found.

/// all_t1 with one piece in the place of another.
std::string t1_with(std::string_view piece, std::string_view other) {
  std::string text(all_t1);
  const std::size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  return text.replace(at, piece.size(), other);
}

TEST(T1Values, AreListsInAllTheWaysOfPython) {
  const auto texts_of = [](std::string_view values) {
    std::vector<std::string> texts;
    const auto all = description_from_t1(
        t1_with("\"[32 * 2**i for i in range(1, 4)]\", \"Default\": 128", values), "k.json");
    for (const TunableValue& value : all.tunables[0].values) texts.push_back(value.text);
    return texts;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts_of("\"[1, 2, 4]\""), (Texts{"1", "2", "4"}));
  EXPECT_EQ(texts_of("\"list(range(1, 4))\""), (Texts{"1", "2", "3"}));
  EXPECT_EQ(texts_of("\"range(8, 0, -4)\""), (Texts{"8", "4"}));
  EXPECT_EQ(
      texts_of("\"[1] + [2**i for i in range(1, 3)] + [i for i in [8, 9, 10] if i % 2 == 0]\""),
      (Texts{"1", "2", "4", "8", "10"}));
  EXPECT_EQ(texts_of("\"(16, 32)\""), (Texts{"16", "32"}));
  EXPECT_EQ(texts_of("[32, 64], \"Default\": \"64\""), (Texts{"32", "64"}));
}

TEST(T1Grids, AreOfBlocksOfThreadsOrOfAProblem) {
  const auto grid_of = [](std::string_view piece, std::string_view other) {
    return description_from_t1(t1_with(piece, other), "k.json").launches[0].grid;
  };
  const auto parsed = [](std::string_view text) { return Expression::parse(text); };
  const std::string_view divided = "\"GridDivX\": [\"BLOCK * ITEMS\"]";
  EXPECT_EQ(
      grid_of(divided, "\"GlobalSize\": {\"X\": \"4\", \"Y\": 2}, \"GridDivX\": [\"BLOCK\", 2]")[0]
          .expression,
      parsed("ceil(problem_size_x / (BLOCK * 2))"));
  EXPECT_EQ(grid_of(divided, "\"GlobalSize\": {\"X\": \"4\", \"Y\": 2}")[1].expression,
            parsed("2"));
  EXPECT_EQ(grid_of(divided, "\"GlobalSizeType\": \"OpenCL\", \"GlobalSize\": {\"X\": \"4096\"}")[0]
                .expression,
            parsed("ceil(4096 / BLOCK)"));
  EXPECT_EQ(grid_of("\"GridDivX\": [\"BLOCK * ITEMS\"],", "")[0].expression,
            parsed("ceil(problem_size_x / BLOCK)"));
}

TEST(T1Files, OfOthersAreTakenWithWhatTheyHaveBeyondTheSchema) {
  const KernelDescription all = description_from_t1(
      t1_with("\"Language\": \"CUDA\",",
              "\"Language\": \"CUDA\", \"CompilerOptions\": [\"-DUNROLL=4\", \"-use_fast_math\"],\n"
              "\"ReferenceArguments\": [{\"Name\": \"r\", \"TargetName\": \"out\", \"FillType\": "
              "\"BinaryRaw\", \"DataSource\": \"out.bin\", \"ValidationMethod\": "
              "\"SideBySideRelativeComparison\", \"ValidationThreshold\": 1e-4}],"),
      "data/k.json");
  EXPECT_EQ(all.tunables[2].name, "UNROLL");
  EXPECT_EQ(all.tunables[2].values[0].text, "4");
  EXPECT_EQ(all.remarks,
            (std::vector<std::string>{"the compiler option '-use_fast_math' is not passed on"}));
  EXPECT_EQ(to_string(all, all.checks[0]), "out within 0.0001 relative of file data/out.bin");
}

TEST(T1Files, HaveConstantsInEitherPlace) {
  for (const auto& [piece, other] :
       {std::pair{"\"KernelSpecification\": {",
                  "\"BenchmarkConfig\": {\"radius\": 3}, \"KernelSpecification\": {"},
        std::pair{"\"Language\": \"CUDA\",",
                  "\"Language\": \"CUDA\", \"BenchmarkConfig\": {\"radius\": 3},"}}) {
    std::string text = t1_with(piece, other);
    text.replace(text.find("ITEMS <= 4"), 10, "ITEMS <= radius + 1");
    EXPECT_EQ(why_refused([&] { return description_from_t1(text, "k.json"); }), "");
  }
}

TEST(T1Files, MayCalculateElementsFromTheirIndex) {
  const auto fill_of = [](std::string_view data_source) {
    const std::string text =
        t1_with("\"Random\", \"FillValue\": 2.0",
                fmt::format("\"Generator\", \"DataSource\": \"{}\"", data_source));
    return to_string(description_from_t1(text, "k.json").arguments[1].fill);
  };
  EXPECT_EQ(fill_of("i"), "counting");
  EXPECT_EQ(fill_of("i * 2 % 7"), "each(i * 2 % 7)");
  EXPECT_EQ(
      why_refused([&] { return fill_of("rand()"); }),
      "k.json:25:73: there is no function 'rand'; known: min, max, ceil, floor, abs, pow2, log2");
}

TEST(T1Files, HaveTheirPlacesInErrors) {
  const auto why = [](std::string_view piece, std::string_view other) {
    return why_refused([&] { return description_from_t1(t1_with(piece, other), "k.json"); });
  };
  EXPECT_EQ(why("\"CUDA\"", "\"OpenCL\""),
            "k.json:14:17: OpenCL is not compiled; redtune tunes kernels in CUDA C++ or HIP");
  EXPECT_EQ(why("BLOCK % WAVE == 0", "BLOCK % WAVE = 0"),
            "k.json:9:47: '=' is no operator here; two sides are compared with '=='");
  EXPECT_EQ(why("BLOCK % WAVE == 0", "BLOK % WAVE == 0"),
            "k.json:9:47: unknown name 'BLOK' (did you mean 'BLOCK'?); known: BLOCK, ITEMS, "
            "problem_size_x, WAVE, UNITS, SHARED_MAX, ELEMENT_out, ELEMENT_in, ELEMENT_weights, "
            "ELEMENT_scale, ELEMENT_n");
  EXPECT_EQ(
      why("\"Random\"", "\"Script\""),
      "k.json:25:46: FillType Script is not read: redtune runs no code of descriptions and reads "
      "no HDF5; take Constant, Random, Generator or BinaryRaw");
  EXPECT_EQ(
      why("\"Random\"", "\"BinaryHDF\""),
      "k.json:25:46: FillType BinaryHDF is not read: redtune runs no code of descriptions and "
      "reads no HDF5; take Constant, Random, Generator or BinaryRaw");
  EXPECT_EQ(
      why("[32 * 2**i for i in range(1, 4)]", "__import__('os')"),
      "k.json:5:50: '__import__('os')' is no list of values; write [1, 2, 4], list(range(1, 9)) "
      "or [2 ** i for i in range(5)]");
  EXPECT_EQ(
      why("\"Type\": \"int32\"", "\"Type\": \"custom\""),
      "k.json:31:29: arguments of type 'custom' are not known; known: bool, int8 to int64, uint8 "
      "to uint64, half, float, double, and vectors like float4");
  EXPECT_EQ(why("\"KernelName\": \"row_sum<float, BLOCK>\",", ""),
            "k.json:13:26: here 'KernelName' is missing");
  EXPECT_EQ(why("\"1.0.0\"", "\"2.0\""),
            "k.json:2:32: this is version 2.0 of the format; redtune reads 1");
  EXPECT_EQ(why("\"General\": {", "\"General\": ["),
            "k.json:2:30: this is no JSON; see https://json.org");
}

TEST(TomlFiles, HaveTheirPlacesInErrors) {
  const auto why = [](std::string_view piece, std::string_view other) {
    std::string text(all_toml);
    const std::size_t at = text.find(piece);
    EXPECT_NE(at, std::string::npos) << piece;
    text.replace(at, piece.size(), other);
    return why_refused([&] { return description_from_toml(text, "k.toml"); });
  };
  EXPECT_EQ(why("ITEMS <= 4", "ITEMS < = 4"),
            "k.toml:5:42: '=' is no operator here; two sides are compared with '=='");
  EXPECT_EQ(
      why("tune =", "tuen ="),
      "k.toml:4:1: unknown key 'tuen' (did you mean 'tune'?); known: kernel, tune, require, size, "
      "launch, reference, arg, check, traffic");
  EXPECT_EQ(why("size = \"problem_size_x = 1000\"", "size = 1000"),
            "k.toml:6:8: size is an integer; write a string, as behind '// redtune: size'");
  EXPECT_EQ(why("file = \"row_sum.hip.cpp\"", ""),
            "k.toml: it does not say where the kernel is; write file = \"row_sum.hip.cpp\"");
  EXPECT_NE(why("tune = [", "tune = ").find("k.toml:4:"), std::string::npos);
  EXPECT_NE(why("tune = [", "tune = \xc3\xa9 [").find("k.toml:4:8"), std::string::npos);
}

}  // namespace
}  // namespace redtune::kernels
