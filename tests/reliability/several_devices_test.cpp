// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Several GPUs of one host at one list: each problem is tuned once, by one of them, and one that
// fails costs none.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <thread>

#include "tests/reliability/simulated_home.hpp"
#include "tests/tuner/lease_holder.hpp"

namespace redtune::cli {
namespace {

/// Slow enough that no device has done all before the next has begun.
const std::string two = "gpus:2;real_time:0.05;compile_takes:40";
const std::string three = "gpus:3;real_time:0.05;compile_takes:40";

Words on(const std::string& devices, const Words& more = {}) {
  return SimulatedHome::words(
      with(with({"--device", devices, "--count", "1000,2000,4000,8000,270000,300000", "--budget",
                 "4", "--json"},
                same_points),
           more));
}

/// How many problems each device has tuned; "" for those of none.
std::map<std::string, std::size_t> by_device(const Said& said) {
  std::map<std::string, std::size_t> counts;
  const json document = said.document();
  for (const json& one : document.at("problems")) ++counts[one.value("device", "")];
  return counts;
}

const json& row_of(const json& document, const std::string& device) {
  for (const json& one : document.at("devices")) {
    if (one.at("device") == device) return one;
  }
  ADD_FAILURE() << "no " << device << ": " << document;
  return document.at("devices").at(0);
}

TEST(SeveralDevices, TuneEachProblemOnceAndSayWhoDid) {
  const SimulatedHome home;
  const Said said = home.home().run(on("hip:0,hip:1"), home.environment(two));
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(states_of(said), (States{{"tuned", 6}}));
  const auto counts = by_device(said);
  ASSERT_EQ(counts.size(), 2U) << said.out;
  const json document = said.document();
  for (const auto& [device, count] : counts) {
    EXPECT_GE(count, 1U) << device;
    EXPECT_EQ(row_of(document, device).at("tuned"), count);
    EXPECT_GT(row_of(document, device).at("busy_s").get<double>(), 0);
    EXPECT_EQ(row_of(document, device).at("took_no_more"), false);
    const auto borders = row_of(document, device).at("borders").get<std::size_t>();
    EXPECT_EQ(count_of(said.err, "info: " + device + " "), count + borders) << said.err;
  }
  EXPECT_EQ(home.home().logs().size(), 6U) << "no problem was begun twice";
  expect_no_processes(home);

  const Said again = home.home().run(on("all"), home.environment(two));
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(states_of(again), (States{{"known", 6}}));
  EXPECT_EQ(by_device(again), (std::map<std::string, std::size_t>{{"", 6}}));
}

TEST(SeveralDevices, AreShownToPeople) {
  const SimulatedHome home;
  Words words = on("hip:all", {"--count", "1000,270000"});
  std::erase(words, "--json");
  const Said said = home.home().run(words, home.environment(two));
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.says("  device  time us")) << said.out;
  for (const char* line : {"\nhip:0: ", "\nhip:1: "}) EXPECT_TRUE(said.says(line)) << said.out;
}

TEST(SeveralDevices, TellEventsByDevice) {
  const SimulatedHome home;
  const std::string file = (home.home() / "events.jsonl").string();
  const Said said = home.home().run(on("all", {"--events", file}), home.environment(two));
  ASSERT_EQ(said.code, 0) << said.err;
  std::set<std::string> devices;
  for (const json& line : lines_of(file)) {
    ASSERT_FALSE(line.is_discarded());
    if (line.at("event") == "trial") devices.insert(line.at("device"));
  }
  EXPECT_EQ(devices, (std::set<std::string>{"hip:0", "hip:1"}));
}

TEST(SeveralDevices, CompileEachKernelOnce) {
  const SimulatedHome home;
  // The same shapes for all: of one class there is one space.
  const Said said = home.home().run(on("all"), home.environment(three));
  ASSERT_EQ(said.code, 0) << said.err;
  std::map<std::string, std::size_t> compiled;
  std::ifstream names(home.home() / "simulated/compiled_names");
  for (std::string name; std::getline(names, name);) ++compiled[name];
  EXPECT_GT(compiled.size(), 10U);
  for (const auto& [name, times] : compiled) {
    // A unit holds several names, which it may share with others.
    if (name.find("redtune::reduce<") == std::string::npos) continue;
    EXPECT_EQ(times, 1U) << name;
  }
}

TEST(SeveralDevices, OfOtherClassesEachNeedTheWholeList) {
  const SimulatedHome home;
  const Words words = on("all", {"--count", "1000,270000"});
  const Said said = home.home().run(words, home.environment(three + ";other_model:2"));
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(states_of(said), (States{{"tuned", 4}}));
  EXPECT_EQ(by_device(said)["hip:2"], 2U) << said.out;
  const Said list =
      home.home().run(with(words, {"--list"}), home.environment(three + ";other_model:2"));
  ASSERT_EQ(list.code, 0) << list.err;
  ASSERT_EQ(list.document().at("lists").size(), 2U) << list.out;
  const json document = list.document();
  for (const json& one : document.at("lists")) EXPECT_EQ(one.at("known"), 2);
}

TEST(SeveralDevices, OneOfThemIsEnoughForOneProblem) {
  const SimulatedHome home;
  const Said said = home.home().run(on("hip:1,hip:0", {"--count", "1000"}), home.environment(two));
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(states_of(said), (States{{"tuned", 1}}));
}

TEST(SeveralDevices, OneThatIsLostCostsNoProblem) {
  for (const std::string how : {"lost:1", "lost_later:1"}) {
    const SimulatedHome home;
    const Said said = home.home().run(on("all"), home.environment(two + ";" + how));
    EXPECT_EQ(said.code, 6) << said.err << "somebody has to look at it";
    EXPECT_EQ(states_of(said), (States{{"tuned", 6}})) << said.err;
    EXPECT_TRUE(said.says("hip:1 takes no more, the other devices go on: ")) << said.err;
    const json document = said.document();
    EXPECT_EQ(row_of(document, "hip:1").at("took_no_more"), true);
    EXPECT_EQ(row_of(document, "hip:0").at("took_no_more"), false);
    expect_no_processes(home);
  }
}

TEST(SeveralDevices, AllLostEndTheRun) {
  const SimulatedHome home;
  const std::string worker_dies = "abort:last_wave<;abort:single_block;abort:second_pass";
  const Said said =
      home.home().run(on("all", {"--budget", "100"}), home.environment("gpus:2;" + worker_dies));
  EXPECT_EQ(said.code, 6) << said.err;
  EXPECT_EQ(states_of(said).contains("tuned"), false) << said.out;
  EXPECT_EQ(count_of(said.err, "ended before all was done"), 1U) << said.err;
}

TEST(SeveralDevices, OneThatOthersTuneOnIsLeftToThem) {
  const SimulatedHome home;
  const tuner::LeasePlaces places{{home.home() / "run/redtune"}};
  auto holder = std::make_unique<tuner::testing::LeaseHolder>(
      "0000:c2:00.0", tuner::LeaseNote{.user = "ann", .command = "redtune tune"}, places);
  ASSERT_TRUE(holder->is_holding());
  // While one device has all to itself nothing has to take time.
  const Said said = home.home().run(on("all"), home.environment("gpus:2"));
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(by_device(said), (std::map<std::string, std::size_t>{{"hip:0", 6}}));
  EXPECT_TRUE(said.says("hip:1 takes no more, the other devices go on: ")) << said.err;
  EXPECT_TRUE(said.says("is being tuned by process ")) << said.err;

  // Waited for, it keeps no problem meanwhile.
  const Words waiting = on("all", {"--fresh", "--wait"});
  const Said waited = home.home().run(waiting, home.environment("gpus:2"));
  EXPECT_EQ(waited.code, 0) << waited.err;
  EXPECT_EQ(states_of(waited), (States{{"tuned", 6}}));
  EXPECT_EQ(count_of(waited.err, "hip:1 waits: "), 1U) << waited.err;
  Running later(home.home(), with(waiting, {"--count", "1000,2000,4000,8000,16000,32000"}),
                home.environment("gpus:2;real_time:0.5"));
  ASSERT_TRUE(await_trials(home.home(), 2, 13));
  holder.reset();
  const Said joined = later.wait();
  EXPECT_EQ(joined.code, 0) << joined.err;
  EXPECT_EQ(by_device(joined).size(), 2U) << joined.err;
}

TEST(SeveralDevices, AllTunedOnByOthersAreTold) {
  const SimulatedHome home;
  const tuner::LeasePlaces places{{home.home() / "run/redtune"}};
  const tuner::LeaseNote note{.user = "ann", .command = "redtune tune"};
  const tuner::testing::LeaseHolder first("0000:c1:00.0", note, places);
  const tuner::testing::LeaseHolder second("0000:c2:00.0", note, places);
  const Said said = home.home().run(on("all"), home.environment(two));
  EXPECT_EQ(said.code, 75) << said.err;
  EXPECT_EQ(said.out, "");
}

TEST(SeveralDevices, AreInterruptedTogetherAndGoneOnWith) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const SimulatedHome home;
    Running running(home.home(), on("all"), home.environment(two));
    ASSERT_TRUE(await_trials(home.home(), 2, 3)) << "of the third problem";
    const Said broken = running.end_with(signal);
    EXPECT_EQ(broken.code, 130) << broken.err;
    EXPECT_EQ(count_of(broken.err, "ended before all was done"), 1U) << broken.err;
    expect_no_processes(home);
    States states = states_of(broken);
    EXPECT_GE(states["not_reached"], 1U) << broken.out;
    const Said rest = home.home().run(on("all"), home.environment(two));
    EXPECT_EQ(rest.code, 0) << rest.err;
    states = states_of(rest);
    EXPECT_GE(states["known"], 1U) << rest.out;
    EXPECT_EQ(states["known"] + states["tuned"], 6U);
    const Said again = home.home().run(on("all"), home.environment(two));
    EXPECT_EQ(states_of(again), (States{{"known", 6}}));
  }
}

