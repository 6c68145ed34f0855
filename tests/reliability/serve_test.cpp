// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune serve on a simulated GPU: it tunes what is wanted while nobody is there, steps aside for
// whoever comes, and loses nothing however it ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "tests/reliability/serve_home.hpp"
#include "tests/support/samples.hpp"
#include "tests/tuner/lease_holder.hpp"

namespace redtune::cli {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

TEST_F(Serve, TunesWhatIsWantedOnceAndNoMore) {
  ask("1-a", {1000, 4000});
  ask("2-a", {4000});
  const Said said = run(once({"--json"}));
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.document().at("ended"), "tuned");
  EXPECT_EQ(said.document().at("wanted"), 2);
  EXPECT_EQ(said.document().at("left"), 0);
  EXPECT_EQ(runs().size(), 2U);
  EXPECT_EQ(left(), 0U) << "it is published";
  const Said again = run(once());
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(again.says("nothing is wanted of these devices")) << again.out;
  EXPECT_EQ(runs().size(), 2U);
  expect_no_processes(home_);
}

TEST_F(Serve, DoesNothingWhereNothingIsWantedOrCannotBeRead) {
  EXPECT_TRUE(run(once()).says("nothing is wanted")) << "there is no folder";
  std::filesystem::create_directories(home_.home() / "data/redtune/wanted-v1");
  EXPECT_EQ(run(once()).code, 0);
  std::filesystem::remove(home_.home() / "data/redtune/wanted-v1");
  cache::testing::write_text(home_.home() / "data/redtune/wanted-v1", "a file");
  const Said said = run(once());
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.says("what is wanted cannot be read: ")) << said.err;
  EXPECT_FALSE(std::filesystem::exists(home_.home() / "data/redtune/results-v1.db"));
}

TEST_F(Serve, LeavesADeviceThatOthersUseAlone) {
  ask("1-a", {1000});
  come();
  const Said said = run(once({"--json"}));
  EXPECT_EQ(said.code, 75) << said.err;
  EXPECT_EQ(said.document().at("ended"), "in_use");
  EXPECT_EQ(said.document().at("why"), fmt::format("{} (solver)", getpid()));
  EXPECT_TRUE(home_.home().logs().empty());
  Running service(home_.home(), serve(), telling());
  EXPECT_TRUE(await_line(fmt::format("1 question wanted; hip:0 is used: {} (solver)", getpid())));
  EXPECT_TRUE(home_.home().logs().empty()) << "nothing was begun";
  go();
  EXPECT_TRUE(await([&] { return left() == 0; }));
  EXPECT_EQ(service.end_with(SIGTERM).code, 0);
  EXPECT_EQ(runs().size(), 1U);
}

TEST_F(Serve, LeavesADeviceThatAnotherTunerHasAlone) {
  ask("1-a", {1000});
  const tuner::testing::LeaseHolder holder(
      simulated::SimulatedDevice::identity_of({}, 0).address,
      {.user = "ann", .since = "2026-11-21T14:05:09Z", .command = "redtune tune"},
      {{home_.home() / "run/redtune"}});
  ASSERT_TRUE(holder.is_holding());
  const Said said = run(once({"--json"}));
  EXPECT_EQ(said.code, 75) << said.err;
  EXPECT_EQ(said.document().at("tunes"), 0) << "it knows before it begins";
  EXPECT_THAT(said.document().at("why").get<std::string>(), HasSubstr("of ann (redtune tune)"));
  EXPECT_TRUE(home_.home().logs().empty());
}

TEST_F(Serve, WaitsUntilADeviceHasBeenIdle) {
  ask("1-a", {1000});
  Running service(home_.home(), serve({"--idle", "1h"}), telling());
  EXPECT_TRUE(await_line("1 question wanted; waiting until hip:0 has been idle, 60 min more"));
  EXPECT_EQ(service.end_with(SIGTERM).code, 0);
  EXPECT_TRUE(home_.home().logs().empty());
  EXPECT_EQ(left(), 1U);
}

TEST_F(Serve, SeesWhoComesWhileItStarts) {
  ask("1-a", {1000});
  const Said said = run(once(), fmt::format("comes_at_start:{}", getpid()));
  EXPECT_EQ(said.code, 75) << said.err;
  EXPECT_TRUE(said.says(fmt::format("others use the devices: {} (solver)", getpid()))) << said.err;
  EXPECT_TRUE(home_.home().logs().empty());
}

TEST_F(Serve, LeavesADeviceThatCannotBeAskedAlone) {
  ask("1-a", {1000});
  const std::string twice = "users_refused_after:2";  // as it is found
  const Said said = run(once({"--json"}), twice);
  EXPECT_EQ(said.code, 6) << said.err;
  EXPECT_EQ(said.document().at("ended"), "failed");
  const std::string why = "hip:0 cannot be asked who uses it: the driver does not answer";
  EXPECT_EQ(said.document().at("why"), why);
  EXPECT_EQ(count_of(said.err, "warning: " + why), 1U) << said.err;
  EXPECT_TRUE(home_.home().logs().empty());
  std::filesystem::remove(home_.home() / "simulated/users_told.count");
  Running service(home_.home(), serve(), telling(twice));
  EXPECT_TRUE(await_line("1 question wanted; " + why));
  EXPECT_EQ(service.end_with(SIGTERM).code, 0);
  EXPECT_TRUE(home_.home().logs().empty());
}

