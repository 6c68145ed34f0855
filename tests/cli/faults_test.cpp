// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Faults 33, 36, 37 and 40: homes that are none, machines that changed, a clock that jumps.
#include <chrono>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>

#include "cache/files/paths.hpp"
#include "tests/cli/run_redtune.hpp"
#include "tests/cli/stranger.hpp"
#include "tests/runtime/published.hpp"
#include "tests/support/preload.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;

/// A search that cannot keep anything goes on in memory, gives its result, and says so at first and
/// at last.
void expect_in_memory(const Said& said, const std::string& reason) {
  EXPECT_EQ(said.code, 74) << said.err;
  EXPECT_EQ(said.document().at("trials"), 6);
  EXPECT_EQ(count_of(said.err, "results will not be kept"), 1U) << said.err;
  EXPECT_EQ(warnings_in(said.err), 1U) << said.err;
  EXPECT_EQ(count_of(said.err, reason), 2U) << said.err;
  EXPECT_EQ(count_of(said.err, "error: "), 1U) << said.err;
  const std::string last = "redtune: error: the result above was not stored: ";
  EXPECT_EQ(said.err.rfind("redtune: "), said.err.rfind(last)) << said.err;
}

TEST(Fault33, WithoutAHomeTuneWorksInMemoryAndSaysSo) {
  const Said said = Home().run(quick_tune({"--json"}), {"-uHOME", "-uXDG_DATA_HOME",
                                                        "-uXDG_STATE_HOME", "-uXDG_CACHE_HOME"});
  expect_in_memory(said, "neither XDG_DATA_HOME nor HOME is set");
}

TEST(Fault33, WithAReadOnlyHomeTuneWorksInMemoryAndSaysSo) {
  // Not even root can make a folder there. The logs have a place of their own.
  const Said said =
      Home().run(quick_tune({"--json"}), {"-uXDG_DATA_HOME", "HOME=/proc/self/fdinfo"});
  expect_in_memory(said, "/proc/self/fdinfo");
}

TEST(Fault33, AUserWithoutAPasswdEntryOrAHomeCanTuneInMemory) {
  const Stranger stranger;
  if (!stranger.why_not().empty()) GTEST_SKIP() << stranger.why_not();
  Words words = quick_tune({"--json"});
  words.insert(words.begin(),
               {"env", "-i", "-C/", stranger.preloading(), "PATH=/usr/local/bin:/usr/bin:/bin",
                "REDTUNE_MODULE_PATH=" REDTUNE_MODULES, REDTUNE_PROGRAM});
  expect_in_memory(run_command(stranger.command(words)), "neither XDG_DATA_HOME nor HOME is set");
}

/// What query says of a result that was tuned on the host before it changed.
json query_after(const std::function<void(DeviceIdentity&)>& before) {
  const Home home;
  DeviceIdentity old = identify_device("host");
  before(old);
  const Problem problem = make_problem(Op::sum, DType::f32, 1000);
  testing_runtime::publish_result(home / "data/redtune" / cache::store_name, problem, old,
                                  testing_runtime::unusual_settings());
  const Words words{"query", "--device", "host", "--count", "1000", "--explain"};
  Words as_json = words;
  as_json.emplace_back("--json");
  json document = home.run(as_json).document();
  document["text"] = home.run(words).out;
  return document;
}

/// The line of --explain that names a field.
bool names_field(const json& document, const std::string& name) {
  return document.at("text").get<std::string>().find("\ndiffers  " + name + ": asked ") !=
         std::string::npos;
}

TEST(Fault36, AnUpgradedDriverRuntimeOrCompilerIsADriftMatchThatNamesIt) {
  const auto untouched = query_after([](DeviceIdentity&) {});
  EXPECT_EQ(untouched.at("match"), "exact");
  const std::vector<std::pair<std::string, std::string Toolchain::*>> parts{
      {"driver", &Toolchain::driver},
      {"runtime", &Toolchain::runtime},
      {"compiler", &Toolchain::compiler}};
  for (const auto& [name, part] : parts) {
    const auto answer =
        query_after([&](DeviceIdentity& device) { device.toolchain.*part = "of last year"; });
    EXPECT_EQ(answer.at("match"), "drift") << name;
    EXPECT_EQ(answer.at("settings"), untouched.at("settings")) << "the config is still right";
    EXPECT_TRUE(names_field(answer, name)) << answer.at("text");
    EXPECT_EQ(answer.at("differences").size(), 1U);
  }
}

TEST(Fault37, AnotherPartitionOrNumberOfComputeUnitsIsAMissThatNamesTheField) {
  const auto partitioned =
      query_after([](DeviceIdentity& device) { device.device_class.partition = "CPX"; });
  const auto fewer =
      query_after([](DeviceIdentity& device) { device.device_class.compute_units += 1; });
  EXPECT_EQ(partitioned.at("match"), "default");
  EXPECT_TRUE(names_field(partitioned, "partition")) << partitioned.at("text");
  EXPECT_EQ(fewer.at("match"), "default");
  EXPECT_TRUE(names_field(fewer, "compute_units")) << fewer.at("text");
}

TEST(Fault40, AWallClockThatJumpsAnHourMovesNoDeadline) {
  for (const char* seconds : {"3600", "-3600"}) {
    const Home home;
    const auto seen = home / "jumped";
    const auto begin = std::chrono::steady_clock::now();
    const Said said = home.run(
        quick_tune({"--json", "--budget", "6,90s"}),
        {checks::preloading(REDTUNE_JUMPING_CLOCK), "ASAN_OPTIONS=verify_asan_link_order=0",
         fmt::format("REDTUNE_CLOCK_JUMP_S={}", seconds), "REDTUNE_CLOCK_AFTER_MS=400",
         "REDTUNE_CLOCK_REPORT=" + seen.string()});
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_EQ(said.document().at("trials"), 6) << "the budget ended with the jump";
    EXPECT_EQ(warnings_in(said.err), 0U) << said.err;
    EXPECT_LT(took.count(), 90) << "something waited for the clock";
    EXPECT_TRUE(exists(seen)) << "nothing jumped";
    EXPECT_EQ(home.run({"log", "--json"}).document().at("runs")[0].at("state"), "done");
  }
}

}  // namespace
}  // namespace redtune::cli
