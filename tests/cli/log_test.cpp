// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune log looks, and writes nothing; what it shows fits a screen.
#include <chrono>
#include <gtest/gtest.h>
#include <map>
#include <sstream>
#include <sys/stat.h>
#include <thread>

#include "cli/report/screen_text.hpp"
#include "tests/cli/made_store.hpp"

namespace redtune::cli {
namespace {

namespace fs = std::filesystem;

/// Names, sizes and times of everything in a folder but what SQLite puts beside a file to read it.
std::map<std::string, std::string> content_by_file(const fs::path& folder) {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (name.ends_with("-wal") || name.ends_with("-shm")) continue;
    struct stat status {};
    EXPECT_EQ(stat(entry.path().c_str(), &status), 0);
    found[name] = fmt::format("{} {} {}.{}", status.st_ino, status.st_size, status.st_mtim.tv_sec,
                              status.st_mtim.tv_nsec);
  }
  return found;
}

class Log : public ::testing::Test {
 protected:
  StoreHome home_;
  fs::path folder_ = home_.store_file().parent_path();
};

TEST_F(Log, ChangesNothing) {
  fs::remove(cache::snapshot_of(home_.store_file()));  // whoever opens the store renews it
  const auto before = content_by_file(folder_);
  for (const Words& words : {Words{"log"}, Words{"log", "--json"}, Words{"log", "1"}}) {
    EXPECT_EQ(home_.run(words).code, 0);
    EXPECT_EQ(content_by_file(folder_), before);
  }
}

TEST_F(Log, ReadsAStoreThatCannotBeWritten) {
  fs::permissions(home_.store_file(), fs::perms::owner_read);
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  for (const Words& words : {Words{"log"}, Words{"log", "3", "--json"}}) {
    const Said said = home_.run(words);
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_TRUE(said.says("winner")) << said.out;
  }
  fs::permissions(folder_, fs::perms::owner_all);
}

TEST_F(Log, WhereThereIsNoStoreSaysWhatToDo) {
  const Said said = home_.run({"log", "--cache", home_ / "none.db"});
  EXPECT_EQ(said.code, 2);
  EXPECT_TRUE(said.says("redtune tune")) << said.err;
  EXPECT_FALSE(fs::exists(home_ / "none.db"));
}

TEST_F(Log, FitsAScreen) {
  for (const Words& words :
       {Words{"log"}, Words{"log", "1"}, Words{"log", "2"}, Words{"log", "3"}}) {
    const Said said = home_.run(words);
    EXPECT_EQ(said.code, 0) << said.err;
    std::istringstream lines(said.out);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(width_of(line), 100U) << line;
    }
  }
}

TEST_F(Log, ShowsOneRunWithItsVerdictAndItsFailures) {
  const Said said = home_.run({"log", "2"});
  EXPECT_TRUE(said.says("winner: 1.20x the default (")) << said.out;
  EXPECT_TRUE(said.says("ok, winner")) << said.out;
  EXPECT_TRUE(said.says("1  compile_failed      1  error: too many\n")) << said.out;
  EXPECT_FALSE(said.says("\nregisters"));
  const Said failed = home_.run({"log", "2", "--failed"});
  EXPECT_TRUE(failed.says("trial 1 compile_failed: finish=")) << failed.out;
  EXPECT_TRUE(failed.says("\n  error: too many\n  registers\n")) << failed.out;
}

TEST_F(Log, HasFinalistsAndVerdictInItsDocument) {
  const json document = home_.run({"log", "2", "--json"}).document();
  EXPECT_TRUE(document.at("verdict").get<std::string>().starts_with("The winner is 1.2 times"));
  for (const char* name : {"finalists", "conditions", "warnings", "default_us"}) {
    EXPECT_TRUE(document.contains(name)) << name;
  }
}

TEST_F(Log, ListsThoseRunsThatAreAskedFor) {
  cache::Store store = cache::Store::open(home_.store_file());
  const cache::RunId id = store.begin(made_start(1 << 12));
  store.finish(id, cache::RunState::failed, "it went wrong");
  const auto numbers = [&](Words more) {
    more.insert(more.begin(), {"log", "--json"});
    std::vector<int> found;
    const json document = home_.run(more).document();
    for (const json& run : document.at("runs")) found.push_back(run.at("run"));
    return found;
  };
  using Numbers = std::vector<int>;
  EXPECT_EQ(numbers({}), (Numbers{4, 3, 2, 1}));
  EXPECT_EQ(numbers({"--op", "max"}), Numbers{1});
  EXPECT_EQ(numbers({"--type", "f64"}), Numbers{});
  EXPECT_EQ(numbers({"--failed"}), Numbers{4});
  EXPECT_EQ(numbers({"--failed", "--op", "max"}), Numbers{});
  EXPECT_EQ(numbers({"--since", "1h"}).size(), 4U);
  EXPECT_EQ(numbers({"--since", "2000-01-01"}).size(), 4U);
  EXPECT_EQ(numbers({"--since", "2999-01-01 10:00"}), Numbers{});
  EXPECT_TRUE(home_.run({"log", "--type", "f64"}).says("no run fits"));
}

TEST_F(Log, RefusesWhatCannotBeMeant) {
  const auto expect_refused = [&](const Words& words, const std::string& what) {
    const Said said = home_.run(words);
    EXPECT_EQ(said.code, 2) << what;
    EXPECT_TRUE(said.says(what)) << said.err;
  };
  expect_refused({"log", "--since", "yesterday"}, "--since is 'yesterday'; write a day");
  expect_refused({"log", "--since", "3 days"}, "--since is '3 days'");
  expect_refused({"log", "--op", "summ"}, "did you mean");
  expect_refused({"log", "1", "--op", "sum"}, "--op chooses among runs");
  expect_refused({"log", "--follow", "--json"}, "--follow is for people");
}

TEST_F(Log, ColoursWinnersAndFailuresOnATerminalAlone) {
  const Words words{"log", "1"};
  const std::string winner = "\x1b[1;32m";
  const std::string failed = "\x1b[31m";
  const std::string drawn = home_.home().on_terminal(words);
  EXPECT_NE(drawn.find(winner), std::string::npos) << drawn;
  EXPECT_NE(drawn.find(failed), std::string::npos) << drawn;
  const std::string plain = home_.home().on_terminal(words, {"NO_COLOR=1"});
  EXPECT_EQ(plain.find('\x1b'), std::string::npos) << plain;
  EXPECT_EQ(home_.run(words, {"TERM=xterm"}).out, plain);
  EXPECT_EQ(count_of(drawn, "\x1b[0m"), count_of(drawn, "\x1b[") / 2) << "all end";
}

TEST_F(Log, FollowsARunToItsEnd) {
  cache::Store store = cache::Store::open(home_.store_file());
  const cache::RunId id = store.begin(made_start(1 << 12));
  store.record(id, cache::testing::sample_trial(0));
  std::thread tuner([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    store.record(id, cache::testing::sample_trial(1, 64));
    store.finish(id, cache::RunState::done, "no significant gain");
  });
  const Said said = home_.run({"log", "--follow"});
  tuner.join();
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(said.says("run 4: sum f32 2^12 cold")) << said.out;
  EXPECT_TRUE(said.says("    0  ok              10.5 us *")) << said.out;
  EXPECT_TRUE(said.says("    1  ok              10.5 us  ")) << said.out;
  EXPECT_TRUE(said.says("run 4 done (")) << said.out;
}

}  // namespace
}  // namespace redtune::cli
