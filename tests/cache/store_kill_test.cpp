// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// kill -9 at any moment of what changes a store: what was published goes on answering. The number
// is that of docs/explanation/reliability.md.
#include <chrono>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <thread>

#include "cache/files/paths.hpp"
#include "cache/lookup/lookup.hpp"
#include "cache/store/store.hpp"
#include "spoilt_files.hpp"
#include "tests/support/samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;
using Clock = std::chrono::steady_clock;

RunStart start_to_kill(std::int64_t count) {
  RunStart start = sample_start();
  start.problem.count = count;
  return start;
}

void publish_best(const std::filesystem::path& file, std::int64_t count, int block_size = 256) {
  Store store = Store::open(file);
  store.publish(store.begin(start_to_kill(count)), sample_best(block_size));
}

bool answers(const std::filesystem::path& file, std::int64_t count) {
  return look_up(layers(file), {.family = sample_start().family,
                                .space_key = sample_start().space_key,
                                .problem = start_to_kill(count).problem,
                                .device = sample_start().device})
             .match == Match::exact;
}

void forget_store(const std::filesystem::path& file) {
  for (const char* part : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + part);
}

/// What a process does when it is killed, and what was before.
struct Deed {
  const char* name;
  bool is_published_before;  ///< applications were answered
  void (*prepare)(const std::filesystem::path& file);
  void (*work)(const std::filesystem::path& file);
};

void open_store(const std::filesystem::path& file) {
  (void)Store::open(file);
}

const Deed deeds[]{
    {"publish", true, [](const auto&) {}, [](const auto& file) { publish_best(file, 300); }},
    {"renew", false, [](const auto& file) { std::filesystem::remove(snapshot_of(file)); },
     open_store},
    {"migrate", true,
     [](const auto& file) {
       const auto newer = file.string() + ".newer";
       std::filesystem::rename(file, newer);
       write_older(file, newer, 1);
       std::filesystem::remove(newer);
     },
     open_store},
    {"carry over", true, forget_store, [](const auto& file) { publish_best(file, 300); }},
    {"rescue", true, [](const auto& file) { overwrite(file, 0, std::string(100, 'x')); },
     open_store},
    {"rescue without a snapshot", false,
     [](const auto& file) {
       overwrite(file, 0, std::string(100, 'x'));
       std::filesystem::remove(snapshot_of(file));
     },
     open_store},
    {"restore", true,
     [](const auto& file) {
       std::filesystem::copy_file(snapshot_of(file), file.string() + ".older");
       publish_best(file, 100, 64);
     },
     [](const auto& file) {
       (void)Store::open(file).restore(std::get<Snapshot>(load_snapshot(file.string() + ".older")),
                                       "it");
     }},
};

/// A place with two results, as a deed begins with.
class Prepared {
 public:
  explicit Prepared(const Deed& deed) {
    for (const std::int64_t count : {100, 200}) publish_best(file(), count);
    deed.prepare(file());
  }
  [[nodiscard]] std::filesystem::path file() const { return folder_ / "my.db"; }

 private:
  ScratchFolder folder_{memory_folder()};
};

/// Kills a process that does it after a while; false when it had ended before.
bool is_killed(const Deed& deed, const std::filesystem::path& file, Clock::duration after) {
  const pid_t child = fork();
  if (child == 0) {
    deed.work(file);
    _exit(0);
  }
  std::this_thread::sleep_for(after);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
  return WIFSIGNALED(status);
}

Clock::duration time_of(const Deed& deed) {
  const Prepared place(deed);
  const auto begin = Clock::now();
  const auto ends = in_children(1, [&](int) {
    deed.work(place.file());
    return 0;
  });
  EXPECT_EQ(ends, std::vector<int>{0});
  return Clock::now() - begin;
}

TEST(Fault44, WhatWasPublishedOutlivesAProcessThatIsKilledAtAnyMoment) {
  const int wanted = checks::is_full_run() ? 200 : 60;
  std::mt19937 random(44);
  std::map<std::string, Clock::duration> times;
  for (const Deed& deed : deeds) times[deed.name] = time_of(deed);
  int tries = 0;
  for (int killed = 0; killed < wanted && tries < 2000; ++tries) {
    const Deed& deed = deeds[static_cast<std::size_t>(tries) % std::size(deeds)];
    const Prepared place(deed);
    const double share = std::uniform_real_distribution(0.0, 1.0)(random);
    const auto after = std::chrono::duration_cast<Clock::duration>(share * times[deed.name]);
    if (is_killed(deed, place.file(), after)) ++killed;
    for (const std::int64_t count : {100, 200}) {
      EXPECT_TRUE(!deed.is_published_before || answers(place.file(), count)) << deed.name << count;
    }
    const Store store = Store::open(place.file());
    EXPECT_TRUE(store.is_published()) << deed.name;
    for (const std::int64_t count : {100, 200}) {
      EXPECT_TRUE(store.best(question_of(start_to_kill(count))).has_value()) << deed.name << count;
      EXPECT_TRUE(answers(place.file(), count)) << deed.name << count;
    }
  }
  EXPECT_LT(tries, 2000) << "too few were at work when they were killed";
}

}  // namespace
}  // namespace redtune::cache
