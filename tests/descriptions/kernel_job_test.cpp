// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Described kernels on the host device: right ones are right, and each kind of wrong one is found
// out, with what is wrong.
#include "tuner/own_kernel/kernel_job.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>

#include "device/host/host_compiler.hpp"
#include "device/registry.hpp"
#include "kernel_templates/description/kernel_text.hpp"
#include "kernel_templates/description/read_description.hpp"
#include "redtune/error.hpp"
#include "tests/support/own_kernel_examples.hpp"
#include "tests/support/samples.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tuner/own_kernel/check_kernel.hpp"

namespace redtune::tuner {
namespace {

using kernels::KernelWords;

/// The usual description, for out and in of n floats; more: lines behind it.
std::string doubled(std::string_view body, std::string_view more = "") {
  return fmt::format(
      "// redtune: kernel doubled\n"
      "// redtune: tune BLOCK = 32, 64 default 64\n"
      "// redtune: tune WAY = 0, 1\n"
      "// redtune: size n = 100\n"
      "// redtune: launch block = BLOCK grid = ceil(n / BLOCK)\n"
      "// redtune: arg float out[n] out\n"
      "// redtune: arg const float in[n] uniform(1, 2)\n"
      "// redtune: arg int n\n"
      "// redtune: check out exact of default\n"
      "{}\n"
      "__global__ void doubled(float* out, const float* in, int n) {{\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  {}\n"
      "}}\n",
      more, body);
}

constexpr std::string_view right_body = "if (i < n) out[i] = 2 * in[i];";

class KernelJobs : public ::testing::Test {
 protected:
  KernelJobs()
      : selection_(registry_.select("host:wave32")),
        device_(selection_.platform->open(selection_.ordinal, selection_.variant)) {}

  /// What is said of a text and the config of these values of its tunables; of the default, where
  /// that is none.
  [[nodiscard]] std::string why_wrong(const std::string& text,
                                      std::initializer_list<std::size_t> values) {
    const std::string path = (folder_ / "k.hip.cpp").string();
    std::ofstream(path) << text;
    const kernels::KernelDescription description = kernels::read_description(path);
    KernelJob job(*device_, {&description, kernels::problems_of(description).front()});
    const search::Point config = kernels::default_config(description);
    const std::string why = job.why_no_default(loaded(job, description, config));
    if (!why.empty()) return "default: " + why;
    const search::Point other(values);
    return job.why_wrong(loaded(job, description, other));
  }
  [[nodiscard]] std::string why_wrong(const std::string& text) { return why_wrong(text, {1, 1}); }

  [[nodiscard]] LoadedKernels loaded(KernelJob& job, const kernels::KernelDescription& description,
                                     const search::Point& config) {
    const auto compiled = selection_.platform->compiler().compile(
        {kernels::program_of(description, kernels::text_with_includes(description.text_file),
                             config, KernelWords::told, device_->limits()),
         kernels_of(job.plan(config), WithReferences::yes), "native"});
    if (const auto* failure = std::get_if<device::CompileFailure>(&compiled)) {
      ADD_FAILURE() << failure->log;
      throw Error("it does not compile");
    }
    const auto& program = std::get<device::CompiledProgram>(compiled);
    return job.load(
        config, {std::make_shared<const std::vector<std::byte>>(program.binary), program.kernels},
        WithReferences::yes);
  }