TEST(SeveralDevices, ThatAreOneAreNotTunedOnTogether) {
  const SimulatedHome home;
  const auto expect_refused = [&](const std::string& devices, const std::string& directives,
                                  const std::string& why) {
    const Said said = home.home().run(on(devices), home.environment(directives));
    EXPECT_EQ(said.code, 2) << devices;
    EXPECT_TRUE(said.says(why)) << said.err;
  };
  expect_refused("hip:0,hip:0", two, "hip:0 stands twice in 'hip:0,hip:0'");
  expect_refused("host,host:wave32", two, "are parts of one device");
  expect_refused("hip:0,hip:1", two + ";part_of_first:1",
                 "hip:0 and hip:1 are parts of one device, and would disturb each other");
  expect_refused("hip:0,", two, "is not a list of devices");
  expect_refused("hip:0,hip:2", two, "there is no hip:2");
  expect_refused("hip:0,hop:1", two, "did you mean 'hip'?");
  expect_refused("host:all,hip:0,hip:0", two, "stands twice");
  const Said said = home.home().run(on("all", {"--count", "1000,2000"}),
                                    home.environment("gpus:3;part_of_first:1"));
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.document().at("devices").size(), 2U);
  EXPECT_TRUE(said.says("hip:1 is left out")) << said.err;
}

TEST(SeveralDevices, AreNotRecordedOn) {
  const SimulatedHome home;
  const Said said =
      home.home().run(on("all", {"--count", "1000", "--record"}), home.environment(two));
  EXPECT_EQ(said.code, 2);
  EXPECT_TRUE(said.says("--record is for one problem at a time, on one device")) << said.err;
}

}  // namespace
}  // namespace redtune::cli
