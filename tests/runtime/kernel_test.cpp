// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A described kernel launched by a program, on the host: with the config that its sizes call for,
// and with arguments that are looked at.
#include "redtune/kernel.hpp"

#include <atomic>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

#include "kernel_templates/description/described_family.hpp"
#include "kernel_templates/family/family.hpp"
#include "tests/runtime/count_allocations.hpp"
#include "tests/runtime/published.hpp"

namespace redtune {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing_runtime::allocations_of;

/// It tells the config that it runs with, and the number that redtune calculates.
constexpr std::string_view scaled_text = R"(// redtune: kernel  scaled
// redtune: tune    BLOCK = 32, 64, 128  default 64
// redtune: tune    ITEMS = 1, 2, 4      default 1
// redtune: size    n = 1000
// redtune: launch  block = BLOCK  grid = ceil(n / (BLOCK * ITEMS))
// redtune: arg     float out[n] out
// redtune: arg     const float in[n] uniform(-1, 1)
// redtune: arg     int n
// redtune: arg     float factor = 0.5
// redtune: arg     int used[3] out
// redtune: arg     int tile = BLOCK * ITEMS
// redtune: check   out exact
#include <hip/hip_runtime.h>
#if BLOCK == 128 && defined(BROKEN)
#error blocks of 128 are broken
#endif
extern "C" void nobody_has_this();
extern "C" __global__ void scaled(float* out, const float* in, int n, float factor, int* used,
                                  int tile) {
#if BLOCK == 32 && ITEMS == 4
  nobody_has_this();
#endif
  for (int i = blockIdx.x * tile + threadIdx.x; i < n && i < (int(blockIdx.x) + 1) * tile;
       i += BLOCK) {
    out[i] = in[i] * factor;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    used[0] = BLOCK;
    used[1] = ITEMS;
    used[2] = gridDim.x;
  }
}
)";

class KernelFile {
 public:
  explicit KernelFile(std::string_view text = scaled_text) { write(text); }
  void write(std::string_view text) { cache::testing::write_text(path(), std::string(text)); }
  /// With one piece in the place of another.
  void change(std::string_view piece, std::string_view other) {
    std::string text(scaled_text);
    const std::size_t at = text.find(piece);
    ASSERT_NE(at, std::string::npos) << piece;
    write(text.replace(at, piece.size(), other));
  }
  [[nodiscard]] std::string path() const { return folder_ / "scaled.hip.cpp"; }

 private:
  cache::testing::ScratchFolder folder_;
};

class OwnKernel : public testing::Test {
 protected:
  [[nodiscard]] Kernel kernel(Match minimum = Match::fallback) const {
    return Kernel(file_.path(), {.device = "host", .lookup = results_.options(minimum)});
  }
  /// As `redtune tune` leaves a result.
  void publish(std::int64_t n, const char* settings) {
    results_.publish(kernel().answer({n}).problem, identify_device("host"),
                     parse_settings(settings));
  }
  /// BLOCK, ITEMS and the blocks of a launch whose results are right.
  std::vector<int> launched(const Kernel& kernel, int n) {
    std::vector<float> in(static_cast<std::size_t>(n), 3.0F);
    std::vector<float> out(in.size());
    std::vector<int> used(3);
    kernel.launch({}, {n}, out.data(), in.data(), n, 0.25F, used.data());
    kernel.synchronize();
    EXPECT_EQ(out, std::vector<float>(in.size(), 0.75F));
    return used;
  }
  static std::string why_refused(const std::function<void()>& action) {
    try {
      action();
      return "";
    } catch (const UsageError& error) {
      return error.what();
    }
  }

  KernelFile file_;
  testing_runtime::ResultsFile results_;
};

using Used = std::vector<int>;

