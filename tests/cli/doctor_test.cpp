// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune doctor on machines where something is as it should not be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "tests/cli/doctor_said.hpp"
#include "tests/tuner/lease_holder.hpp"

namespace redtune::cli {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

const Words no_modules{"REDTUNE_MODULE_PATH=/nowhere"};

TEST(Doctor, HasNothingToSayWhereAllIsWell) {
  const Home home;
  const Said said = home.run({"doctor"}, no_modules);
  EXPECT_EQ(said.code, 0) << said.out;
  EXPECT_EQ(said.err, "");
  EXPECT_THAT(marked(said, '!'), ElementsAre());
  EXPECT_THAT(marked(said, '-'), ElementsAre());
  EXPECT_TRUE(said.out.starts_with("Tuning works here.\n")) << said.out;
}

TEST(Doctor, LeavesNothingBehind) {
  const Home home;
  fs::create_directories(home / "data/redtune");
  const auto everything = [&] {
    std::set<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(home / ".")) {
      names.insert(entry.path().string());
    }
    return names;
  };
  const auto before = everything();
  ASSERT_EQ(home.run({"doctor"}).code, 0);
  EXPECT_EQ(everything(), before);
}

TEST(Doctor, SaysTheSameAsJson) {
  const Home home;
  const json document = home.run({"doctor", "--json"}).document();
  const auto lines = text_lines(home.run({"doctor"}).out);
  for (const char* section : {"versions", "devices", "compilers", "folders", "environment"}) {
    EXPECT_TRUE(document.contains(section)) << section;
    EXPECT_THAT(lines, Contains(section));
  }
  EXPECT_EQ(document.at("tuning_works"), true);
  for (const char* name : {"redtune", "SQLite", "Boost", "measurement_protocol"}) {
    EXPECT_TRUE(document.at("versions").contains(name)) << name;
  }
  const json results = topic(document, "folders", "results");
  EXPECT_EQ(results.at("path"), (home / "data/redtune").string());
  EXPECT_EQ(results.at("exists"), false);
  EXPECT_EQ(results.at("writable"), true);
  EXPECT_GT(results.at("free_bytes"), 0);
  EXPECT_NE(results.at("file_system"), "");
  EXPECT_EQ(results.at("locks"), true);
  EXPECT_TRUE(results.contains("journal"));
  for (const char* name : {"logs", "binaries", "runtime"}) (void)topic(document, "folders", name);
  EXPECT_EQ(document.at("environment").at("XDG_DATA_HOME").at("value"), (home / "data").string());
  EXPECT_EQ(document.at("environment").at("REDTUNE_CACHE").at("value"), nullptr);
}

TEST(Doctor, TellsWhatADeviceIs) {
  const Home home;
  const json document = home.run({"doctor", "--device", "host:wave32", "--json"}).document();
  ASSERT_EQ(document.at("devices").size(), 1U);
  const json& device = document.at("devices").at(0);
  EXPECT_EQ(device.at("device"), "host:wave32");
  EXPECT_EQ(device.at("usable"), true);
  EXPECT_EQ(device.at("wave_size"), 32);
  EXPECT_EQ(device.at("other_processes"), nullptr) << "the host does not tell";
  EXPECT_EQ(device.at("lease"), json({{"held", false}}));
}

TEST(Doctor, MeasuresNoiseWhenAsked) {
  const Home home;
  EXPECT_FALSE(home.run({"doctor", "--json"}).document().contains("noise"));
  const Said said = home.run({"doctor", "--measure", "--device", "host", "--json"});
  const json noise = said.document().at("noise");
  EXPECT_EQ(noise.at("device"), "host");
  if (said.code == 1) {
    EXPECT_EQ(noise.at("noise_floor"), nullptr);
    EXPECT_TRUE(said.says("times of the same configuration differ by")) << said.out;
    return;
  }
  EXPECT_GT(noise.at("noise_floor"), 0);
  EXPECT_GT(noise.at("default_us"), 0);
}

TEST(Doctor, DoesNotMeasureWhereSomebodyTunes) {
  const Home home;
  const tuner::testing::LeaseHolder holder("", {}, {{home / "run/redtune"}});
  const Said said = home.run({"doctor", "--measure", "--device", "host"});
  EXPECT_EQ(said.code, 0) << said.out;
  EXPECT_THAT(marked(said, '-'),
              Contains(HasSubstr("noise floor  the host is being tuned by process")));
}

