// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune kernels check from the outside: the examples are right, and for whatever is wrong there
// is one line.
#include <gtest/gtest.h>

#include "tests/cli/run_redtune.hpp"
#include "tests/support/own_kernel_examples.hpp"

namespace redtune::cli {
namespace {

const std::string& examples = checks::own_kernel_folder;

class KernelsCheck : public ::testing::Test {
 protected:
  [[nodiscard]] Said check(const std::string& file, const Words& more = {}) const {
    Words words{"kernels", "check", file, "--device", "host:wave32"};
    words.insert(words.end(), more.begin(), more.end());
    return home_.run(words);
  }
  /// Of a file with this text.
  [[nodiscard]] Said check_text(const std::string& text) const {
    std::ofstream(home_ / "k.hip.cpp") << text;
    return check((home_ / "k.hip.cpp").string());
  }
  /// A kernel of one tunable and 64 floats.
  [[nodiscard]] static std::string kernel_that(const std::string& body) {
    return "// redtune: kernel k\n// redtune: tune BLOCK = 32, 64 default 64\n"
           "// redtune: launch block = BLOCK grid = 64 // BLOCK\n"
           "// redtune: arg float out[64] out\n// redtune: arg const float in[64] uniform(1, 2)\n"
           "// redtune: check out exact\n"
           "__global__ void k(float* out, const float* in) {\n"
           "  const int i = blockIdx.x * BLOCK + threadIdx.x;\n  " +
           body + "\n}\n";
  }
  /// The one line of an error.
  [[nodiscard]] static std::string error_in(const Said& said) {
    EXPECT_EQ(said.out, "");
    EXPECT_EQ(count_of(said.err, "\n"), 1U) << said.err;
    const std::string begin = "redtune: error: ";
    EXPECT_TRUE(said.err.starts_with(begin)) << said.err;
    return said.err.substr(std::min(begin.size(), said.err.size()));
  }

