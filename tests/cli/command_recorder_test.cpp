// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is kept of commands whose drivers crash, complain and hang; a script stands in for redtune.
#include <chrono>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "cli/doctor/bundle.hpp"
#include "tests/cache/samples.hpp"

namespace redtune::cli {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

class Recorder : public ::testing::Test {
 protected:
  Recorder() {
    cache::testing::write_text(program_,
                               "#!/bin/sh\n"
                               "case $1 in\n"
                               "  crash) echo half; echo no ring >&2; kill -ABRT $$ ;;\n"
                               "  complain) echo all; echo old firmware >&2 ;;\n"
                               "  hang) exec sleep 600 ;;\n"
                               "  *) echo \"$@\" ;;\n"
                               "esac\n");
    std::filesystem::permissions(program_, std::filesystem::perms::owner_all);
  }
  [[nodiscard]] CommandRecorder recorder(std::chrono::milliseconds most_time = 10min) const {
    return {program_.string(), most_time};
  }
  [[nodiscard]] static std::map<std::string, std::string> files(const CommandRecorder& recorder) {
    std::map<std::string, std::string> found;
    for (const BundleMember& member : recorder.members()) found[member.name] = member.text;
    return found;
  }

  cache::testing::ScratchFolder folder_;
  std::filesystem::path program_ = folder_ / "redtune";
};

TEST_F(Recorder, KeepsWhatIsPrinted) {
  CommandRecorder all = recorder();
  EXPECT_EQ(all.record("a.txt", {"log", "--json"}, Opens::nothing), "log --json\n");
  EXPECT_THAT(files(all), ElementsAre(Pair("a.txt", "log --json\n")));
}

TEST_F(Recorder, KeepsWhatACrashingDriverSaid) {
  CommandRecorder all = recorder();
  EXPECT_EQ(all.record("a.txt", {"crash"}, Opens::devices), "half\n");
  EXPECT_THAT(files(all), ElementsAre(Pair("a.txt", "half\n"),
                                      Pair("a.txt.err.txt",
                                           AllOf(HasSubstr("redtune crash: killed by signal 6"),
                                                 HasSubstr("no ring")))));
}

TEST_F(Recorder, KeepsWarningsOfWhatEndedWell) {
  CommandRecorder all = recorder();
  all.record("a.txt", {"complain"}, Opens::devices);
  EXPECT_THAT(files(all), ElementsAre(Pair("a.txt", "all\n"),
                                      Pair("a.txt.err.txt", HasSubstr("old firmware"))));
}

TEST_F(Recorder, OpensDevicesNoMoreWhenTheyHang) {
  CommandRecorder all = recorder(500ms);
  all.record("a.txt", {"hang"}, Opens::devices);
  EXPECT_EQ(all.record("b.txt", {"devices"}, Opens::devices), "");
  EXPECT_THAT(files(all),
              ElementsAre(Pair("a.txt.err.txt", "redtune hang: no answer before its deadline\n\n"),
                          Pair("b.txt.err.txt",
                               "redtune devices: not run, because redtune hang did not answer\n")));
  // It may be slow here, but it is run.
  all.record("c.txt", {"log"}, Opens::nothing);
  EXPECT_EQ(files(all)["c.txt.err.txt"].find("not run"), std::string::npos);
}

}  // namespace
}  // namespace redtune::cli
