// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Runs that are killed, stopped or told to end: what they found is kept, and no process stays. The
// numbers are those of docs/explanation/reliability.md.
#include <cstdlib>
#include <optional>
#include <random>
#include <set>
#include <sstream>

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

/// A tune on the host some of whose compilers never end. What a worker starts only waits for the
/// one that is at work, as g++ does.
class EndlessCompilers {
 public:
  /// of: "compile-worker", "device-worker" or "worker", those of both. first: what they do before.
  explicit EndlessCompilers(const std::string& of, const std::string& first = ":") {
    const std::filesystem::path compiler = home_.home() / "endless";
    const char* other = std::getenv("REDTUNE_HOST_CXX");
    cache::testing::write_text(
        compiler,
        fmt::format("#!/bin/sh\ncase $(tr '\\0' ' ' < /proc/$PPID/cmdline) in\n"
                    "*{0}*) ;;\n*) exec {1} \"$@\" ;;\nesac\n"
                    "[ $1 = --version ] && exec {1} --version\n"
                    "{2}\nsleep 100 &\n"
                    "for source; do :; done\n"
                    "echo $PPID $$ $! $source $(tr '\\0' ' ' < /proc/$PPID/cmdline) >> {3}\nwait\n",
                    of, other != nullptr ? other : "c++", first, started_.string()));
    std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
    std::filesystem::create_directory(files_);
    Words environment = home_.environment();
    environment.insert(environment.end(),
                       {"REDTUNE_HOST_CXX=" + compiler.string(), "TMPDIR=" + files_.string()});
    tune_.emplace(home_.home(), Words{"tune", "--device", "host", "--count", "1000", "--jobs", "1"},
                  environment);
  }
  struct Processes {
    pid_t worker = 0;
    pid_t driver = 0;  ///< waits
    pid_t compiler = 0;
    std::string source;  ///< the compiler's
  };
  /// Of a worker, once it has started a compiler. kind: "compile-worker" or "device-worker".
  [[nodiscard]] Processes compiler_of(const std::string& kind) const {
    for (int turn = 0; turn < 1000; ++turn) {
      for (const std::string& line : lines_in(cache::testing::read_text(started_))) {
        Processes found;
        std::istringstream(line) >> found.worker >> found.driver >> found.compiler >> found.source;
        if (line.find(kind) != std::string::npos) return found;
      }
      std::this_thread::sleep_for(20ms);
    }
    ADD_FAILURE() << "no compiler of a " << kind;
    return {};
  }
  [[nodiscard]] bool is_at_work(const Processes& those) const {
    return belongs_to(home_, fmt::format("/proc/{}", those.driver)) &&
           belongs_to(home_, fmt::format("/proc/{}", those.compiler));
  }
  /// Within two seconds.
  [[nodiscard]] bool end(const Processes& those) const {
    const auto is_there = [&](pid_t process) {
      return belongs_to(home_, fmt::format("/proc/{}", process));
    };
    for (int turn = 0; turn < 100; ++turn) {
      if (!is_there(those.driver) && !is_there(those.compiler)) return true;
      std::this_thread::sleep_for(20ms);
    }
    return false;
  }
  [[nodiscard]] Running& tune() { return *tune_; }
  [[nodiscard]] const SimulatedHome& home() const { return home_; }

 private:
  SimulatedHome home_;
  std::filesystem::path started_ = home_.home() / "started";
  std::filesystem::path files_ = home_.home() / "files";
  std::optional<Running> tune_;
};

TEST(Fault38, CompilersDieWithAWorkerThatIsKilled) {
  for (const char* kind : {"compile-worker", "device-worker"}) {
    const EndlessCompilers compilers(kind);
    const auto those = compilers.compiler_of(kind);
    ASSERT_GT(those.worker, 0) << kind;
    EXPECT_TRUE(compilers.is_at_work(those)) << kind;
    kill(those.worker, SIGKILL);
    EXPECT_TRUE(compilers.end(those)) << kind;
  }
}

TEST(Fault38, CompilersDieWithATunerThatIsKilled) {
  EndlessCompilers compilers("worker", "trap '' TERM");
  EXPECT_TRUE(compilers.is_at_work(compilers.compiler_of("compile-worker")));
  EXPECT_TRUE(compilers.is_at_work(compilers.compiler_of("device-worker")));
  (void)compilers.tune().end_with(SIGKILL);
  expect_no_processes(compilers.home());
}

TEST(Fault38, CompilersThatAreToldToEndTakeTheirFilesAlong) {
  EndlessCompilers compilers("compile-worker");
  const auto those = compilers.compiler_of("compile-worker");
  EXPECT_TRUE(compilers.is_at_work(those));
  const std::filesystem::path folder = std::filesystem::path(those.source).parent_path();
  EXPECT_TRUE(std::filesystem::exists(folder)) << folder;
  (void)compilers.tune().end_with(SIGKILL);
  expect_no_processes(compilers.home());
  EXPECT_FALSE(std::filesystem::exists(folder)) << folder;
}

}  // namespace
}  // namespace redtune::cli
