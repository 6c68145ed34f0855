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

/// A result of a user's kernel, as another machine might have published it.
cache::StoredBest result_of_kernel(const char* name, std::array<std::int64_t, 3> extents,
                                   const char* settings) {
  cache::RunStart start = made_start(extents[0]);
  start.family = "row_sum@0123456789abcdef";
  start.problem.op = Op::kernel;
  start.problem.outer = extents[1];
  start.problem.inner = extents[2];
  start.problem.custom = {name, "0123456789abcdef"};
  return result_of(start, parse_settings(settings));
}

TEST(ConfigHeader, HasKernelsOfUsersAsConstants) {
  const StoreHome home;
  cache::StoredBest older =
      result_of_kernel("row_sum(n, rows)", {1000, 64, 1}, "BLOCK=512 KIND=fast");
  cache::StoredBest warm =
      result_of_kernel("row_sum(n, rows)", {1000, 64, 1}, "BLOCK=32 KIND=fast");
  older.generation = 1;
  warm.question.problem.cache_mode = CacheMode::warm;
  std::vector<cache::StoredBest> results{
      older,
      warm,
      result_of_kernel("row_sum(n, rows)", {1000, 64, 1}, "BLOCK=128 KIND=fast"),
      result_of_kernel("row_sum(n, rows)", {1'000'000, 64, 1}, "BLOCK=256 KIND=\"slow\""),
      result_of_kernel("ns::blur(x, y, z, taps=5)", {7, 8, 9}, "TILED=true"),
      result_of_kernel("nothing()", {1, 1, 1}, "A=010 B=-4 C=0.5")};
  for (std::size_t i = 1; i < results.size(); ++i) {
    results[i].generation = static_cast<std::int64_t>(i) + 1;
  }
  const std::string header = header_text(results);
  EXPECT_EQ(header.find("tuned_reductions"), std::string::npos);
  EXPECT_EQ(header.find("// Fastest kernels for "), 0U);
  const std::string program = header + R"(
using namespace tuned_kernels;
static_assert(row_sum::for_sizes(1000, 64).BLOCK == 128);
static_assert(row_sum::for_sizes(900, 60).n == 1000);
static_assert(row_sum::for_sizes(40000, 64).BLOCK == 256);
static_assert(row_sum::for_sizes(30000, 64).BLOCK == 128);
static_assert(row_sum::for_sizes(1000000, 64).KIND[1] == 's');
static_assert(row_sum_warm::for_sizes(1, 1).BLOCK == 32);
static_assert(ns__blur::for_sizes(7, 8, 9, 5).TILED);
static_assert(ns__blur::configs[0].taps == 5 && ns__blur::configs[0].z == 9);
static_assert(nothing::for_sizes().B == -4 && nothing::for_sizes().A[0] == '0');
static_assert(sizeof(row_sum::configs) == 2 * sizeof(row_sum::config));
)";
  cache::testing::write_text(home / "check.cpp", program.substr(program.find('\n')));
  std::string once = home / "check.cpp";
  const Finished compiled = run({"c++", "-std=c++17", "-Wall", "-Wextra",
                                 "-Wno-pragma-once-outside-header", "-fsyntax-only", once});
  EXPECT_TRUE(compiled.succeeded()) << compiled.errors.substr(0, 3000);
}

TEST(ConfigHeader, HasReductionsAndKernelsOfOneStore) {
  const std::string header =
      header_text(std::vector{result_of_kernel("row_sum(n)", {1000, 1, 1}, "BLOCK=128"),
                              result_of(made_start(), made_settings(made_start()))});
  EXPECT_LT(header.find("namespace tuned_reductions"), header.find("namespace tuned_kernels"));
  EXPECT_NE(header.find("struct sum_f32"), std::string::npos);
  EXPECT_NE(header.find("struct row_sum"), std::string::npos);
}

TEST(ConfigHeader, LeavesOutKernelsOfOlderTextsAndThoseWithNamesThatCannotBe) {
  cache::StoredBest older = result_of_kernel("row_sum(n)", {1000, 1, 1}, "BLOCK=64");
  older.question.family = "row_sum@of_before";
  cache::StoredBest young = result_of_kernel("row_sum(n)", {2000, 1, 1}, "BLOCK=128");
  young.generation = older.generation + 1;
  const std::string header = header_text(std::vector{
      older, young, result_of_kernel("a(n;\nint x, m)", {1, 1, 1}, "BLOCK=1"),
      result_of_kernel("b(n)", {1, 1, 1}, "n=1"), result_of_kernel("c(configs)", {1, 1, 1}, "A=1"),
      result_of_kernel("d(n)", {1, 1, 1}, "A{};int=1")});
  EXPECT_EQ(header.find("{1000, "), std::string::npos);
  EXPECT_NE(header.find("{2000, 128, \"BLOCK=128\"}"), std::string::npos) << header;
  EXPECT_NE(header.find("of an older text, row_sum@of_before\n"), std::string::npos) << header;
  EXPECT_EQ(header.find("\nint x"), std::string::npos);
  for (const char* name :
       {"// Left out: a ", "// Left out: b ", "// Left out: c ", "// Left out: d "}) {
    EXPECT_NE(header.find(name), std::string::npos) << name;
  }
}

TEST(ExportHeaderExample, HasAKernelThatWasTuned) {
  const Home home;
  const std::string kernel = REDTUNE_SOURCE_DIR "/examples/own_kernels/tree_sum.hip.cpp";
  const Said tuned = home.run({"tune", kernel, "--size", "n=5000", "--device", "host:wave32",
                               "--budget", "3", "--force-noisy"});
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  const std::string header = (home / "header.hpp").string();
  const Said said = home.run({"cache", "export", "--format", "c++", "--out", header});
  ASSERT_EQ(said.code, 0) << said.err;
  const std::string program = (home / "main.cpp").string();
  cache::testing::write_text(program,
                             "#include \"header.hpp\"\n"
                             "static_assert(tuned_kernels::tree_sum::for_sizes(5000).n == 5000);\n"
                             "static_assert(tuned_kernels::tree_sum::for_sizes(1).BLOCK >= 64);\n");
  const Finished compiled = run({"c++", "-std=c++17", "-fsyntax-only", program});
  EXPECT_TRUE(compiled.succeeded()) << compiled.errors;
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