  device::Registry registry_;
  device::Selection selection_;
  std::unique_ptr<device::Device> device_;
  checks::ScratchFolder folder_;
};

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

TEST_F(KernelJobs, GiveDynamicSharedMemoryConstantsAndDepth) {
  const std::string text = R"(// redtune: kernel turned
// redtune: tune X = 8, 16 default 16
// redtune: tune Y = 4, 8
// redtune: size n = 40
// redtune: launch block = X, Y grid = ceil(n / X), ceil(n / Y) shared = X * Y * ELEMENT_in
// redtune: arg double out[n * n] out
// redtune: arg const double in[n * n] counting
// redtune: arg constant float weights[2] constant(0.5)
// redtune: arg double scale = 1e3
// redtune: arg unsigned char n
// redtune: check out exact of default
__constant__ float weights[2];
__global__ void turned(double* out, const double* in, double scale, unsigned char n) {
  extern __shared__ double tile[];
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * Y + threadIdx.y;
  tile[threadIdx.y * X + threadIdx.x] = x < n && y < n ? in[y * n + x] : -1;
  __syncthreads();
  const int other = blockDim.x * blockDim.y - 1 - (threadIdx.y * X + threadIdx.x);
  const double mirrored = tile[other];
  if (x < n && y < n) out[y * n + x] = (weights[0] + weights[1]) * in[x * n + y] * scale + 0 * mirrored;
}
)";
  EXPECT_EQ(why_wrong(text, {0, 1}), "");
  std::string wrong = text;
  wrong.replace(wrong.find("in[x * n + y]"), 13, "(Y == 8 ? tile[0] : in[x * n + y])");
  EXPECT_NE(why_wrong(wrong, {0, 1}), "");
  std::string short_constant = text;
  short_constant.replace(short_constant.find("weights[2];"), 11, "weights[3];");
  EXPECT_THROW((void)why_wrong(short_constant, {0, 1}), UsageError);
}

TEST_F(KernelJobs, FoldWavesByShuffles) {
  const std::string text = R"(// redtune: kernel wave_sums
// redtune: tune BLOCK = 32, 64
// redtune: tune WAY = 0, 1
// redtune: launch block = BLOCK grid = 128 // BLOCK
// redtune: arg int out[128] out
// redtune: arg const int in[128] uniform(-1000, 1000)
__global__ void wave_sums(int* out, const int* in) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  int sum = in[i];
#if WAY == 0
  for (int mask = warpSize / 2; mask > 0; mask /= 2) sum += __shfl_xor_sync(~0u, sum, mask);
#else
  for (int step = warpSize / 2; step > 0; step /= 2) sum += __shfl_down(sum, step);
  sum = __shfl(sum, 0);
#endif
  out[i] = sum + __shfl_up(in[i], 1, 8);
}
)";
  EXPECT_EQ(why_wrong(text, {1, 1}), "");
}

/// Of 48 threads, so that the second wave is half a one. Each word is compared with what it means.
TEST_F(KernelJobs, KnowTheWordsOfKernels) {
  const std::string text = R"(// redtune: kernel words
// redtune: tune WAY = 0, 1
// redtune: launch block = 48 grid = 1
// redtune: arg int out[48 * 18] out
// redtune: arg const int in[48] uniform(-3, 3)
__device__ int lanes() { return threadIdx.x < 32 ? 32 : 16; }
/// Lanes of this wave that have more than this.
__device__ int many(const int* in, int least) {
  int count = 0;
  for (int lane = 0; lane < lanes(); ++lane) count += in[threadIdx.x / 32 * 32 + lane] > least;
  return count;
}
__global__ void words(int* out, const int* in) {
  const int mine = in[threadIdx.x];
  int total = 0;
  for (int i = 0; i < 48; ++i) total += in[i] > 0;
  int* at = out + threadIdx.x * 18;
#if WAY == 0
  *at++ = many(in, 0);
  *at++ = many(in, 2) > 0;
  *at++ = many(in, -3) == lanes();
  *at++ = lanes();
  *at++ = total;
  *at++ = total > 0;
  *at++ = total == 48;
  *at++ = threadIdx.x + 1u < (threadIdx.x < 32 ? 32u : 48u) ? in[threadIdx.x + 1] : mine;
  *at++ = 40;
  *at++ = 24;
  *at++ = 41;
  *at++ = 0x40490fdb;
  *at++ = 1;
  *at++ = 1;
  *at++ = 3;
  *at++ = 6;
  *at++ = 5;
  *at++ = 2;
#else
  *at++ = __popcll(__ballot(mine > 0));
  *at++ = __any_sync(~0u, mine > 2);
  *at++ = __all(mine > -3);
  *at++ = __popcll(__activemask());
  *at++ = __syncthreads_count(mine > 0);
  *at++ = __syncthreads_or(mine > 0);
  *at++ = __syncthreads_and(mine > 0);
  *at++ = __shfl_down_sync(~0u, mine, 1);
  *at++ = __popcll(0xffffffffff);
  *at++ = __clzll(0xffffffffff);
  *at++ = __ffsll(1ull << 40);
  *at++ = __float_as_int(__uint_as_float(0x40490fdb));
  *at++ = isnan(__int_as_float(0x7fc00000));
  *at++ = isinf(__uint_as_float(0xff800000)) && !isnan(1.0f);
  *at++ = int(roundf(2.5f));
  *at++ = make_int3(1, 2, 3).x + make_int3(1, 2, 3).y + make_int3(1, 2, 3).z;
  *at++ = int(hypotf(3, 4));
  *at++ = int(cbrtf(8.5f));
#endif
}
)";
  EXPECT_EQ(why_wrong(text, {1}), "");
}

