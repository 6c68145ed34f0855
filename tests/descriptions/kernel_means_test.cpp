// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What described kernels may use on the host device: shared memory, constants, shuffles, words of
// the GPUs' languages, several launches; and the examples, with every value of their tunables.
#include <algorithm>

#include "tests/descriptions/kernel_jobs.hpp"
#include "tests/support/own_kernel_examples.hpp"
#include "tests/support/samples.hpp"

namespace redtune::tuner {
namespace {

using testing::doubled;
using testing::KernelJobs;
using testing::right_body;

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

}  // namespace
}  // namespace redtune::tuner
