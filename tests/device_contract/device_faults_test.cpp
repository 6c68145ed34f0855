// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Kernels that ruin a real device, in a worker process of this program's own: each costs one trial,
// and the device is measured on afterwards. With no other word it is a test program; as a worker it
// is called with the words of one.
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "device/host/child.hpp"
#include "runtime/resolve.hpp"
#include "tests/tuner/broken_family.hpp"
#include "tuner/compile/compile_pool.hpp"
#include "tuner/session/bench_evaluator.hpp"
#include "tuner/session/device_site.hpp"
#include "tuner/worker/serve_device.hpp"

namespace redtune::tuner {
namespace {

/// They take the arguments of redtune::reduce for sums of floats.
constexpr const char* ruinous_kernels = R"(
namespace redtune {
REDTUNE_KERNEL(64) never_ends(const float*, i64 count, float* out, float*, u32* counter, i64) {
  volatile u32* const waits = counter;
  while (*waits != 12345) {}
  out[0] = float(count);
}
REDTUNE_KERNEL(128) writes_anywhere(const float*, i64, float* out, float*, u32*, i64) {
  out[i64(1) << 40] = 1;
}
REDTUNE_KERNEL(512) writes_beside(const float*, i64, float* out, float*, u32*, i64) {
  out[1] = 1;
}
}
)";

/// Configs of one block and these sizes are those kernels; all others are as they are.
const kernels::Family& ruinous_family() {
  static const BrokenFamily family(
      [](const Settings& settings) -> std::string {
        if (value_of(settings, "finish") != "single_block") return {};
        const std::string size = value_of(settings, "block_size");
        if (size == "64") return "never_ends";
        if (size == "128") return "writes_anywhere";
        if (size == "512") return "writes_beside";
        return {};
      },
      ruinous_kernels, BrokenFamily::Text::alone);
  return family;
}

std::string program() {
  std::string path(4096, '\0');
  path.resize(static_cast<std::size_t>(
      std::max<ssize_t>(0, readlink("/proc/self/exe", path.data(), path.size()))));
  return path;
}

/// The device that is tested on, as in the contract; empty: there is none.
std::string device_name() {
  const char* named = std::getenv("REDTUNE_TEST_DEVICE");
  if (named != nullptr) return named;
  const device::Selection selection = runtime::registry().select("auto");
  return selection.platform->name() == "host" ? "" : selection.text();
}

class DeviceFaults : public testing::Test {
 protected:
  void SetUp() override {
    // A process of its own asks: a driver must not be touched by one that starts workers.
    if (device_name().empty()) GTEST_SKIP() << "no GPU to test on";
  }

  /// What becomes of the config of one block of this size, and of a right one after it.
  Evaluation evaluate(const std::string& block_size) {
    DeviceSite site({.words = {program(), "device-worker"}, .device = device_name()}, {});
    const FoundDevice& device = site.device();
    const Problem problem = make_problem(Op::sum, DType::f32, 1 << 20);
    const kernels::Family& family = ruinous_family();
    const CompilePool compiler(
        {.platform = device.platform, .arch = device.arch, .text = family.device_text(problem)},
        {program(), "compile-worker"}, 4);
    BenchEvaluator evaluator({.family = &family,
                              .problem = problem,
                              .limits = device.limits,
                              .task = {.bytes = 4 << 20, .seed = 1, .accept_noise = true}},
                             compiler, [&] {
                               return site.open({"ruinous", problem, 1});
                             });
    const auto point = [&](const std::string& text) {
      return family.point_of(parse_settings(text));
    };
    const std::vector points{
        family.point_of(family.default_settings(problem, device.limits)),
        point("finish=single_block blocks_per_unit=0 block_size=" + block_size),
        point("finish=last_block block_size=256 items_per_thread=8 vector_width=4")};
    const auto evaluations = evaluator.evaluate(points);
    EXPECT_EQ(evaluations.size(), 3U);
    EXPECT_EQ(status_of(evaluations[0].outcome), "ok") << detail_of(evaluations[0].outcome);
    EXPECT_TRUE(cost_of(evaluations[2].outcome)) << detail_of(evaluations[2].outcome);
    fmt::print("  {} in {:.1f} s: {}\n", status_of(evaluations[1].outcome),
               evaluations[1].wall_ms / 1e3, detail_of(evaluations[1].outcome));
    return evaluations[1];
  }
};

TEST_F(DeviceFaults, AKernelThatNeverEndsIsKilledAndCostsOneTrial) {
  EXPECT_EQ(status_of(evaluate("64").outcome), "timed_out");
}

TEST_F(DeviceFaults, AKernelThatWritesAnywhereCostsOneTrial) {
  EXPECT_EQ(status_of(evaluate("128").outcome), "crashed");
}

TEST_F(DeviceFaults, AKernelThatWritesBesideItsOutputIsWrong) {
  EXPECT_EQ(status_of(evaluate("512").outcome), "wrong_result");
}

int serve() {
  device::host::die_with_parent();
  const int answers = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  DeviceService service{.registry = &runtime::registry(),
                        .compile_worker = {program(), "compile-worker"}};
  service.find_family = [](std::string_view) -> const kernels::Family& { return ruinous_family(); };
  return serve_device(service, STDIN_FILENO, answers);
}

}  // namespace
}  // namespace redtune::tuner

int main(int argc, char** argv) {
  using namespace redtune;
  if (argc > 1 && std::strcmp(argv[1], "device-worker") == 0) return tuner::serve();
  if (argc > 2 && std::strcmp(argv[1], "compile-worker") == 0) {
    return tuner::serve_compile_requests(runtime::registry().platform(argv[2]).compiler());
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