TEST_F(OwnKernel, RunsWithItsDefaultWhereNothingIsTuned) {
  const Kernel kernel = this->kernel();
  EXPECT_EQ(launched(kernel, 1000), (Used{64, 1, 16}));
  const Answer answer = kernel.answer({1000});
  EXPECT_EQ(answer.match, Match::fallback);
  EXPECT_EQ(answer.problem.op, Op::kernel);
  EXPECT_EQ(answer.problem.count, 1000);
  EXPECT_EQ(to_string(kernel.settings({1000})), "BLOCK=64 ITEMS=1");
  EXPECT_EQ(kernel.device().device_class.platform, "host");
}

TEST_F(OwnKernel, RunsWithWhatWasTunedForItsSizesAndForThoseNear) {
  publish(1000, "BLOCK=128 ITEMS=2");
  publish(16'000, "BLOCK=32 ITEMS=1");
  const Kernel kernel = this->kernel(Match::near);
  EXPECT_EQ(kernel.answer({1000}).match, Match::exact);
  EXPECT_EQ(launched(kernel, 1000), (Used{128, 2, 4}));
  EXPECT_EQ(launched(kernel, 1500), (Used{128, 2, 6}));
  EXPECT_EQ(kernel.answer({1500}).match, Match::near);
  EXPECT_EQ(launched(kernel, 15'000), (Used{32, 1, 469}));
  EXPECT_EQ(kernel.answer({15'000}).problem.count, 15'000);
  EXPECT_THROW(kernel.prepare({1}), UnmetMatch);
  EXPECT_EQ(launched(this->kernel(), 1), (Used{64, 1, 1}));
}

TEST_F(OwnKernel, TakesSizesByName) {
  file_.change("// redtune: size    n = 1000", "// redtune: size n = 1000\n// redtune: size k = 2");
  const Kernel kernel = this->kernel();
  const std::size_t n = 500;
  EXPECT_EQ(kernel.answer({{"k", 7}, {"n", n}}).problem.count, 500);
  EXPECT_EQ(kernel.answer({{"k", 7}, {"n", n}}).problem.outer, 7);
  EXPECT_EQ(kernel.answer({n, 7}).problem.outer, 7);
  const Sizes kept{{"n", 5}, {"k", 6}};
  EXPECT_EQ(kernel.answer(kept).problem.outer, 6);
}

TEST_F(OwnKernel, RefusesSizesThatItDoesNotHave) {
  const Kernel kernel = this->kernel();
  EXPECT_EQ(why_refused([&] { kernel.prepare({}); }), "scaled takes 1 size: n; 0 were given");
  EXPECT_EQ(why_refused([&] { kernel.prepare({3, 4}); }), "scaled takes 1 size: n; 2 were given");
  EXPECT_EQ(why_refused([&] {
              kernel.prepare({{"m", 3}});
            }),
            "scaled: its size n was not given; its sizes are n");
  EXPECT_THAT(why_refused([&] { kernel.prepare({0}); }), HasSubstr("a size is 1 or more"));
  EXPECT_THAT(
      why_refused([&] { kernel.prepare({std::int64_t{1} << 60}); }),
      HasSubstr(
          "the default of scaled n=2^60 cold cannot run: 18014398509481984 blocks are no grid"));
  const std::vector<std::int64_t> many(17, 1);
  EXPECT_THAT(why_refused([&] { (void)Sizes(std::span(many)); }), HasSubstr("16 sizes at most"));
}

TEST_F(OwnKernel, RefusesArgumentsOfOtherTypesByTheirName) {
  const Kernel kernel = this->kernel();
  float out = 0;
  const float in = 1;
  int used[3] = {};
  const auto why = [&](auto... arguments) {
    return why_refused([&] { kernel.launch({}, {1}, arguments...); });
  };
  EXPECT_EQ(why(&out, &in, 1, 1.0F, used), "");
  EXPECT_EQ(why(&out, &in, 1, 1.0F),
            "scaled takes 5 arguments: out, in, n, factor, used; 4 were given");
  EXPECT_EQ(why(&out, &in, 1, 1.0F, used, 64),
            "scaled takes 5 arguments: out, in, n, factor, used; 6 were given");
  EXPECT_EQ(why(&in, &in, 1, 1.0F, used),
            "scaled: argument 1, out, is float*, which the kernel writes; const float* was given");
  EXPECT_EQ(why(&out, used, 1, 1.0F, used),
            "scaled: argument 2, in, is const float*; int* was given");
  EXPECT_EQ(why(&out, in, 1, 1.0F, used),
            "scaled: argument 2, in, is const float*; float was given");
  EXPECT_EQ(why(&out, &in, std::int64_t{1}, 1.0F, used),
            "scaled: argument 3, n, is int; long was given");
  EXPECT_EQ(why(&out, &in, 1U, 1.0F, used), "scaled: argument 3, n, is int; unsigned was given");
  EXPECT_EQ(why(&out, &in, 1, 1.0, used), "scaled: argument 4, factor, is float; double was given");
  EXPECT_EQ(why(&out, &in, &used[0], 1.0F, used), "scaled: argument 3, n, is int; int* was given");
  struct Pair {
    int a, b;
  } pair{};
  EXPECT_EQ(why(&out, &in, 1, 1.0F, &pair),
            "scaled: argument 5, used, is int*, which the kernel writes; a pointer to structs of 8 "
            "bytes was given");
  int* address = used;
  EXPECT_EQ(
      why(&out, &in, 1, 1.0F, &address),
      "scaled: argument 5, used, is int*, which the kernel writes; a pointer to what no kernel "
      "takes was given");
  struct Vendors {
    float bits;
  };
  EXPECT_EQ(why(reinterpret_cast<Vendors*>(&out), static_cast<const void*>(&in), 1, Vendors{2.0F},
                static_cast<void*>(used)),
            "");
  EXPECT_EQ(out, 2.0F);
}

TEST_F(OwnKernel, TakesVectorsAsStructsAndAsTheirElements) {
  file_.write(R"(// redtune: kernel  negate
// redtune: tune BLOCK = 4, 8
// redtune: size n = 8
// redtune: launch block = BLOCK grid = ceil(n / BLOCK)
// redtune: arg float4 data[n] inout uniform(0, 1)
// redtune: check data exact
extern "C" __global__ void negate(float4* data) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  data[i].w = -data[i].w;
}
)");
  const Kernel kernel = this->kernel();
  struct alignas(16) Four {
    float x, y, z, w;
  };
  std::vector<Four> data(8, Four{1, 2, 3, 4});
  kernel.launch({}, {8}, data.data());
  kernel.launch({}, {8}, &data[0].x);
  kernel.launch({}, {8}, data.data());
  kernel.synchronize();
  EXPECT_EQ(data[7].w, -4);
  EXPECT_EQ(data[7].z, 3);
  EXPECT_EQ(why_refused([&] { kernel.launch({}, {8}, reinterpret_cast<double*>(data.data())); }),
            "negate: argument 1, data, is float4*, which the kernel writes; double* was given");
}

TEST_F(OwnKernel, CalculatesNumbersThatDependOnTheDevice) {
  file_.write(R"(// redtune: kernel  tell
// redtune: tune BLOCK = 4, 8
// redtune: size n = 8
// redtune: launch block = BLOCK grid = 1
// redtune: arg int lanes = 100 * WAVE
// redtune: arg int half = n // 2
// redtune: arg int out[3] out
// redtune: arg long units = UNITS
extern "C" __global__ void tell(int lanes, int half, int* out, long units) {
  out[0] = lanes;
  out[1] = half;
  out[2] = units > 0;
}
)");
  const Kernel kernel = this->kernel();
  std::vector<int> out(3);
  kernel.launch({}, {8}, 7, out.data());
  kernel.synchronize();
  EXPECT_EQ(out, (std::vector<int>{100, 7, 1}));
  EXPECT_EQ(why_refused([&] { kernel.launch({}, {8}, out.data()); }),
            "tell takes 2 arguments: half, out; 1 was given");
}

TEST_F(OwnKernel, LaunchesOneAfterAnotherAndTellsHowMuchScratchTheyNeed) {
  const std::string path = REDTUNE_SOURCE_DIR "/examples/own_kernels/tree_sum.hip.cpp";
  const auto options = KernelOptions{.device = "host", .lookup = results_.options()};
  const Kernel sum(path, options);
  results_.publish(sum.answer({10'000}).problem, identify_device("host"),
                   parse_settings("BLOCK=64 ITEMS=2"));
  EXPECT_EQ(sum.elements({10'000}, "partials"), 79);
  EXPECT_EQ(sum.elements({1'000'000'000}, "partials"), 976'563);
  std::vector<float> partials(79, -1.0F);
  const std::vector<float> in(10'000, 0.5F);
  float out = 0;
  sum.launch({}, {10'000}, &out, partials.data(), in.data(), 10'000);
  sum.synchronize();
  EXPECT_EQ(out, 5000.0F);
  EXPECT_THAT(
      why_refused([&] { (void)sum.elements({1}, "partial"); }),
      HasSubstr("no buffer 'partial' (did you mean 'partials'?); known: out, partials, in"));
}

constexpr std::string_view weighted_text = R"(// redtune: kernel  weighted
// redtune: tune BLOCK = 4, 8 default 4
// redtune: size n = 8
// redtune: launch block = BLOCK grid = ceil(n / BLOCK)
// redtune: arg int out[n] out
// redtune: arg constant int weights[3] counting
// redtune: arg int n
__constant__ int weights[3];
extern "C" __global__ void weighted(int* out, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) out[i] = BLOCK * weights[i % 3];
}
)";

TEST_F(OwnKernel, GivesConstantsToEveryConfig) {
  file_.write(weighted_text);
  publish(1000, "BLOCK=8");
  Kernel kernel = this->kernel();
  std::vector<int> out(8);
  const auto launch = [&] {
    kernel.launch({}, {8}, out.data(), 8);
    kernel.synchronize();
  };
  EXPECT_EQ(why_refused(launch),
            "weighted: nothing is known of the variable weights in constant memory; set it before "
            "the first launch");
  kernel.prepare({8});
  EXPECT_NE(why_refused(launch), "");
  const int first[3] = {1, 2, 3};
  EXPECT_EQ(why_refused([&] { kernel.set_constant("weights", first, 8); }),
            "weighted: the variable weights has 12 bytes in the kernel's text; 8 were given");
  EXPECT_NE(why_refused(launch), "");
  kernel.set_constant("weights", first, sizeof(first));
  launch();
  EXPECT_EQ(out, (std::vector<int>{4, 8, 12, 4, 8, 12, 4, 8}));
  std::vector<int> longer(1000);
  kernel.launch({}, {1000}, longer.data(), 1000);
  kernel.synchronize();
  EXPECT_EQ(longer[2], 24);
  const int second[3] = {5, 6, 7};
  kernel.set_constant("weights", second, sizeof(second));
  launch();
  kernel.launch({}, {1000}, longer.data(), 1000);
  kernel.synchronize();
  EXPECT_EQ(out[1], 24);
  EXPECT_EQ(longer[2], 56);
}

TEST_F(OwnKernel, RefusesConstantsThatItDoesNotHave) {
  file_.write(weighted_text);
  Kernel kernel = this->kernel();
  const int weights[4] = {};
  EXPECT_EQ(why_refused([&] { kernel.set_constant("weigths", weights, 12); }),
            "weighted has no variable 'weigths' in constant memory (did you mean 'weights'?); "
            "known: weights");
  EXPECT_THAT(why_refused([&] { kernel.set_constant("weights", nullptr, 12); }),
              HasSubstr("a null pointer"));
  kernel.set_constant("weights", weights, 16);
  EXPECT_EQ(why_refused([&] { kernel.prepare({8}); }),
            "weighted: the variable weights has 12 bytes in the kernel's text; 16 were given");
  kernel.set_constant("weights", weights, 12);
  kernel.prepare({8});
}

TEST_F(OwnKernel, TakesTheDefaultForAConfigThatDoesNotCompile) {
  file_.change("defined(BROKEN)", "1");
  publish(1000, "BLOCK=128 ITEMS=2");
  const Kernel kernel = this->kernel();
  EXPECT_EQ(kernel.answer({1000}).match, Match::exact);
  EXPECT_EQ(launched(kernel, 1000), (Used{64, 1, 16}));
  EXPECT_EQ(kernel.answer({1000}).match, Match::fallback);
  EXPECT_THAT(kernel.answer({1000}).explanation,
              StartsWith("the stored configuration does not compile here: "));
  EXPECT_EQ(launched(kernel, 1100), (Used{64, 1, 18}));
  EXPECT_THROW(this->kernel(Match::near).prepare({1000}), UnmetMatch);
}

TEST_F(OwnKernel, TakesTheDefaultForAConfigThatCannotBeLoaded) {
  publish(1000, "BLOCK=32 ITEMS=4");
  const Kernel kernel = this->kernel();
  EXPECT_EQ(launched(kernel, 1000), (Used{64, 1, 16}));
  EXPECT_THAT(kernel.answer({1000}).explanation,
              StartsWith("the stored configuration cannot be loaded here: "));
}

TEST_F(OwnKernel, TakesTheDefaultForAConfigThatMayNotRunAnyMore) {
  publish(1000, "BLOCK=128 ITEMS=2");
  for (const char* now : {"// redtune: tune    BLOCK = 32, 64, 128  default 64\n"
                          "// redtune: require BLOCK < 128",
                          "// redtune: tune    BLOCK = 32, 64  default 64"}) {
    file_.change("// redtune: tune    BLOCK = 32, 64, 128  default 64", now);
    const Kernel kernel = this->kernel();
    EXPECT_EQ(launched(kernel, 1000), (Used{64, 1, 16})) << now;
    EXPECT_THAT(kernel.answer({1000}).explanation,
                StartsWith("the stored configuration cannot run here: "));
  }
}

/// One of those that read the file before, and one that read it after, live at the same time.
TEST_F(OwnKernel, GoesByTheFileAsItReadIt) {
  publish(1000, "BLOCK=128 ITEMS=2");
  const Kernel before = this->kernel();
  file_.change("// redtune: tune    BLOCK = 32, 64, 128  default 64",
               "// redtune: tune    BLOCK = 16, 32, 64, 128, 256  default 32");
  const Kernel after = this->kernel();
  publish(1000, "BLOCK=256 ITEMS=1");
  EXPECT_EQ(launched(after, 1000), (Used{256, 1, 4}));
  EXPECT_EQ(launched(before, 1000), (Used{64, 1, 16}));
  EXPECT_EQ(launched(before, 1), (Used{64, 1, 1}));
  EXPECT_EQ(launched(after, 1), (Used{32, 1, 1}));
}

TEST_F(OwnKernel, KeepsResultsWhereCommentsChangeAndLosesThemWhereCodeDoes) {
  publish(1000, "BLOCK=128 ITEMS=2");
  file_.change("#include <hip", "// what is told to people\n#include <hip");
  EXPECT_EQ(launched(this->kernel(), 1000), (Used{128, 2, 4}));
  file_.change("out[i] = in[i] * factor;", "out[i] = factor * in[i];");
  const Kernel changed = this->kernel();
  EXPECT_EQ(launched(changed, 1000), (Used{64, 1, 16}));
  EXPECT_EQ(changed.answer({1000}).match, Match::fallback);
}

TEST_F(OwnKernel, RunsWithWhatWasTunedUnderItsFormerKeyUntilItIsTunedAgain) {
  const Problem problem = kernel().answer({1000}).problem;
  const auto former = kernels::as_described(kernels::family_of(problem))->former(problem);
  ASSERT_NE(former.problem, problem);
  testing_runtime::publish_result(results_.path(),
                                  {.family = former.family,
                                   .space_key = "of another version",
                                   .problem = former.problem,
                                   .device = identify_device("host")},
                                  parse_settings("BLOCK=128 ITEMS=2"));
  EXPECT_EQ(launched(kernel(Match::exact), 1000), (Used{128, 2, 4}));
  EXPECT_EQ(kernel().answer({2000}).match, Match::near);
  publish(4000, "BLOCK=64 ITEMS=2");
  EXPECT_EQ(launched(kernel(Match::exact), 1000), (Used{128, 2, 4})) << "what is near came first";
  publish(1000, "BLOCK=32 ITEMS=1");
  EXPECT_EQ(launched(kernel(Match::exact), 1000), (Used{32, 1, 32}));
}

TEST_F(OwnKernel, LooksUpWhenItPreparesAndKeepsWhatItFound) {
  const Kernel kernel = this->kernel();
  kernel.prepare({1000});
  publish(1000, "BLOCK=128 ITEMS=2");
  EXPECT_EQ(launched(kernel, 1000), (Used{64, 1, 16}));
  EXPECT_EQ(launched(kernel, 1001), (Used{128, 2, 4}));
}

TEST_F(OwnKernel, SaysWhatTheCompilerSaysOfTheDefault) {
  file_.change("BLOCK == 128 && defined(BROKEN)", "1");
  try {
    this->kernel().prepare({1000});
    FAIL() << "it compiled";
  } catch (const DeviceError& error) {
    EXPECT_THAT(error.what(), HasSubstr("blocks of 128 are broken"));
  }
}

TEST_F(OwnKernel, IsReadFromAFileThatIsThere) {
  EXPECT_THAT(why_refused([] { Kernel("/nonexistent/kernel.hip.cpp", {.device = "host"}); }),
              HasSubstr("/nonexistent/kernel.hip.cpp"));
  file_.write("// redtune: kernel\n");
  EXPECT_THAT(why_refused([&] { (void)kernel(); }), HasSubstr("scaled.hip.cpp:1:"));
}

TEST_F(OwnKernel, IsKnownOnceHoweverOftenItIsRead) {
  const Kernel first = kernel();
  const auto* family = &kernels::family_of(first.answer({1}).problem);
  const Kernel second = kernel();
  EXPECT_EQ(&kernels::family_of(second.answer({1}).problem), family);
}

TEST_F(OwnKernel, TakesNothingFromTheHeapInALaunchOfPreparedSizes) {
  Kernel kernel = this->kernel();
  std::vector<float> in(1000, 1.0F);
  std::vector<float> out(1000);
  std::vector<int> used(3);
  const auto launch = [&](int n) {
    kernel.launch({}, {{"n", n}}, out.data(), in.data(), n, 0.5F, used.data());
    kernel.launch({}, {n}, out.data(), in.data(), n, 0.5F, used.data());
  };
  for (int n = 1; n <= 100; ++n) kernel.prepare({n});
  launch(1);  // the host's lanes get their stacks
  for (int n = 1; n <= 100; ++n) EXPECT_EQ(allocations_of([&] { launch(n); }), 0) << n;
  EXPECT_GT(allocations_of([&] { launch(101); }), 0);
}

TEST_F(OwnKernel, IsLaunchedAndPreparedByManyThreadsAtATime) {
  publish(1000, "BLOCK=128 ITEMS=2");
  const Kernel kernel = this->kernel();
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      for (int turn = 0; turn < 100; ++turn) {
        const int n = 900 + (turn * 7 + thread) % 200;
        std::vector<float> in(static_cast<std::size_t>(n), 2.0F);
        std::vector<float> out(in.size());
        std::vector<int> used(3);
        kernel.launch({}, {n}, out.data(), in.data(), n, 0.5F, used.data());
        kernel.synchronize();
        if (out != std::vector<float>(in.size(), 1.0F) || used[0] != 128) ++wrong;
        if (kernel.answer({n}).problem.count != n) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(OwnKernel, MovesWithWhatItHasPrepared) {
  Kernel first = kernel();
  first.prepare({1000});
  Kernel second = std::move(first);
  EXPECT_EQ(launched(second, 1000), (Used{64, 1, 16}));
}

}  // namespace
}  // namespace redtune
