// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What descriptions come to with numbers: spaces, launches, extents.
#include "kernel_templates/description/kernel_plan.hpp"

#include <gtest/gtest.h>

#include "tests/descriptions/described.hpp"

namespace redtune::kernels {
namespace {

using testing::row_sum_comments;
using testing::row_sum_with;
using testing::why_refused;

Limits limits_of_waves(int wave) {
  Limits limits;
  limits.wave_size = wave;
  limits.compute_units = 10;
  return limits;
}

KernelDescription read(std::string_view text) {
  return description_in_comments(text, "k.cpp");
}

TEST(KernelPlans, HaveNumbersInThePlaceOfNames) {
  const KernelDescription all = read(
      row_sum_with("block = BLOCK grid = ceil(n / BLOCK)",
                   "block = BLOCK, 2 grid = ceil(n / BLOCK), UNITS shared = ELEMENT_in * BLOCK"));
  const KernelPlan plan = plan_kernel(all, default_config(all), {1000}, limits_of_waves(32));
  ASSERT_EQ(plan.launches.size(), 1U);
  const PlannedLaunch& launch = plan.launches[0];
  EXPECT_EQ(launch.kernel, "row_sum<float, 128>");
  EXPECT_EQ(launch.block, (std::array<std::int64_t, 3>{128, 2, 1}));
  EXPECT_EQ(launch.grid, (std::array<std::int64_t, 3>{8, 10, 1}));
  EXPECT_EQ(launch.shared_bytes, 512);
  EXPECT_EQ(plan.amounts, (std::vector<std::int64_t>{1000, 1000, 1000}));
  EXPECT_EQ(plan.traffic, 8000.0);
}

TEST(KernelPlans, TellSettingsAndProblems) {
  const KernelDescription all =
      read(row_sum_with("size    n = 1000", "size    n = 1000, 2000\n// redtune: size m = 1..3"));
  EXPECT_EQ(to_string(settings_of(all, default_config(all))), "BLOCK=128");
  EXPECT_EQ(combinations_of(all), 3);
  const std::vector<SizeValues> problems = problems_of(all);
  ASSERT_EQ(problems.size(), 6U);
  EXPECT_EQ(problems[0], (SizeValues{1000, 1}));
  EXPECT_EQ(problems[1], (SizeValues{1000, 2}));
  EXPECT_EQ(problems[5], (SizeValues{2000, 3}));
}

TEST(KernelSpaces, HoldWhatMeetsAllRequirements) {
  const KernelDescription all = read(row_sum_with(
      "require BLOCK % WAVE == 0",
      "tune ITEMS = 1..8\n// redtune: tune MODE = 0, 1\n// redtune: require BLOCK % WAVE == 0\n"
      "// redtune: require BLOCK * ITEMS <= 512 or MODE == 1 and ITEMS == 8\n"
      "// redtune: require n > 10"));
  const Limits limits = limits_of_waves(128);
  const search::Space space = space_of(all, {1000}, limits);
  std::size_t expected = 0;
  for (const int block : {64, 128, 256}) {
    for (int items = 1; items <= 8; ++items) {
      for (const int mode : {0, 1}) {
        const bool is_valid =
            block % 128 == 0 && (block * items <= 512 || (mode == 1 && items == 8));
        const search::Point config{block == 64    ? 0U
                                   : block == 128 ? 1U
                                                  : 2U,
                                   static_cast<std::size_t>(items - 1), mode == 1 ? 1U : 0U};
        EXPECT_EQ(space.contains(config), is_valid) << block << ' ' << items << ' ' << mode;
        EXPECT_EQ(why_invalid(all, config, {1000}, limits).empty(), is_valid);
        expected += is_valid ? 1 : 0;
      }
    }
  }
  EXPECT_EQ(space.size(), expected);
  EXPECT_EQ(space_of(all, {10}, limits).size(), 0U);  // a requirement of the size alone
}

TEST(KernelSpaces, HoldNoLaunchThatDevicesDoNotTake) {
  const Limits limits = limits_of_waves(32);
  const auto why = [&](std::string_view launch) {
    const KernelDescription all =
        read(row_sum_with("block = BLOCK grid = ceil(n / BLOCK)", launch));
    const std::string reason = why_invalid(all, default_config(all), {1000}, limits);
    EXPECT_EQ(space_of(all, {1000}, limits).contains(default_config(all)), reason.empty());
    return reason;
  };
  EXPECT_EQ(why("block = BLOCK * 8 grid = 1"), "");
  EXPECT_EQ(why("block = BLOCK * 9 grid = 1"),
            "1152 threads are no block; the device takes 1 to 1024");
  EXPECT_EQ(why("block = BLOCK, 9 grid = 1"),
            "128 x 9 threads are no block; the device takes 1 to 1024");
  EXPECT_EQ(why("block = 0 grid = 1"), "0 threads are no block; the device takes 1 to 1024");
  EXPECT_EQ(why("block = 64 grid = n - 1000"),
            "0 blocks are no grid; the device takes 1 to 2147483647, and 65535 along y and z");
  EXPECT_EQ(
      why("block = 64 grid = 1, 65536"),
      "1 x 65536 blocks are no grid; the device takes 1 to 2147483647, and 65535 along y and z");
  EXPECT_EQ(why("block = 64 grid = 1 shared = SHARED_MAX"), "");
  EXPECT_EQ(why("block = 64 grid = 1 shared = SHARED_MAX + 1"),
            "49153 bytes of shared memory are not there; a block of the device has 0 to 49152");
}

TEST(KernelSpaces, WithoutTunablesHaveOneConfig) {
  std::string text = row_sum_with("// redtune: tune    BLOCK = 64, 128, 256 default 128\n", "");
  for (auto at = text.find("BLOCK"); at != std::string::npos; at = text.find("BLOCK")) {
    text.replace(at, 5, "64");
  }
  const KernelDescription all = read(text);
  EXPECT_EQ(space_of(all, {1000}, limits_of_waves(32)).size(), 1U);
  EXPECT_EQ(space_of(all, {1000}, limits_of_waves(128)).size(), 0U);
}

TEST(KernelPlans, TellThePlaceOfWhatCannotBeCalculated) {
  const auto why = [](std::string_view piece, std::string_view other) {
    return why_refused([&] {
      const KernelDescription all = read(row_sum_with(piece, other));
      return plan_kernel(all, default_config(all), {1000}, limits_of_waves(32));
    });
  };
  EXPECT_EQ(why("ceil(n / BLOCK)", "n / (BLOCK - 128)"), "k.cpp:5:44: this divides by zero");
  EXPECT_EQ(why("ceil(n / BLOCK)", "n / BLOCK"),
            "k.cpp:5:42: n / BLOCK is 125/16, which is no whole number; write '//' or ceil()");
  EXPECT_EQ(why("float out[n]", "float out[n - 1001]"),
            "k.cpp:6:31: out has -1 elements, which is no extent");
  EXPECT_EQ(why("grid = ceil(n / BLOCK)", "\n// redtune: +  grid = 1 // 0"),
            "k.cpp:6:25: this divides by zero");
}

TEST(KernelMacros, AreTunablesThatNoKernelHasAsAnArgument) {
  const KernelDescription all = read(row_sum_with(
      "tune    BLOCK",
      "tune    T = float, double\n// redtune: tune    ITEMS = 4\n// redtune: tune    BLOCK"));
  EXPECT_EQ(macros_of(all, default_config(all)), "#define T float\n#define ITEMS 4\n");
}

}  // namespace
}  // namespace redtune::kernels
