// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What applications ask for and nobody has tuned is written down: once for a process and question,
// by any number of processes at a time, and never at their cost. Forks, so it is a program of its
// own without threads.
#include "cache/exchange/wanted.hpp"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <span>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "redtune/best_results.hpp"
#include "redtune/find_best.hpp"
#include "redtune/reducer.hpp"
#include "tests/cache/samples.hpp"
#include "tests/runtime/published.hpp"

namespace redtune {
namespace {

namespace fs = std::filesystem;

DeviceIdentity some_gpu() {
  return {.device_class = {.platform = "hip",
                           .isa = "gfx90a:sramecc+:xnack-",
                           .model = "1002:740f:0c34",
                           .compute_units = 104,
                           .wave_size = 64,
                           .last_level_cache_bytes = 8 << 20,
                           .memory_bytes = std::int64_t{64} << 30},
          .toolchain = {"driver", "runtime", "compiler"},
          .name = "Some GPU"};
}

void ask(std::int64_t count) {
  EXPECT_EQ(find_best(make_problem(Op::sum, DType::f32, count), some_gpu()).match, Match::fallback);
}

class WantedByProcesses : public testing::Test {
 protected:
  [[nodiscard]] fs::path data() const { return folder_ / "data"; }
  [[nodiscard]] fs::path wanted() const { return data() / "redtune/wanted-v1"; }

  /// A process with a home of its own that does this and ends; how, as waitpid tells.
  pid_t start(const std::function<void()>& action) const {
    const pid_t child = fork();
    if (child != 0) return child;
    unsetenv("REDTUNE_WANTED");
    setenv("XDG_DATA_HOME", data().c_str(), 1);
    try {
      action();
    } catch (const std::exception&) {
      _exit(3);
    }
    std::exit(testing::Test::HasFailure() ? 1 : 0);
  }
  static int end_of(pid_t child) {
    int status = -1;
    waitpid(child, &status, 0);
    return status;
  }
  void run(const std::function<void()>& action) const { EXPECT_EQ(end_of(start(action)), 0); }

  /// How many processes asked for each count.
  [[nodiscard]] std::map<std::int64_t, std::uint64_t> counts() const {
    std::map<std::int64_t, std::uint64_t> counts;
    for (const cache::Wanted& one : cache::read_wanted(wanted())) {
      counts[one.question.problem.count] += one.processes;
    }
    return counts;
  }
  using Counts = std::map<std::int64_t, std::uint64_t>;

  cache::testing::ScratchFolder folder_;
};

TEST_F(WantedByProcesses, IsWrittenOnceForAProcessAndAQuestion) {
  for (int i = 0; i < 2; ++i) {
    run([] {
      for (int again = 0; again < 5; ++again) ask(1000);
      ask(2000);
      const BestResults results(some_gpu());
      for (const std::int64_t count : {2000, 3000, 3000}) {
        (void)results.find(make_problem(Op::sum, DType::f32, count));
      }
    });
  }
  EXPECT_EQ(counts(), (Counts{{1000, 2}, {2000, 2}, {3000, 2}}));
  const auto all = cache::read_wanted(wanted());
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].device, "Some GPU");
  EXPECT_EQ(all[0].match, Match::fallback);
  EXPECT_EQ(all[0].launches, 0U);
  EXPECT_EQ(all[0].question.family, "reduce");
  EXPECT_EQ(all[0].question.device_class, some_gpu().device_class);
  EXPECT_EQ(cache::forget_wanted(wanted()), 2U);
  EXPECT_TRUE(fs::is_empty(wanted()));
}

TEST_F(WantedByProcesses, IsNotLostBySixtyFourAtOnce) {
  constexpr int many = 64;
  std::vector<pid_t> children;
  for (int i = 0; i < many; ++i) {
    children.push_back(start([i] {
      ask(7);
      ask(1000 + i);
      ask(1000 + (i + 1) % many);
    }));
  }
  for (const pid_t child : children) EXPECT_EQ(end_of(child), 0);
  Counts expected{{7, many}};
  for (int i = 0; i < many; ++i) expected[1000 + i] = 2;
  EXPECT_EQ(counts(), expected);
  for (const auto& entry : fs::directory_iterator(wanted())) {
    EXPECT_EQ(entry.path().extension(), ".json") << "a temporary file stayed";
  }
}

TEST_F(WantedByProcesses, IsThereAlsoOfOneThatIsKilled) {
  const pid_t child = start([] {
    ask(1000);
    raise(SIGKILL);
  });
  EXPECT_TRUE(WIFSIGNALED(end_of(child)));
  EXPECT_EQ(counts(), (Counts{{1000, 1}}));
}

TEST_F(WantedByProcesses, IsNothingWhereItIsTurnedOff) {
  run([] {
    setenv("REDTUNE_WANTED", "off", 1);
    ask(1000);
  });
  EXPECT_FALSE(fs::exists(data()));
}