  Home home_;
};

class OwnKernelExamples : public KernelsCheck, public ::testing::WithParamInterface<std::string> {};

TEST_P(OwnKernelExamples, AreRight) {
  for (const char* device : {"host", "host:wave32"}) {
    const Said said = home_.run({"kernels", "check", examples + GetParam(), "--device", device});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_TRUE(said.says("\nright      on 2 inputs, again and again; one run took ")) << said.out;
    EXPECT_LE(count_of(said.out, "\n"), 24U) << said.out;
    EXPECT_EQ(said.err, "");
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, OwnKernelExamples,
                         ::testing::ValuesIn(checks::own_kernel_examples()),
                         checks::own_kernel_name);

TEST_F(KernelsCheck, ShowsWhatWasUnderstood) {
  const Said said = check(examples + "tree_sum.hip.cpp", {"--size", "n=5000"});
  ASSERT_EQ(said.code, 0) << said.err;
  for (const char* line :
       {"kernel     tree_sum of ", "\ntunables   BLOCK = 64 128 [256] 512 1024\n",
        "\n           ITEMS = 1 2 [4] 8\n", "\nconfigs    20 of 20 combinations may run\n",
        "\nsizes      n = 5000 (one of 2 problems)\n",
        "\nlaunch     tree_sum<256, 4>: 5 blocks of 256 threads\n",
        "\n           sum_of_partials<256>: 1 block of 256 threads\n",
        "\narguments  float out[1] out\n", "\n           float partials[5] scratch\n",
        "\n           float in[5000] in uniform(0, 1)\n", "\n           int n = 5000\n",
        "\n           int blocks = 5\n", "\nchecks     out within 1e-05 relative of default\n",
        "\ntraffic    20000 bytes\n"}) {
    EXPECT_TRUE(said.says(line)) << line << said.out;
  }
}

/// As many as Kernel Tuner's example of a reduction has.
TEST_F(KernelsCheck, CountsTheConfigsOfALargeSpace) {
  const Said said = check(examples + "vector_sum.hip.cpp");
  EXPECT_TRUE(said.says("\nconfigs    2376 of 2376 combinations may run\n"))
      << said.out << said.err;
}

TEST_F(KernelsCheck, WritesADocument) {
  const Said said = check(examples + "stencil.hip.cpp", {"--json"});
  ASSERT_EQ(said.code, 0) << said.err;
  const json document = said.document();
  EXPECT_EQ(document.at("kernel"), "stencil");
  EXPECT_EQ(document.at("combinations"), 24);
  EXPECT_EQ(document.at("configs"), 24);
  EXPECT_EQ(document.at("sizes"), (json{{"width", 250}, {"height", 120}}));
  EXPECT_EQ(document.at("launches").at(0).at("block"), (json{32, 8, 1}));
  EXPECT_EQ(document.at("launches").at(0).at("grid"), (json{8, 15, 1}));
  EXPECT_EQ(document.at("launches").at(0).at("shared_bytes"), 34 * 10 * 4);
  EXPECT_EQ(document.at("arguments").at(2).at("kind"), "constant");
  EXPECT_EQ(document.at("traffic"), 2 * 250 * 120 * 4);
  EXPECT_GT(document.at("time_us"), 0);
}

TEST_F(KernelsCheck, HasOneLineForAMalformedDescription) {
  const Said said = check_text("// redtune: kernel k\n// redtune: tuen A = 1\n");
  EXPECT_EQ(said.code, 2);
  EXPECT_TRUE(error_in(said).starts_with((home_ / "k.hip.cpp").string() +
                                         ":2:13: unknown key 'tuen' (did you mean 'tune'?)"));
  EXPECT_EQ(check((home_ / "nothing.toml").string()).code, 2);
  EXPECT_EQ(home_.run({"kernels", "check"}).code, 2);
}

TEST_F(KernelsCheck, HasOneLineForASizeThatThereIsNot) {
  const auto with_size = [&](const std::string& size) {
    const Said said = check(examples + "tree_sum.hip.cpp", {"--size", size});
    EXPECT_EQ(said.code, 2) << said.out;
    return error_in(said);
  };
  EXPECT_EQ(with_size("m=5"), "the kernel has no size 'm' (did you mean 'n'?); known: n\n");
  EXPECT_EQ(with_size("n"), "'n' is no size; write NAME=N, like n=2^20\n");
  EXPECT_TRUE(with_size("n=many").starts_with("'many' is not a count"));
}

TEST_F(KernelsCheck, HasOneLineForBuffersThatDoNotFit) {
  const Said said = check(examples + "tree_sum.hip.cpp", {"--size", "n=2^40"});
  EXPECT_EQ(said.code, 2);
  EXPECT_NE(
      error_in(said).find(": its buffers have 4100.0 GiB, and to run and compare them takes "),
      std::string::npos)
      << said.err;
}

TEST_F(KernelsCheck, HasOneLineForAKernelThatDoesNotCompile) {
  const Said said = check_text(kernel_that("out[i] = 2 * inn[i];"));
  EXPECT_EQ(said.code, 1);
  const std::string error = error_in(said);
  const std::string file = (home_ / "k.hip.cpp").string();
  EXPECT_TRUE(
      error.starts_with(file + ": the default, BLOCK=64, does not compile: " + file + ":9:"))
      << error;
  EXPECT_NE(error.find("inn"), std::string::npos) << error;
}

TEST_F(KernelsCheck, HasOneLineForADefaultThatCannotRun) {
  const Said said =
      check_text("// redtune: require BLOCK < 64\n" + kernel_that("out[i] = 2 * in[i];"));
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(error_in(said), (home_ / "k.hip.cpp").string() +
                                ": the default, BLOCK=64, cannot run: it does not meet the "
                                "requirement BLOCK < 64\n");
}

TEST_F(KernelsCheck, HasOneLineForAKernelThatIsWrong) {
  const std::string file = (home_ / "k.hip.cpp").string();
  const Said said = check_text(kernel_that("if (i > 0) out[i] = 2 * in[i];"));
  EXPECT_EQ(said.code, 1);
  EXPECT_EQ(error_in(said),
            file +
                ": out: nothing is written to its first element; is the grid large enough? Where "
                "it is meant, say inout and what is in out at first (on the first input)\n");
  const Said past = check_text(kernel_that("out[i + 1] = 2 * in[i]; out[0] = 0;"));
  EXPECT_EQ(past.code, 1);
  EXPECT_EQ(error_in(past),
            file + ": out: the kernel wrote past its 64 elements (on the first input)\n");
}

TEST_F(KernelsCheck, OutlivesAKernelThatEndsItsProcess) {
  const std::string file = (home_ / "k.hip.cpp").string();
  const Said said = check_text(kernel_that("out[i + (long(1) << 40)] = 2 * in[i];"));
  EXPECT_EQ(said.code, 1);
  const std::string error = error_in(said);
  // Whether nothing or something else lies there, the system decides: a fault of memory either way.
  EXPECT_TRUE(error.starts_with(file + ": k ended its process (killed by signal 11") ||
              error.starts_with(file + ": k ended its process (killed by signal 7"))
      << error;
  EXPECT_TRUE(error.ends_with("does it read or write what is not its own, or divide by zero?\n"))
      << error;
}

TEST_F(KernelsCheck, HasOneLineForAKernelThatNeverEnds) {
  const Said said = check_text(kernel_that("out[i] = in[i]; if (i % 2 == 0) __syncthreads();"));
  EXPECT_EQ(said.code, 1);
  EXPECT_NE(
      error_in(said).find("the default, BLOCK=64, cannot run: block 0 hangs: of 64 lanes 32 wait "
                          "at a barrier"),
      std::string::npos)
      << said.err;
}

TEST_F(KernelsCheck, ReadsTomlAndT1) {
  std::ofstream(home_ / "sum.cu")
      << "extern \"C\" __global__ void twice(float* out, const float* in, int n) {\n"
         "  const int i = blockIdx.x * block_size_x + threadIdx.x;\n"
         "  if (i < n) out[i] = 2 * in[i];\n}\n";
  std::ofstream(home_ / "sum.cu.toml")
      << "file = 'sum.cu'\nkernel = 'twice'\ntune = 'block_size_x = 64, 32'\nsize = 'n = 100'\n"
         "launch = 'block = block_size_x grid = ceil(n / block_size_x)'\n"
         "arg = ['float out[n] out', 'const float in[n] uniform(0, 1)', 'int n']\n"
         "check = 'out exact'\n";
  std::ofstream(home_ / "sum.json") << R"({
  "ConfigurationSpace": {"TuningParameters": [{"Name": "block_size_x", "Type": "int", "Values": "[64, 32]"}]},
  "KernelSpecification": {"Language": "CUDA", "KernelName": "twice", "KernelFile": "sum.cu", "ProblemSize": [100],
    "CompilerOptions": ["-std=c++17"],
    "Arguments": [
      {"Name": "out", "Type": "float", "MemoryType": "Vector", "Size": 100, "AccessType": "WriteOnly"},
      {"Name": "in", "Type": "float", "MemoryType": "Vector", "Size": 100, "AccessType": "ReadOnly", "FillType": "Random"},
      {"Name": "n", "Type": "int32", "MemoryType": "Scalar", "FillValue": 100}]}})";
  const Said toml = check((home_ / "sum.cu").string());
  EXPECT_EQ(toml.code, 0) << toml.err;
  EXPECT_TRUE(toml.says("launch     twice: 2 blocks of 64 threads\n")) << toml.out;
  const Said t1 = check((home_ / "sum.json").string());
  EXPECT_EQ(t1.code, 0) << t1.err;
  EXPECT_TRUE(t1.says("launch     twice: 2 blocks of 64 threads\n")) << t1.out;
  EXPECT_TRUE(t1.says("remarks    the compiler option '-std=c++17' is not passed on\n")) << t1.out;
}

}  // namespace
}  // namespace redtune::cli