TEST(Doctor, ADeviceThatCannotBeMeasuredIsAProblem) {
  const Said said =
      Home().run({"doctor", "--measure", "--device", "host"}, {"REDTUNE_HOST_CXX=/nowhere/c++"});
  EXPECT_EQ(said.code, 1) << said.out;
  EXPECT_THAT(marked(said, '!'), Contains(HasSubstr("noise floor")));
}

TEST(Doctor, NamesWhoHoldsALease) {
  const Home home;
  const tuner::LeasePlaces places{{home / "run/redtune"}};
  const tuner::testing::LeaseHolder holder(
      "", {.user = "ann", .since = "2026-11-21T14:05:09Z", .command = "redtune tune"}, places);
  ASSERT_TRUE(holder.is_holding());
  const Said said = home.run({"doctor"});
  EXPECT_EQ(said.code, 0) << said.out;
  EXPECT_THAT(marked(said, '-'),
              ElementsAre(HasSubstr(
                  fmt::format("lease             held by process {} of ann (redtune tune), since "
                              "2026-11-21T14:05:09Z; tuning there ends with exit code 75",
                              holder.pid()))));
  const json lease =
      topic(home.run({"doctor", "--json"}).document(), "devices", "host").at("lease");
  EXPECT_EQ(lease.at("held"), true);
  EXPECT_EQ(lease.at("pid"), holder.pid());
  EXPECT_EQ(lease.at("command"), "redtune tune");
}

TEST(Doctor, PlatformsThatAreAbsentAreNoFailureUnlessAskedFor) {
  const Home home;
  const Said said = home.run({"doctor"}, no_modules);
  EXPECT_EQ(said.code, 0) << said.out;
  for (const char* name : {"hip", "cuda"}) {
    EXPECT_THAT(said.out,
                HasSubstr(fmt::format("\n  {0}\n    usable  no: the module libredtune_{0}.so is "
                                      "not installed\n",
                                      name)));
    const Said asked = home.run({"doctor", "--device", name}, no_modules);
    EXPECT_EQ(asked.code, 1) << asked.out;
    EXPECT_THAT(marked(asked, '!'), ElementsAre(HasSubstr("is not installed")));
  }
}

TEST(Doctor, ADeviceThatIsNoneIsAWrongQuestion) {
  const Said said = Home().run({"doctor", "--device", "hots"});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.out, "");
  EXPECT_THAT(said.err, HasSubstr("did you mean 'host'"));
}

TEST(Doctor, WithoutACompilerTheHostIsNoDevice) {
  const Home home;
  const Words environment{"REDTUNE_HOST_CXX=/nowhere/c++", "REDTUNE_MODULE_PATH=/nowhere"};
  const Said said = home.run({"doctor"}, environment);
  EXPECT_EQ(said.code, 1) << said.out;
  EXPECT_THAT(marked(said, '!'), ElementsAre(HasSubstr("set REDTUNE_HOST_CXX")));
}

TEST(Doctor, VariablesThatNothingReadsAreWorthKnowing) {
  const Said said = Home().run(
      {"doctor"}, {"REDTUNE_CAHCE=/tmp/x.db", "XDG_CACHE_HOME=here/there", "REDTUNE_TEST_EVERY=1"});
  EXPECT_EQ(said.code, 0) << said.out;
  EXPECT_THAT(marked(said, '-'),
              ElementsAre(AllOf(HasSubstr("XDG_CACHE_HOME"), HasSubstr("ignored")),
                          AllOf(HasSubstr("REDTUNE_CAHCE"), HasSubstr("'REDTUNE_CACHE'"))));
}

TEST(Doctor, ClosedStreamsAreNoCrash) {
  const Home home;
  for (const char* script : {"exec \"$@\" >&-", "exec \"$@\" >&- 2>&- <&-", "\"$@\" | true"}) {
    for (const Words& words : {Words{"doctor"}, Words{"doctor", "--json"}}) {
      const Said said = home.run_in_shell(script, words);
      EXPECT_GE(said.code, 0) << script;
      EXPECT_LT(said.code, 128) << script;
    }
  }
}

}  // namespace
}  // namespace redtune::cli