TEST_F(Serve, StepsAsideAndGoesOnWithTheSameTrials) {
  ask("1-a", {10000});
  Running service(home_.home(), serve(), telling("real_time:1"));
  ASSERT_TRUE(await_trials(home_.home(), 3));
  come();
  // The service and its watch stay.
  EXPECT_TRUE(await([&] { return processes_of(home_) == 2; }));
  ASSERT_EQ(runs().size(), 1U);
  EXPECT_EQ(runs()[0].at("state"), "interrupted");
  const std::size_t tried = home_.trials().size();
  EXPECT_GE(tried, 2U);
  EXPECT_TRUE(await_line("1 question wanted; hip:0 is used: "));
  EXPECT_EQ(home_.trials().size(), tried) << "it goes on beside somebody";
  go();
  EXPECT_TRUE(await([&] { return left() == 0; }));
  const Said said = service.end_with(SIGTERM);
  EXPECT_EQ(said.code, 0);
  EXPECT_TRUE(said.says(fmt::format("hip:0 steps aside for {} (solver)", getpid()))) << said.err;
  EXPECT_TRUE(said.says("continuing run 1: ")) << said.err;
  ASSERT_EQ(runs().size(), 1U);
  EXPECT_EQ(runs()[0].at("state"), "done");
  EXPECT_GT(home_.trials().size(), tried);
  expect_whole(runs()[0]);
  expect_no_processes(home_);
}

TEST_F(Serve, EndsWhenItIsToldToAndKeepsAll) {
  ask("1-a", {10000});
  for (const int signal : {SIGTERM, SIGINT}) {
    Running service(home_.home(), serve(),
                    home_.environment(std::string(users_told) + ";real_time:1"));
    ASSERT_TRUE(await_trials(home_.home(), 3, signal == SIGTERM ? 1 : 2));
    // The shell in front of it is gone by now.
    const Said said = service.end_with(signal);
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_TRUE(said.says("told to end; what was tried is kept")) << said.err;
    expect_no_processes(home_);
    EXPECT_EQ(runs()[0].at("state"), "interrupted");
  }
  EXPECT_EQ(run(once()).code, 0);
  ASSERT_EQ(runs().size(), 1U);
  expect_whole(runs()[0]);
}

TEST_F(Serve, KilledAtAnyMomentLosesAndDoublesNothing) {
  const int wanted_kills = checks::is_full_run() ? 30 : 8;
  std::mt19937 random(1);
  ask("1-a", {1000, 10000});
  int kills = 0;
  for (; kills < wanted_kills && left() > 0; ++kills) {
    Running service(home_.home(), serve(),
                    home_.environment(std::string(users_told) + ";real_time:0.2"));
    const int latest = 600 + 200 * kills;
    std::this_thread::sleep_for(
        std::chrono::milliseconds(std::uniform_int_distribution(10, latest)(random)));
    EXPECT_EQ(service.end_with(SIGKILL).code, -SIGKILL);
    expect_no_processes(home_);
    if (HasFailure()) return;
  }
  const Said said = run(once());
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(left(), 0U);
  const json all = runs();
  ASSERT_EQ(all.size(), 2U) << "each question has one run";
  for (const json& one : all) {
    EXPECT_EQ(one.at("state"), "done");
    expect_whole(one);
  }
  std::cout << "  " << kills << " kills\n";
}

TEST_F(Serve, OneIsEnoughForADevice) {
  Running first(home_.home(), serve(), telling());
  ASSERT_TRUE(await_line("nothing is wanted"));
  const Said second = run(serve());
  EXPECT_EQ(second.code, 75);
  EXPECT_TRUE(second.says("hip:0 is served already by process ")) << second.err;
  EXPECT_TRUE(
      run({"doctor", "--device", "hip:0"}).says("it is tuned on while it is idle, by process "));
  EXPECT_EQ(first.end_with(SIGTERM).code, 0);
  EXPECT_EQ(run(once()).code, 0);
}

TEST_F(Serve, WatchesSeveralDevicesAndLeavesOutWhatCannotBeUsed) {
  ask("1-a", {1000, 4000});
  const Said said = run(once({"--device", "hip:0,hip:1", "--json"}), "gpus:2");
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.says("hip:0, hip:1 are idle")) << said.err;
  EXPECT_EQ(said.document().at("left"), 0);
  EXPECT_EQ(runs().size(), 2U) << "each once";
  ask("2-a", {8000});
  const Said one = run(once({"--device", "hip:0,hip:7"}));
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_TRUE(one.says("hip:7 is not served: ")) << one.err;
  EXPECT_EQ(left(), 0U);
  const Said parts = run(once({"--device", "hip:0,hip:1"}), "gpus:2;part_of_first:1");
  EXPECT_EQ(parts.code, 0) << parts.err;
  EXPECT_TRUE(parts.says("hip:1 is part of a device that is served already")) << parts.err;
  const Said host = home_.home().run({"serve", "--once", "--device", "host"});
  EXPECT_TRUE(host.says("who uses host is not told")) << host.err;
}

