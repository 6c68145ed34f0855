// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune ladder from the outside: its table, its document, its chart, and what it refuses.
#include "kernel_templates/ladder/ladder.hpp"

#include <gtest/gtest.h>

#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

Words ladder(const Words& more) {
  Words words{"ladder", "--device", "host", "--count", "10000"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Whether every element that is opened is closed, in order: what an XML reader asks first.
bool is_well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = xml.find('<'); at != std::string::npos; at = xml.find('<', at + 1)) {
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = xml.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string::npos || count_of(tag, "\"") % 2 != 0) return false;
    if (tag.ends_with("/")) continue;
    if (!tag.starts_with("/")) {
      open.push_back(tag.substr(0, tag.find(' ')));
    } else if (open.empty() || open.back() != tag.substr(1)) {
      return false;
    } else {
      open.pop_back();
    }
  }
  return open.empty();
}

TEST(LadderCommand, ShowsEveryStepAndWhatTheTunedOneIs) {
  const Said said = Home().run(ladder({}));
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.out.starts_with("sum of 10000 f32 on ")) << said.out;
  for (const kernels::LadderStep& step : kernels::ladder_steps()) {
    EXPECT_TRUE(said.says("\n" + std::string(step.name) + " ")) << step.name << said.out;
  }
  EXPECT_TRUE(said.says("default: nothing tuned yet")) << said.out;
  EXPECT_TRUE(said.says("redtune tune --type f32 --count 10000")) << said.out;
  EXPECT_TRUE(said.says("2048 x 512")) << said.out;  // the sweep
  EXPECT_TRUE(said.says("compare_cub")) << said.out;
  EXPECT_FALSE(said.says("failed")) << said.out;
}

TEST(LadderCommand, FitsAScreen) {
  const Said said = Home().run(ladder({"--type", "f64"}));
  ASSERT_EQ(said.code, 0) << said.err;
  for (const std::string& line : lines_in(said.out)) EXPECT_LE(line.size(), 100U) << line;
}

TEST(LadderCommand, WritesADocumentOfNumbers) {
  const Said said = Home().run(ladder({"--json", "--type", "i32"}));
  ASSERT_EQ(said.code, 0) << said.err;
  const json document = said.document();
  EXPECT_EQ(document.at("problem").at("count"), 10000);
  EXPECT_EQ(document.at("problem").at("in"), "i32");
  EXPECT_GT(document.at("peak").at("gigabytes_per_second"), 0);
  const json& steps = document.at("steps");
  ASSERT_EQ(steps.size(), kernels::ladder_steps().size());
  const double first = steps[0].at("kernel_us").at("median");
  for (const json& step : steps) {
    EXPECT_FALSE(step.contains("failed")) << step.dump();
    const double us = step.at("kernel_us").at("median");
    EXPECT_GT(us, 0) << step.dump();
    EXPECT_GT(step.at("system_us").at("median"), 0) << step.dump();
    EXPECT_NEAR(step.at("kernel_speed_up"), first / us, 1e-6 * first / us) << step.dump();
    EXPECT_NEAR(step.at("gigabytes_per_second"), 40 / us, 1e-6 * 40 / us) << step.dump();
    EXPECT_GT(step.at("launches"), 0) << step.dump();
    EXPECT_GT(step.at("samples"), 0) << step.dump();
    if (step.at("step") == "grid_stride_tuned") {
      EXPECT_EQ(step.at("variants").size(), 8u);
    }
    if (step.at("step") == "tuned") {
      EXPECT_EQ(step.at("match"), "default");
      EXPECT_TRUE(step.at("settings").contains("block_size"));
    }
  }
}

TEST(LadderCommand, RunsOnlyTheNamedStepsInTheOrderOfTheClimb) {
  const Said said =
      Home().run(ladder({"--step", "vectorized", "--step", "tree_last_wave", "--json"}));
  ASSERT_EQ(said.code, 0) << said.err;
  const json steps = said.document().at("steps");
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].at("step"), "tree_last_wave");
  EXPECT_EQ(steps[0].at("kernel_speed_up"), 1);
  EXPECT_EQ(steps[1].at("step"), "vectorized");
}

TEST(LadderCommand, RunsOnWavesAndForEveryCount) {
  for (const char* count : {"0", "1", "300000"}) {
    const Said said =
        Home().run({"ladder", "--device", "host:wave32,random=3", "--count", count, "--step",
                    "wave_first", "--step", "block_atomic", "--step", "tuned", "--type", "f64"});
    EXPECT_EQ(said.code, 0) << count << said.err << said.out;
  }
}

TEST(LadderCommand, DrawsABarForEachStep) {
  const Home home;
  const auto file = home / "ladder.svg";
  const Said said = home.run(ladder({"--svg", file.string()}));
  ASSERT_EQ(said.code, 0) << said.err;
  const std::string svg = cache::testing::read_text(file);
  EXPECT_TRUE(svg.starts_with("<svg xmlns=")) << svg;
  EXPECT_TRUE(is_well_formed(svg)) << svg;
  EXPECT_EQ(count_of(svg, "<rect "), kernels::ladder_steps().size());
  for (const kernels::LadderStep& step : kernels::ladder_steps()) {
    EXPECT_NE(svg.find(">" + std::string(step.name)), std::string::npos) << step.name;
  }
  EXPECT_EQ(svg.find("nan"), std::string::npos) << svg;
}

TEST(LadderCommand, RefusesWhatCannotBeMeant) {
  const Home home;
  const auto expect_refused = [&](const Words& words, const std::string& hint) {
    const Said said = home.run(words);
    EXPECT_EQ(said.code, 2) << hint << said.err;
    EXPECT_EQ(count_of(said.err, "\n"), 1u) << said.err;
    EXPECT_NE(said.err.find(hint), std::string::npos) << said.err;
  };
  expect_refused(ladder({"--step", "vectorised"}), "did you mean 'vectorized'");
  expect_refused(ladder({"--type", "f33"}), "did you mean 'f32'");
  expect_refused(ladder({"--op", "max"}), "--op");
  expect_refused(ladder({"--svg", (home / "no/such/folder.svg").string()}), "--svg");
  expect_refused({"ladder", "--device", "host", "--count", "-1"}, "-1");
  expect_refused({"ladder", "--device", "host", "--count", "2^50"}, "GiB free");
  expect_refused({"ladder", "--device", "hots"}, "host");
}

}  // namespace
}  // namespace redtune::cli