TEST_F(KernelJobs, RunSeveralLaunchesThatShareBuffers) {
  const auto text_with = [](std::string_view scratch) {
    return fmt::format(R"(// redtune: kernel sums
// redtune: tune BLOCK = 32, 64
// redtune: launch block = BLOCK grid = ceil(n / BLOCK) args = partials, in, n
// redtune: launch total block = 32 grid = 1 args = out, partials, blocks
// redtune: size n = 500
// redtune: arg int out[1] out
// redtune: arg int partials[ceil(n / BLOCK)] {}
// redtune: arg const int in[n] uniform(-50, 50)
// redtune: arg int n
// redtune: arg int blocks = ceil(n / BLOCK)
__global__ void sums(int* partials, const int* in, int n) {{
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) atomicAdd(&partials[blockIdx.x], in[i]);
}}
__global__ void total(int* out, const int* partials, int blocks) {{
  if (threadIdx.x > 0) return;
  int all = 0;
  for (int i = 0; i < blocks; ++i) all += partials[i];
  *out = all;
}}
)",
                       scratch);
  };
  EXPECT_EQ(why_wrong(text_with("scratch zero"), {1}), "");
  // Not filled, it holds something else each time.
  EXPECT_NE(why_wrong(text_with("scratch"), {1}), "");
}

TEST_F(KernelJobs, RefuseScalarsThatTheirTypesDoNotHold) {
  std::string text = doubled(right_body);
  text.replace(text.find("arg int n"), 9, "arg char n = 200");
  EXPECT_THROW((void)why_wrong(text), UsageError);
}

/// With each value of each tunable in one config at least; on waves of 64, which blocks may be less
/// than.
class ExampleJobs : public KernelJobs, public ::testing::WithParamInterface<std::string> {};

TEST_P(ExampleJobs, AreRightWithEveryValueOfTheirTunables) {
  selection_ = registry_.select("host:wave64");
  device_ = selection_.platform->open(selection_.ordinal, selection_.variant);
  const auto description = kernels::read_description(checks::own_kernel_folder + GetParam());
  // Small: sizes only scale what blocks have to do.
  kernels::SizeValues sizes = kernels::problems_of(description).front();
  for (std::int64_t& size : sizes) size = std::min<std::int64_t>(size, 5003);
  const search::Space space = kernels::space_of(description, sizes, device_->limits());
  std::vector<search::Point> all;
  for (std::size_t i = 0; i < space.size(); ++i) all.push_back(space[i]);
  const auto configs = checks::every_value(all, [&](const search::Point& config) {
    checks::Axes values;
    for (const Setting& setting : kernels::settings_of(description, config)) {
      values.push_back(setting.value);
    }
    return values;
  });
  KernelJob job(*device_, {&description, sizes});
  ASSERT_EQ(job.why_no_default(loaded(job, description, kernels::default_config(description))), "");
  for (const search::Point& config : configs) {
    EXPECT_EQ(job.why_wrong(loaded(job, description, config)), "")
        << to_string(kernels::settings_of(description, config));
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, ExampleJobs, ::testing::ValuesIn(checks::own_kernel_examples()),
                         checks::own_kernel_name);

TEST(FirstErrors, AreTheLineOfALogThatSaysMost) {
  EXPECT_EQ(first_error("k.cpp: In function 'f':\nk.cpp:3:5: error: no\nmore\n"),
            "k.cpp:3:5: error: no");
  EXPECT_EQ(first_error("it stopped\nsomewhere\n"), "it stopped");
  EXPECT_EQ(first_error(""), "");
}

}  // namespace
}  // namespace redtune::tuner
