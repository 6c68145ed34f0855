// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the library promises about threads, for the thread sanitizer (preset tsan). It knows nothing
// of fibers: on the host, configs with one lane a block need none.
#include <atomic>
#include <gtest/gtest.h>
#include <thread>

#include "redtune/kernel.hpp"
#include "tests/runtime/null_gpu.hpp"

namespace redtune {
namespace {

using testing_runtime::NullGpu;
using testing_runtime::ResultsFile;

constexpr int thread_count = 8;

template <class Action>
void in_threads(const Action& action) {
  std::vector<std::thread> threads;
  for (int i = 0; i < thread_count; ++i) threads.emplace_back(action, i);
  for (std::thread& thread : threads) thread.join();
}

TEST(Threads, ShareAReducerWithAWorkspaceEach) {
  NullGpu gpu;
  for (const std::int64_t count : {1 << 10, 1 << 16, 1 << 20, 1 << 24}) gpu.publish(count, "128");
  const Reducer reducer = gpu.reducer();
  constexpr int launches = 500;
  in_threads([&](int thread) {
    Workspace workspace = reducer.make_workspace();
    float value = 0;
    for (std::int64_t i = 0; i < launches; ++i) {
      reducer.launch(&value, (std::int64_t{1} << (i % 30)) + thread, &value, workspace);
      reducer.synchronize();
      if (i % 100 == 0) (void)reducer.hits(Match::near);
      if (i % 100 == 0) (void)reducer.answer(i).settings.size();
    }
  });
  std::uint64_t total = 0;
  for (const Match match :
       {Match::exact, Match::drift, Match::sibling, Match::near, Match::fallback}) {
    total += reducer.hits(match);
  }
  EXPECT_EQ(total, static_cast<std::uint64_t>(thread_count * launches));
}

TEST(Threads, MakeReducersAtTheSameTime) {
  NullGpu gpu;
  gpu.publish(1 << 20, "128");
  std::atomic<int> right = 0;
  in_threads([&](int thread) {
    const Reducer reducer = gpu.reducer(thread % 2 == 0);
    if (value_of(reducer.answer().settings, "block_size") == "128") ++right;
  });
  EXPECT_EQ(right, thread_count);
}

/// Of sizes that each of them prepares, and that another one has prepared or is about to.
TEST(Threads, ShareAKernelWhoseSizesTheyPrepare) {
  const NullGpu gpu;
  const cache::testing::ScratchFolder folder;
  const std::string file = (folder / "touch.hip.cpp").string();
  cache::testing::write_text(
      file,
      "// redtune: kernel touch<BLOCK>\n"
      "// redtune: tune BLOCK = 64, 128 default 64\n"
      "// redtune: size n = 1000\n"
      "// redtune: launch block = BLOCK grid = ceil(n / BLOCK)\n"
      "// redtune: arg int out[n] out\n"
      "template <int BLOCK> __global__ void touch(int* out) { *out = 1; }\n");
  const Kernel kernel(file, {.device = "cuda:0", .lookup = gpu.results.options()});
  std::atomic<int> wrong = 0;
  in_threads([&](int thread) {
    const Kernel own(file, {.device = "cuda:0", .lookup = gpu.results.options()});
    int value = 0;
    for (int i = 0; i < 300; ++i) {
      const int n = 1 + i + thread % 3;
      kernel.launch({}, {{"n", n}}, &value);
      if (kernel.answer({n}).problem.count != n) ++wrong;
      if (kernel.elements({n}, "out") != n) ++wrong;
      if (i % 100 == 0) own.launch({}, {n}, &value);
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, LookUpAtTheSameTimeAsSomebodyPublishes) {
  NullGpu gpu;
  gpu.publish(1 << 20, "128");
  const DeviceIdentity device = identify_device("cuda:0");
  std::atomic<int> wrong = 0;
  std::thread publisher([&] {
    for (const char* block : {"64", "128", "256"}) gpu.publish(1 << 20, block);
  });
  in_threads([&](int) {
    for (int i = 0; i < 20; ++i) {
      if (find_best(NullGpu::problem(), device, gpu.results.options()).match != Match::exact) {
        ++wrong;
      }
    }
  });
  publisher.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, ReduceRightOnTheHost) {
  const NullGpu home;
  ResultsFile results;
  const Problem problem = make_problem(Op::sum, DType::f32, 10'000);
  results.publish(problem, identify_device("host"),
                  parse_settings("finish=last_block block_size=1 items_per_thread=16 "
                                 "vector_width=4 blocks_per_unit=2 tile_order=strided "
                                 "load=cached fence=full cluster_size=1 early_start=off "
                                 "slot_stride=8 slot_reader=wave slot_wait=all exact_tiles=off"));
  const Reducer reducer(problem, {.device = "host", .lookup = results.options()});
  const std::vector<float> ones(12'000, 1.0F);
  std::atomic<int> wrong = 0;
  in_threads([&](int thread) {
    Workspace workspace = reducer.make_workspace();
    for (std::int64_t count = 9000 + thread; count < 12'000; count += 97) {
      float out = 0;
      reducer.launch(ones.data(), count, &out, workspace);
      reducer.synchronize();
      if (out != static_cast<float>(count)) ++wrong;
    }
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace redtune
