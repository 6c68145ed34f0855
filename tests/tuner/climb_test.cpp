// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A step that is wrong, or cannot run, has a row that says so, and the others go on.
#include "tuner/ladder/climb.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cli/report/ladder_report.hpp"
#include "device/host/host_platform.hpp"
#include "tests/cache/samples.hpp"

namespace redtune::tuner {
namespace {

using kernels::LadderStep;

class Climb : public testing::Test {
 protected:
  [[nodiscard]] LadderResult climbed(const std::vector<const LadderStep*>& steps, DType in,
                                     std::int64_t count) {
    const LadderSite site{platform_.get(), device_.get(), make_problem(Op::sum, in, count), {}};
    return climb({site, steps, (folder_ / "none.db").string()}, {});
  }

  cache::testing::ScratchFolder folder_;
  std::unique_ptr<device::Platform> platform_ = device::host::make_host_platform();
  std::unique_ptr<device::Device> device_ = platform_->open(0, "wave32");
};

/// Says that a thread takes two elements, while the kernel takes one.
const LadderStep forgetful{.name = "forgetful",
                           .idea = "leaves out half of the input",
                           .sources = "-",
                           .items = 2,
                           .arguments = "{in}, {acc}, {block}",
                           .variants = {{.block_size = 256}},
                           .kernel = "tree_conflict_free"};

/// Asks for more threads than a block has.
const LadderStep greedy{.name = "greedy",
                        .idea = "cannot be launched",
                        .sources = "-",
                        .arguments = "{in}, {acc}, {block}",
                        .variants = {{.block_size = 2048}, {.block_size = 256}},
                        .kernel = "tree_conflict_free"};

TEST_F(Climb, TellsOfAWrongSumAndGoesOn) {
  const LadderStep& right = kernels::find_ladder_step("multi_kernel");
  for (const DType in : {DType::f32, DType::u16}) {
    const LadderResult result = climbed({&forgetful, &right}, in, 5000);
    ASSERT_EQ(result.rows.size(), 2u);
    EXPECT_EQ(result.rows[0].best(), nullptr);
    EXPECT_TRUE(result.rows[0].attempts[0].failure.starts_with("wrong result: expected "))
        << result.rows[0].attempts[0].failure;
    ASSERT_NE(result.rows[1].best(), nullptr);
    EXPECT_GT(result.rows[1].best()->times.kernel_us.median, 0);

    const std::string text = cli::text_of(result, device_->identity());
    EXPECT_NE(text.find("failed  forgetful : wrong result"), std::string::npos) << text;
    const Json steps = cli::json_of(result, device_->identity()).at("steps");
    EXPECT_TRUE(steps[0].contains("failed"));
    EXPECT_EQ(steps[1].at("kernel_speed_up"), 1);  // the first that ran
  }
}

TEST_F(Climb, KeepsTheVariantsThatRun) {
  const LadderResult result = climbed({&greedy}, DType::f32, 5000);
  ASSERT_EQ(result.rows[0].attempts.size(), 2u);
  EXPECT_FALSE(result.rows[0].attempts[0].failure.empty());
  EXPECT_EQ(result.rows[0].best(), &result.rows[0].attempts[1]);
}

TEST_F(Climb, ReadsLargeInputsColdAndSmallOnesWarm) {
  EXPECT_EQ(ladder_cache_mode(make_problem(Op::sum, DType::f32, 1000)), CacheMode::warm);
  EXPECT_EQ(ladder_cache_mode(make_problem(Op::sum, DType::f32, 1 << 28)), CacheMode::cold);
}

}  // namespace
}  // namespace redtune::tuner