TEST_F(WantedByProcesses, IsNotWhatIsTuned) {
  testing_runtime::ResultsFile results;
  const Problem problem = make_problem(Op::sum, DType::f32, 1000);
  results.publish(problem, some_gpu(),
                  find_best(problem, some_gpu(), results.options(Match::fallback)).settings);
  run([&] {
    EXPECT_EQ(find_best(problem, some_gpu(), results.options(Match::exact)).match, Match::exact);
  });
  EXPECT_FALSE(fs::exists(data()));
}

TEST_F(WantedByProcesses, IsWhatWasRefused) {
  const Problem problem = make_problem(Op::sum, DType::f32, 1000);
  run([&] {
    EXPECT_THROW((void)find_best(problem, some_gpu(), {.minimum = Match::exact}), UnmetMatch);
  });
  EXPECT_EQ(counts(), (Counts{{1000, 1}}));
}

TEST_F(WantedByProcesses, HasTheLaunchesOfReducers) {
  run([] {
    const std::vector<float> ones(1000, 1.0F);
    const Problem problem = make_problem(Op::sum, DType::f32, 1000);
    {
      Reducer gone(problem, {.device = "host"});
      EXPECT_EQ(gone.reduce<float>(std::span<const float>(ones)), 1000.0F);
    }
    auto* const living = new Reducer(problem, {.device = "host"});
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(living->reduce<float>(std::span<const float>(ones)), 1000.0F);
    }
  });
  const auto all = cache::read_wanted(wanted());
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].launches, 4U);
  EXPECT_EQ(all[0].processes, 1U);
}

TEST_F(WantedByProcesses, IsOfAForkedProcessOnlyWhatItAsksItself) {
  run([this] {
    ask(1000);
    const pid_t silent = fork();
    if (silent == 0) {
      (void)cache::forget_wanted(wanted());
      std::exit(0);
    }
    EXPECT_EQ(end_of(silent), 0);
    EXPECT_TRUE(cache::read_wanted(wanted()).empty()) << "it wrote what its parent asked";
    const pid_t asking = fork();
    if (asking == 0) {
      ask(2000);
      std::exit(0);
    }
    EXPECT_EQ(end_of(asking), 0);
  });
  EXPECT_EQ(counts(), (Counts{{1000, 1}, {2000, 1}}));
}

TEST_F(WantedByProcesses, DoesNotHoldUpWhoIsForkedMeanwhile) {
  run([] {
    std::atomic<bool> is_done = false;
    std::jthread asking([&] {
      for (std::int64_t count = 1; !is_done; ++count) ask(count % 5000 + 1);
    });
    for (int i = 0; i < 50; ++i) {
      const pid_t forked = fork();
      if (forked == 0) {
        alarm(20);
        std::exit(0);
      }
      EXPECT_EQ(end_of(forked), 0);
    }
    is_done = true;
  });
}

/// Each ends as if it had never asked.
TEST_F(WantedByProcesses, CostsNobodyAnythingWhereItCannotBeWritten) {
  run([] {  // nowhere
    setenv("XDG_DATA_HOME", "/proc/self/fdinfo", 1);
    ask(1000);
  });
  run([] {
    unsetenv("XDG_DATA_HOME");
    unsetenv("HOME");
    ask(1000);
  });
  run([] {  // a full disk
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_FSIZE, &none);
    ask(1000);
  });
  EXPECT_TRUE(!fs::exists(wanted()) || fs::is_empty(wanted()));
  fs::create_directories(wanted());
  fs::permissions(wanted(), fs::perms::all);  // somebody else may write there
  run([] { ask(1000); });
  EXPECT_TRUE(fs::is_empty(wanted()));
  fs::remove(wanted());
  std::ofstream(wanted()) << "a file\n";
  run([] { ask(1000); });
  EXPECT_TRUE(fs::is_regular_file(wanted()));
}

TEST_F(WantedByProcesses, PassesOverWhatCannotBeUnderstood) {
  run([] { ask(1000); });
  fs::path file;
  for (const auto& entry : fs::directory_iterator(wanted())) file = entry.path();
  const std::string text = cache::testing::read_text(file);
  const auto expect_passed_over = [&](const std::string& content) {
    cache::testing::write_text(wanted() / "1-00000000.wanted.json", content);
    EXPECT_EQ(counts(), (Counts{{1000, 1}})) << content;
  };
  expect_passed_over("");
  expect_passed_over("{");
  expect_passed_over("[]");
  expect_passed_over(R"({"format":"redtune wanted 2","questions":[{}]})");
  expect_passed_over(R"({"format":"redtune wanted 1","questions":[7,{},{"match":"exact"}]})");
  expect_passed_over(text.substr(0, text.size() / 2));
  std::string negative = text;
  negative.replace(negative.find("\"launches\":0"), 12, "\"launches\":-1");
  expect_passed_over(negative);
}

}  // namespace
}  // namespace redtune
