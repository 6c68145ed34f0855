// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What stays of older snapshots, and for how long.
#include "cache/snapshot/generations.hpp"

#include <chrono>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <set>

#include "cache/snapshot/snapshot.hpp"
#include "redtune/error.hpp"
#include "samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;
using namespace std::chrono_literals;
using Names = std::set<std::string>;

class Generations : public ::testing::Test {
 protected:
  void publish(std::int64_t generation) {
    publish_snapshot(file_, {.generation = generation, .entries = {sample_entry(generation)}});
  }
  void touch(const std::string& name, std::chrono::file_clock::duration ago) {
    if (!exists(folder_ / name)) write_text(folder_ / name, "");
    last_write_time(folder_ / name, now_ - ago);
  }
  /// How long today, in UTC, has gone on when the test began.
  [[nodiscard]] std::chrono::file_clock::duration since_midnight() const {
    const auto now = std::chrono::file_clock::to_sys(now_);
    return now - std::chrono::floor<std::chrono::days>(now);
  }
  [[nodiscard]] Names names() const {
    Names names;
    for (const auto& one : std::filesystem::directory_iterator(folder_ / "")) {
      names.insert(one.path().filename().string());
    }
    return names;
  }
  [[nodiscard]] std::int64_t generation_of(const std::string& name) const {
    return generation_in(folder_ / name).value_or(-1);
  }

  const std::filesystem::file_time_type now_ = std::filesystem::file_time_type::clock::now();
  const ScratchFolder folder_;
  const std::filesystem::path file_ = folder_ / "best-v1.snap";
};

TEST_F(Generations, TheNewestHasTwoNamesAndTwoOlderOnesStay) {
  for (std::int64_t generation = 1; generation <= 5; ++generation) {
    publish(generation);
    EXPECT_EQ(generation_of("best-v1.snap"), generation);
  }
  EXPECT_EQ(names(), (Names{"best-v1.snap", "best-v1.3.snap", "best-v1.4.snap", "best-v1.5.snap"}));
  EXPECT_EQ(generation_of("best-v1.3.snap"), 3);
  EXPECT_TRUE(equivalent(file_, folder_ / "best-v1.5.snap"));
}

TEST_F(Generations, OlderOnesGoAfterADayButForTheLastOfTheirs) {
  publish(1);
  publish(2);
  touch("best-v1.1.snap", since_midnight() + 26h);
  touch("best-v1.2.snap", since_midnight() + 25h);
  publish(3);
  EXPECT_EQ(names(), (Names{"best-v1.snap", "best-v1.2.snap", "best-v1.3.snap"}));
}

TEST_F(Generations, TheLastOfEachDayStaysFor30Days) {
  Names expected{"best-v1.snap", "best-v1.100.snap"};
  for (int day = 1; day <= 32; ++day) {
    const std::string last = fmt::format("best-v1.{}.snap", 100 - 2 * day);
    touch(fmt::format("best-v1.{}.snap", 99 - 2 * day), since_midnight() + 24h * (day - 1) + 2h);
    touch(last, since_midnight() + 24h * (day - 1) + 1h);
    if (since_midnight() + 24h * (day - 1) + 1h < 24h * 30) expected.insert(last);
  }
  touch("best-v1.97.snap", since_midnight() + 47h);  // among the two newest, but too old for that
  publish(100);
  EXPECT_EQ(names(), expected);
  EXPECT_GE(expected.size(), 31U);
}

TEST_F(Generations, AreListedTheNewestFirst) {
  EXPECT_TRUE(kept_generations(folder_ / "missing/best-v1.snap").empty());
  for (std::int64_t generation = 1; generation <= 3; ++generation) publish(generation);
  touch("best-v1.1.snap", 2h);
  touch("best-v1.2.snap", 1h);
  std::vector<std::int64_t> numbers;
  for (const Generation& one : kept_generations(file_)) {
    numbers.push_back(one.number);
    EXPECT_EQ(generation_in(one.file), one.number);
  }
  EXPECT_EQ(numbers, (std::vector<std::int64_t>{3, 2, 1}));
}

TEST_F(Generations, OfAStoreThatBeganAnewTakeTheirTurn) {
  publish(50);
  touch("best-v1.50.snap", since_midnight() / 2);  // of today, at any time of the day
  for (std::int64_t generation = 1; generation <= 3; ++generation) publish(generation);
  EXPECT_EQ(names(), (Names{"best-v1.snap", "best-v1.1.snap", "best-v1.2.snap", "best-v1.3.snap"}));
  publish(3);  // written again
  EXPECT_EQ(generation_of("best-v1.3.snap"), 3);
}

TEST_F(Generations, NobodyElsesFileIsTouched) {
  const Names others{"best-v1.db",         "best-v1.x1.snap",       "best-v1..snap",
                     "my.db.best-v1.snap", "my.db.best-v1.4.snap",  "best-v1.snap.backup",
                     "best-v2.1.snap",     "best-v1.snap.tmp-1234", "results-v1.db"};
  for (const std::string& name : others) touch(name, std::chrono::hours(100));
  touch("best-v1.snap.tmp-a1B2c3", std::chrono::hours(25));  // of a process that was killed
  touch("best-v1.snap.tmp-a1B2c4", std::chrono::hours(1));   // somebody may be writing it
  publish(1);
  Names expected = others;
  expected.insert({"best-v1.snap", "best-v1.1.snap", "best-v1.snap.tmp-a1B2c4"});
  EXPECT_EQ(names(), expected);
}

TEST_F(Generations, AFolderThatTakesNoMoreNamesCostsNoAnswer) {
  std::filesystem::create_directories(folder_ / "best-v1.2.snap/inside");
  publish(2);
  EXPECT_EQ(generation_of("best-v1.snap"), 2);
}

}  // namespace
}  // namespace redtune::cache
