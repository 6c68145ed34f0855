// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The header of configs: it says what the planner says, and its example builds and runs without the
// library.
#include <gtest/gtest.h>

#include "cli/report/config_header.hpp"
#include "device/host/subprocess.hpp"
#include "runtime/resolve.hpp"
#include "tests/cli/made_store.hpp"

namespace redtune::cli {
namespace {

using device::host::Finished;
using device::host::run_program;

Finished run(const Words& words) {
  return run_program(words, {.deadline = std::chrono::minutes(5)});
}

/// A result of a config as another machine might have published it.
cache::StoredBest result_of(const cache::RunStart& start, const Settings& settings) {
  cache::StoredBest result = cache::testing::sample_entry();
  result.question = question_of(start);
  result.best.settings = settings;
  return result;
}

std::vector<std::int64_t> telling_counts(std::int64_t tile) {
  return {0, 1, tile, tile + 1, 1'000'003, (std::int64_t{1} << 33) + 1};
}

TEST(ConfigHeader, LaunchesAsThePlannerDoes) {
  const StoreHome home;
  const cache::RunStart start = made_start();
  const Limits limits = runtime::limits_of(start.device);
  const search::Space space = made_family().space(start.problem, limits);
  const auto points = space.points();
  std::string program = "#include \"header.hpp\"\n#include <cstdint>\n";
  std::string checks;
  for (std::size_t i = 0; i < points.size(); i += points.size() / 40) {
    const Settings settings = made_family().settings_at(points[i]);
    const auto planner = made_family().planner(settings, start.problem, limits);
    const auto header = header_text(std::vector{result_of(start, settings)});
    // Each header with a name of its own.
    std::string text = header.substr(header.find("namespace tuned_reductions"));
    text.replace(text.find("tuned_reductions"), 16, fmt::format("header_{}", i));
    program += text;
    for (const std::int64_t count : telling_counts(planner->rules().value().grid.tile)) {
      const auto plan = planner->plan({.count = count});
      checks += fmt::format(
          "static_assert(header_{0}::sum_f32::for_count({1}).launch_for({1}, {2}).grid == {3});\n"
          "static_assert(header_{0}::sum_f32::for_count({1}).launch_for({1}, {2}).run == {4});\n",
          i, count, limits.compute_units, plan.value_of("partial_count"), plan.value_of("run"));
    }
  }
  program.erase(0, program.find('\n') + 1);
  cache::testing::write_text(home / "check.cpp", program + checks);
  const Finished compiled = run(
      {"c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", home / "check.cpp"});
  EXPECT_TRUE(compiled.succeeded()) << compiled.errors.substr(0, 3000);
}

TEST(ConfigHeader, AnswersWithTheNearestCount) {
  const StoreHome home;
  std::vector<cache::StoredBest> results;
  for (const std::int64_t count : {0, 100, 10'000}) {
    results.push_back(result_of(made_start(count), made_settings(made_start(count))));
  }
  std::string program = header_text(results);
  program += R"(
using tuned_reductions::sum_f32;
static_assert(sum_f32::for_count(0).count == 0);
static_assert(sum_f32::for_count(100).count == 100);
static_assert(sum_f32::for_count(900).count == 100);
static_assert(sum_f32::for_count(1100).count == 10000);
static_assert(sum_f32::for_count(INT64_MAX).count == 10000);
)";
  cache::testing::write_text(home / "check.cpp", program);
  const Finished compiled = run({"c++", "-std=c++17", "-fsyntax-only", home / "check.cpp"});
  EXPECT_TRUE(compiled.succeeded()) << compiled.errors;
}

TEST(ConfigHeader, TakesTheNewerOfTwoAndLeavesOutCustomOperators) {
  cache::StoredBest old = result_of(made_start(), made_settings(made_start(), "64"));
  cache::StoredBest young = result_of(made_start(), made_settings(made_start(), "128"));
  young.generation = 2;
  young.question.toolchain.driver = "newer";
  cache::RunStart custom = made_start();
  custom.problem.op = Op::custom;
  custom.problem.custom = {"twice\nint x;", "struct custom {};"};
  const std::string text =
      header_text(std::vector{young, old, result_of(custom, made_settings(made_start()))});
  EXPECT_NE(text.find("block_size=128"), std::string::npos);
  EXPECT_EQ(text.find("block_size=64"), std::string::npos);
  EXPECT_NE(text.find("// Left out: twice?int x;"), std::string::npos) << text.substr(0, 500);
}

TEST(ExportHeaderExample, ReducesWithoutTheLibrary) {
  const Home home;
  ASSERT_EQ(home.run({"tune", "--device", "host:wave32", "--count", "1000000", "--budget", "3",
                      "--force-noisy"})
                .code,
            0);
  const std::string store = (home / "data/redtune" / std::string(cache::store_name)).string();
  const std::string build = (home / "build").string();
  const Finished configured =
      run({REDTUNE_CMAKE, "-S", REDTUNE_SOURCE_DIR "/examples/export_header", "-B", build,
           "-DREDTUNE=" REDTUNE_PROGRAM, "-DRESULTS=" + store});
  ASSERT_TRUE(configured.succeeded()) << configured.output << configured.errors;
  const Finished built = run({REDTUNE_CMAKE, "--build", build});
  ASSERT_TRUE(built.succeeded()) << built.output << built.errors;
  const Finished said = run({build + "/sum"});
  EXPECT_TRUE(said.succeeded()) << said.errors;
  EXPECT_NE(said.output.find("sum: 1.5e+06"), std::string::npos) << said.output;
}

}  // namespace
}  // namespace redtune::cli