TEST_F(Serve, GoesOnAfterWhatCannotBeTuned) {
  ask("1-a", {1000});
  const std::string refused = "compile_refuse:redtune";
  Running service(home_.home(), serve(),
                  home_.environment(std::string(users_told) + ";" + refused));
  EXPECT_TRUE(await_line("the next try is in"));
  EXPECT_EQ(service.end_with(SIGTERM).code, 0) << "it has not ended by itself";
  const Said said = run(once(), refused);
  EXPECT_TRUE(said.says("nothing is wanted")) << said.err << said.out << "it was tried today";
  EXPECT_EQ(left(), 1U) << "but it still is";
  EXPECT_EQ(runs().size(), 1U);
}

TEST_F(Serve, TakesTimesThatCannotBeBelievedForAFailure) {
  ask("1-a", {1000});
  const Said said = run(once({"--json"}), "inert");
  EXPECT_EQ(said.code, 5) << said.err;
  EXPECT_EQ(said.document().at("ended"), "failed") << "nobody has come";
  EXPECT_EQ(said.document().at("stepped_aside"), 0);
}

TEST_F(Serve, SaysWhatKeepsItFromTuning) {
  ask("1-a", {1000});
  const Said full =
      home_.home().run_in_shell("ulimit -f 0; exec \"$@\"", once(), home_.environment(users_told));
  EXPECT_NE(full.code, 0) << "a full disk";
  EXPECT_TRUE(full.says("error: ")) << full.err;
  EXPECT_EQ(left(), 1U);
  EXPECT_EQ(run(once()).code, 0) << "there is room again";
  EXPECT_EQ(left(), 0U);
  for (const auto& [words, text] : std::vector<std::pair<Words, std::string>>{
           {serve({"--budget", "5m"}), "--budget is of one tune, so it goes with --once"},
           {once({"--budget", "200"}), "--budget is '200'; write a time"},
           {serve({"--idle", "soon"}), "--idle is 'soon'; write a time such as 30s, 5m or 1h"},
           {serve({"--idle", "-5m"}), "--idle is '-5m'"},
           {serve({"--device", "hip:7"}), "hip:7"}}) {
    const Said said = run(words);
    EXPECT_EQ(said.code, 2) << said.err;
    EXPECT_TRUE(said.says(text)) << said.err;
  }
  const Said without = home_.home().run({"serve", "--once"},
                                        {"-uREDTUNE_MODULE_PATH", "REDTUNE_MODULE_PATH=/nowhere"});
  EXPECT_EQ(without.code, 2) << without.err;
  EXPECT_TRUE(without.says("there is no GPU here")) << without.err;
}

TEST_F(Serve, TellsTheServiceManagerHowItIs) {
  ServiceManagerOfTests manager(home_.home() / "notify");
  Words environment = home_.environment(users_told);
  environment.push_back(manager.variable());
  environment.emplace_back("WATCHDOG_USEC=2000000");
  Running service(home_.home(), serve(), environment);
  EXPECT_TRUE(manager.await("READY=1"));
  EXPECT_TRUE(manager.await("STATUS=nothing is wanted"));
  EXPECT_TRUE(manager.await("WATCHDOG=1"));
  ask("1-a", {1000});
  EXPECT_TRUE(manager.await("STATUS=tuning on hip:0: 1 question wanted"));
  EXPECT_TRUE(manager.await("STATUS=nothing is wanted"));
  EXPECT_TRUE(manager.await("WATCHDOG=1"));
  kill(service.id(), SIGTERM);
  EXPECT_TRUE(manager.await("STOPPING=1"));
  EXPECT_EQ(service.wait().code, 0);
  EXPECT_THAT(manager.told(), testing::Each(testing::Not(HasSubstr("\n"))));
}

TEST_F(Serve, WritesLinesForTheJournal) {
  ask("1-a", {1000});
  const Said said = home_.home().run_in_shell(
      "f=$(mktemp) && exec 2> \"$f\" && "
      "JOURNAL_STREAM=$(stat -L -c %d:%i \"$f\") \"$@\"; code=$?; cat \"$f\"; rm \"$f\"; exit "
      "$code",
      once(), home_.environment(users_told));
  EXPECT_EQ(said.code, 0) << said.out;
  EXPECT_TRUE(said.says("<6>1 question to tune; hip:0 is idle\n")) << said.out;
  for (const std::string& line : lines_in(said.out)) {
    EXPECT_TRUE(line.starts_with("<") || line.ends_with(" left")) << line;
  }
  const Said other =
      home_.home().run_in_shell("JOURNAL_STREAM=1:1 \"$@\"", once(), home_.environment(users_told));
  EXPECT_FALSE(other.says("<6>")) << "its standard error leads elsewhere";
}

}  // namespace
}  // namespace redtune::cli
