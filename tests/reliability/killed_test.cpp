// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Runs that are killed, stopped or told to end: what they found is kept, and no process stays. The
// numbers are those of docs/explanation/reliability.md.
#include <random>
#include <set>

#include "tests/reliability/simulated_home.hpp"
#include "tests/support/samples.hpp"

namespace redtune::cli {
namespace {

using namespace std::chrono_literals;

/// Kills a run again and again at random times until one comes to its end; how often.
int kill_until_done(const SimulatedHome& home, const Words& words, std::mt19937& random) {
  int kills = 0;
  while (true) {
    // Times when it starts, compiles, measures, confirms and publishes; later ones by and by, so
    // that a slow machine comes to its end as well.
    const int latest = 400 + 20 * kills;
    const auto wait = std::chrono::milliseconds(std::uniform_int_distribution(10, latest)(random));
    Running running(home.home(), words, home.environment());
    std::this_thread::sleep_for(wait);
    const Said said = running.end_with(SIGKILL);
    if (said.code == 0) return kills;
    EXPECT_EQ(said.code, -SIGKILL) << said.err;
    if (++kills > 200) return kills;  // it makes no progress on this machine
  }
}

TEST(Fault25, KilledAgainAndAgainRunsEndAsIfTheyHadNeverBeen) {
  const int wanted = checks::is_full_run() ? 50 : 15;
  // What is measured anew differs a little; this strategy only asks which of two is cheaper, so
  // that it goes the same way all the same.
  const Words chosen{"--budget", "60", "--strategy", "hill_climbing"};
  const Words words = SimulatedHome::words(chosen);
  const SimulatedHome undisturbed;
  ASSERT_EQ(undisturbed.tune("", chosen).code, 0);
  const json expected = undisturbed.trials();

  std::mt19937 random(1);
  int runs = 0;
  for (int kills = 0; kills < wanted; ++runs) {
    const SimulatedHome home;
    kills += kill_until_done(home, words, random);
    EXPECT_EQ(home.winner(), undisturbed.winner());
    const json found = home.trials();
    ASSERT_EQ(found.size(), expected.size()) << "lost or doubled";
    for (std::size_t i = 0; i < expected.size(); ++i) {
      for (const char* part : {"settings", "sequence", "status"}) {
        EXPECT_EQ(found[i].at(part), expected[i].at(part)) << i << " " << part;
      }
    }
    EXPECT_EQ(home.run({"log", "--json"}).document().at("runs").size(), 1U);
    expect_no_processes(home);
    if (HasFailure()) return;
  }
  std::cout << "  " << wanted << " kills and more in " << runs << " runs\n";
}

TEST(Fault25, KilledRunsOfTheDefaultStrategyLoseAndDoubleNothing) {
  const Words words = SimulatedHome::words({"--budget", "60"});
  std::mt19937 random(2);
  for (int kills = 0; kills < 10;) {
    const SimulatedHome home;
    kills += kill_until_done(home, words, random);
    const json found = home.trials();
    ASSERT_EQ(found.size(), 60U) << "lost or doubled";
    std::set<std::string> different;
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_EQ(found[i].at("sequence"), i);
      different.insert(found[i].at("settings").dump());
    }
    EXPECT_EQ(different.size(), found.size());
    EXPECT_FALSE(home.winner().is_null());
    expect_no_processes(home);
  }
}

TEST(Fault38, OneInterruptFinishesConfirmsAndPublishes) {
  const SimulatedHome home;
  Running running(home.home(), SimulatedHome::words({"--budget", "1000"}),
                  home.environment("real_time:1"));
  ASSERT_TRUE(await_trials(home.home(), 3));
  const auto begin = std::chrono::steady_clock::now();
  const Said said = running.end_with(SIGINT);
  EXPECT_EQ(said.code, 130) << said.err;
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 15s);
  EXPECT_FALSE(home.winner().is_null());
  expect_no_processes(home);
  const Said later = home.tune();
  EXPECT_TRUE(later.says("continuing run 1")) << later.err;
}

TEST(Fault38, ASecondInterruptOrATerminationStopsNowAndPublishesNothing) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const SimulatedHome home;
    // It hangs where only force helps.
    Running running(home.home(), SimulatedHome::words({"--budget", "1000"}),
                    home.environment(std::string("hang:") + some_kernels));
    ASSERT_TRUE(await_trials(home.home(), 5));
    std::this_thread::sleep_for(300ms);
    if (signal == SIGINT) {
      kill(running.id(), SIGINT);
      std::this_thread::sleep_for(200ms);
    }
    const auto begin = std::chrono::steady_clock::now();
    const Said said = running.end_with(signal);
    EXPECT_EQ(said.code, 130) << said.err;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 6s);
    EXPECT_EQ(count_of(said.err, "error: "), 1U) << said.err;
    EXPECT_TRUE(home.winner().is_null());
    expect_no_processes(home);
    EXPECT_EQ(home.run({"log", "--json"}).document().at("runs")[0].at("state"), "interrupted");
  }
}

TEST(Fault38, WorkersDieWithATunerThatIsKilled) {
  const SimulatedHome home;
  Running running(home.home(), SimulatedHome::words({"--budget", "1000"}),
                  home.environment("real_time:1"));
  ASSERT_TRUE(await_trials(home.home(), 1));
  EXPECT_GE(processes_of(home), 2U);
  (void)running.end_with(SIGKILL);
  expect_no_processes(home);
}

}  // namespace
}  // namespace redtune::cli
