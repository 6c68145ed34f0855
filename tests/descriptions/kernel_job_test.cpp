// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Described kernels on the host device: right ones are right, and each kind of wrong one is found
// out, with what is wrong.
#include "device/host/host_compiler.hpp"
#include "tests/descriptions/kernel_jobs.hpp"

namespace redtune::tuner {
namespace {

using testing::doubled;
using testing::KernelJobs;
using testing::right_body;

TEST_F(KernelJobs, ThatAreRightAreRight) {
  EXPECT_EQ(why_wrong(doubled(right_body)), "");
}

TEST_F(KernelJobs, FindOutAKernelThatWritesNothing) {
  EXPECT_EQ(why_wrong(doubled("if (WAY == 0 && i < n) out[i] = 2 * in[i];")).substr(0, 29),
            "out: element 0 of 100: expect");
  EXPECT_NE(why_wrong(doubled("if (WAY == 0 && i < n) out[i] = 2 * in[i];"))
                .find(", and nothing was written; 100 are wrong (on the first input)"),
            std::string::npos);
}

TEST_F(KernelJobs, FindOutADefaultThatWritesNothing) {
  EXPECT_EQ(
      why_wrong(doubled("")),
      "default: out: nothing is written to its first element; is the grid large enough? Where "
      "it is meant, say inout and what is in out at first (on the first input)");
  EXPECT_EQ(
      why_wrong(doubled("if (i < 64) out[i] = 2 * in[i];")),
      "default: out: nothing is written to element 64 of 100; is the grid large enough? Where "
      "it is meant, say inout and what is in out at first (on the first input)");
}

/// What outputs are full of before may be what is right.
TEST_F(KernelJobs, TakeResultsThatLookLikeNothing) {
  std::string text = doubled("if (i < n) out[i] = 0xa5a5a5a5u;");
  text.replace(text.find("float out[n]"), 5, "unsigned");
  text.replace(text.find("float* out"), 5, "unsigned");
  EXPECT_EQ(why_wrong(text), "");
}

TEST_F(KernelJobs, FindOutAKernelThatWritesTooMuch) {
  EXPECT_EQ(why_wrong(doubled("if (i < n + WAY) out[i] = i < n ? 2 * in[i] : 0;")),
            "out: the kernel wrote past its 100 elements (on the first input)");
  EXPECT_EQ(why_wrong(doubled("if (i < n) out[i] = 2 * in[i]; if (WAY && i == 0) out[-1] = 0;")),
            "out: the kernel wrote before its 100 elements (on the first input)");
  EXPECT_EQ(why_wrong(doubled("if (i < n) out[i] = 2 * in[i]; "
                              "if (WAY && i == 3) const_cast<float*>(in)[5] = 0;")),
            "in: the kernel changed it, and it is no output (on the first input)");
}

/// After a kernel that was wrong beside its outputs the next one finds everything as it was.
TEST_F(KernelJobs, RestoreWhatAWrongKernelChanged) {
  const std::string path = (folder_ / "k.hip.cpp").string();
  std::ofstream(path) << doubled(
      "if (i < n) out[i] = 2 * in[i]; "
      "if (WAY && i == 3) const_cast<float*>(in)[5] = 0;");
  const auto description = kernels::read_description(path);
  KernelJob job(*device_, {&description, {100}});
  const auto usual = loaded(job, description, search::Point{1, 0});
  const auto wrong = loaded(job, description, search::Point{1, 1});
  EXPECT_EQ(job.why_no_default(usual), "");
  EXPECT_NE(job.why_wrong(wrong), "");
  EXPECT_EQ(job.why_wrong(usual), "");
  EXPECT_EQ(job.inputs(), 2U);
}

TEST_F(KernelJobs, FindOutAKernelThatIsRightOnlyOnce) {
  const std::string counting =
      "static __device__ int runs = 0;\n"
      "static __device__ int blocks_done = 0;\n";
  std::string text = doubled(
      "if (i < n) out[i] = (WAY && runs > 0 ? 3 : 2) * in[i];\n"
      "  __syncthreads();\n"
      "  if (threadIdx.x == 0 && atomicAdd(&blocks_done, 1) + 1 == int(gridDim.x)) {\n"
      "    blocks_done = 0; ++runs;\n  }",
      counting);
  const std::string why = why_wrong(text);
  EXPECT_NE(why.find("when it ran again (on the first input)"), std::string::npos) << why;
}

TEST_F(KernelJobs, FindOutAKernelThatKnowsTheFirstInput) {
  // The sum of what it has seen of the first input stands in a variable.
  const std::string why =
      why_wrong(doubled("static float seen = 0;\n"
                        "  if (seen == 0) seen = in[0];\n"
                        "  if (i < n) out[i] = (WAY && seen != in[0] ? 1 : 2) * in[i];"));
  EXPECT_NE(why.find("(on the second input)"), std::string::npos) << why;
}

TEST_F(KernelJobs, FindOutADefaultThatIsNotTheSameEachTime) {
  const std::string why = why_wrong(
      doubled("static int runs = 0;\n  if (i < n) out[i] = in[i] + (i == 7 ? runs++ : 0);"));
  EXPECT_TRUE(why.starts_with("default: out: element 7 of 100: expected ")) << why;
  EXPECT_TRUE(why.ends_with(", when it ran again (on the first input)")) << why;
}

TEST_F(KernelJobs, TakeWhatIsNearEnough) {
  const auto with_tolerance = [](std::string_view tolerance, std::string_view error) {
    std::string text =
        doubled(fmt::format("if (i < n) out[i] = 2 * in[i] + (WAY ? {} : 0);", error));
    return text.replace(text.find("exact"), 5, tolerance);
  };
  EXPECT_EQ(why_wrong(with_tolerance("within 0.25", "0.2f")), "");
  EXPECT_NE(why_wrong(with_tolerance("within 0.25", "0.3f")), "");
  EXPECT_EQ(why_wrong(with_tolerance("within 0.2 relative", "0.3f * in[i]")), "");
  EXPECT_NE(why_wrong(with_tolerance("within 0.2 relative", "0.5f * in[i]")), "");
  EXPECT_EQ(why_wrong(with_tolerance("within 4 ulps", "in[i] * 2e-7f")), "");
  EXPECT_NE(why_wrong(with_tolerance("within 1 ulps", "in[i] * 2e-6f")), "");
  EXPECT_EQ(why_wrong(with_tolerance("within 1 ulps or 0.1", "0.05f")), "");
  EXPECT_NE(why_wrong(with_tolerance("exact", "1e-6f")), "");
  EXPECT_NE(why_wrong(with_tolerance("within 0.25", "0.0f / 0.0f")), "");
}

TEST_F(KernelJobs, CompareWithAnotherKernelOfTheFile) {
  const std::string plain =
      "// redtune: reference plain block = 32 grid = ceil(n / 32)\n"
      "__global__ void plain(float* out, const float* in, int n) {\n"
      "  const int i = blockIdx.x * 32 + threadIdx.x;\n  if (i < n) out[i] = in[i] + in[i];\n}\n";
  const auto against_plain = [&](std::string_view body) {
    std::string text = doubled(body, plain);
    return why_wrong(text.replace(text.find("of default"), 10, "of kernel plain"));
  };
  EXPECT_EQ(against_plain(right_body), "");
  EXPECT_TRUE(against_plain("if (i < n) out[i] = 3 * in[i];")
                  .starts_with("default: out: element 0 of 100: expected "));
  EXPECT_TRUE(against_plain("if (i < n) out[i] = (WAY ? 3 : 2) * in[i];")
                  .starts_with("out: element 0 of 100: expected "));
}

/// The reference says what is right on inputs that no search saw, too, not the default.
TEST_F(KernelJobs, CompareWithAnotherKernelOnOtherInputs) {
  std::string text = doubled(
      "if (i < n) out[i] = 2 * in[i] + (WAY == 0 ? 0.2f : WAY == 1 ? -0.2f : 0.4f);",
      "// redtune: reference plain block = 32 grid = ceil(n / 32)\n"
      "__global__ void plain(float* out, const float* in, int n) {\n"
      "  const int i = blockIdx.x * 32 + threadIdx.x;\n  if (i < n) out[i] = in[i] + in[i];\n}\n");
  text.replace(text.find("exact of default"), 16, "within 0.3 of kernel plain");
  text.replace(text.find("0, 1"), 4, "0, 1, 2");
  const std::string path = (folder_ / "k.hip.cpp").string();
  std::ofstream(path) << text;
  const auto description = kernels::read_description(path);
  KernelJob job(*device_, {&description, {100}});
  const auto usual = loaded(job, description, search::Point{1, 0});
  ASSERT_EQ(job.why_no_default(usual), "");
  const auto others = [&](std::size_t way) {
    return job.why_wrong_on_others(usual, loaded(job, description, search::Point{1, way}));
  };
  EXPECT_EQ(others(0), "");
  EXPECT_EQ(others(1), "") << "0.4 from the default, 0.2 from what is right";
  const std::string why = others(2);
  EXPECT_TRUE(why.starts_with("out: element 0 of 100: expected ")) << why;
  EXPECT_TRUE(why.ends_with(" (on another input)")) << why;
}

TEST_F(KernelJobs, FindOutADefaultThatIsWrongOnOtherInputs) {
  std::string text =
      doubled("if (i < n) out[i] = 2 * in[i];",
              "// redtune: reference plain block = 32 grid = ceil(n / 32)\n"
              "static __device__ int calls = 0;\n"
              "__global__ void plain(float* out, const float* in, int n) {\n"
              "  const int i = blockIdx.x * 32 + threadIdx.x;\n"
              "  if (i == 0) ++calls;\n  if (i < n) out[i] = (calls > 2 ? 3 : 2) * in[i];\n}\n");
  text.replace(text.find("of default"), 10, "of kernel plain");
  const std::string path = (folder_ / "k.hip.cpp").string();
  std::ofstream(path) << text;
  const auto description = kernels::read_description(path);
  KernelJob job(*device_, {&description, {100}});
  const auto usual = loaded(job, description, search::Point{1, 0});
  ASSERT_EQ(job.why_no_default(usual), "");
  for (int turn = 0; turn < 2; ++turn) {
    const std::string why = job.why_wrong_on_others(usual, usual);
    EXPECT_TRUE(why.starts_with("the default went wrong: out: element 0 of 100: expected ")) << why;
  }
}

TEST_F(KernelJobs, CompareWithAFile) {
  const std::vector<float> expected(100, 3.0F);
  const auto write = [&](std::size_t count) {
    std::ofstream(folder_ / "expected.bin", std::ios::binary)
        .write(reinterpret_cast<const char*>(expected.data()),
               static_cast<std::streamsize>(count * sizeof(float)));
  };
  const auto against_file = [&](std::string_view body) {
    std::string text = doubled(body);
    text.replace(text.find("uniform(1, 2)"), 13, "constant(1.5)");
    return why_wrong(text.replace(text.find("of default"), 10, "of file expected.bin"));
  };
  write(100);
  EXPECT_EQ(against_file(right_body), "");
  EXPECT_EQ(against_file("if (i < n) out[i] = i == 8 ? 4 : 2 * in[i];"),
            "default: out: element 8 of 100: expected 3, got 4");
  EXPECT_EQ(against_file("if (i < n) out[i] = WAY ? 4 : 2 * in[i];"),
            "out: element 0 of 100: expected 3, got 4; 100 are wrong");
  write(99);
  EXPECT_THROW((void)against_file(right_body), UsageError);
}

TEST_F(KernelJobs, FillBuffersByFormulas) {
  std::string text = doubled("if (i < n) out[i] = in[i] == 0.5f * (i % 3) ? 2 * in[i] : -1;");
  text.replace(text.find("uniform(1, 2)"), 13, "each(i % 3 / 2)");
  text.replace(text.find("of default"), 10, "of kernel plain");
  EXPECT_EQ(why_wrong("// redtune: reference plain block = 32 grid = ceil(n / 32)\n" + text +
                      "__global__ void plain(float* out, const float*, int n) {\n"
                      "  const int i = blockIdx.x * 32 + threadIdx.x;\n"
                      "  if (i < n) out[i] = i % 3;\n}\n"),
            "");
  std::string whole = doubled(right_body);
  whole.replace(whole.find("const float in[n] uniform(1, 2)"), 31, "const int in[n] each(i / 2)");
  EXPECT_THROW((void)why_wrong(whole), UsageError);
}

TEST_F(KernelJobs, RestoreWhatIsAddedTo) {
  std::string text = doubled("if (i < n) out[i] += (WAY ? 1 + BLOCK / 64 : 2) * in[i];");
  text.replace(text.find("out[n] out"), 10, "out[n] inout constant(5)");
  EXPECT_EQ(why_wrong(text), "");
}

TEST_F(KernelJobs, RefuseADefaultThatChangesNothing) {
  std::string text = doubled("");
  text.replace(text.find("out[n] out"), 10, "out[n] inout uniform(5, 6)");
  EXPECT_EQ(why_wrong(text),
            "default: out: nothing in it is changed, so that a kernel which does nothing would be "
            "right; choose another fill");
}

TEST(FirstErrors, AreTheLineOfALogThatSaysMost) {
  EXPECT_EQ(first_error("k.cpp: In function 'f':\nk.cpp:3:5: error: no\nmore\n"),
            "k.cpp:3:5: error: no");
  EXPECT_EQ(first_error("it stopped\nsomewhere\n"), "it stopped");
  EXPECT_EQ(first_error(""), "");
}

}  // namespace
}  // namespace redtune::tuner
