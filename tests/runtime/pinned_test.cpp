// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Pinned: the same bits, in each Reducer, workspace and process, as long as the results are the
// same, and in one process even when they change.
#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <memory>
#include <thread>

#include "tests/runtime/pinned_bits.hpp"
#include "tests/runtime/published.hpp"

namespace redtune {
namespace {

using namespace testing_runtime;

Settings settings(const char* block_size, const char* items) {
  Settings settings = unusual_settings();
  settings[1].value = block_size;
  settings[2].value = items;
  return settings;
}

class Pinned : public testing::Test {
 protected:
  Pinned() { publish(30'000, settings("4", "8")); }

  void publish(std::int64_t count, const Settings& settings) {
    results_.publish(make_problem(Op::sum, DType::f32, count), identify_device("host"), settings);
  }
  [[nodiscard]] std::string bits(const Reducer& reducer) const {
    Workspace workspace = reducer.make_workspace();
    return bits_of(reducer, workspace);
  }
  [[nodiscard]] std::string bits_of_another_process() const {
    const std::string command = "'" REDTUNE_PINNED_BITS "' '" + results_.path() + "'";
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::string text(1000, '\0');
    text.resize(std::fread(text.data(), 1, text.size(), pipe.get()));
    return text;
  }

  ResultsFile results_;
};

TEST_F(Pinned, GivesTheSameBitsInEveryWorkspaceThreadAndReducer) {
  const Reducer first = pinned_reducer(results_.path());
  const std::string expected = bits(first);
  EXPECT_EQ(bits(first), expected);
  const Reducer made_for_another_count = pinned_reducer(results_.path(), 123);
  EXPECT_EQ(bits(made_for_another_count), expected);
  std::string elsewhere;
  std::thread([&] { elsewhere = bits(first); }).join();
  EXPECT_EQ(elsewhere, expected);
}

/// Large inputs are read by other kernels, in another order.
TEST_F(Pinned, GivesTheSameBitsWhateverCountAReducerIsMadeFor) {
  Settings dealt = settings("4", "8");
  std::ranges::find(dealt, "tile_order", &Setting::name)->value = "strided";
  publish(30'000, dealt);
  const std::string expected = bits(pinned_reducer(results_.path(), 1000));
  EXPECT_EQ(bits(pinned_reducer(results_.path(), std::int64_t{1} << 24)), expected);
}

TEST_F(Pinned, GivesTheSameBitsInEveryProcess) {
  const std::string expected = bits(pinned_reducer(results_.path()));
  EXPECT_EQ(bits_of_another_process(), expected);
  EXPECT_EQ(bits_of_another_process(), expected);
}

TEST_F(Pinned, OfThisProcessStaysWhenResultsAreAdded) {
  const std::string before = bits(pinned_reducer(results_.path()));
  publish(30'000, settings("1", "64"));
  publish(1000, settings("16", "2"));
  EXPECT_EQ(bits(pinned_reducer(results_.path())), before);
  EXPECT_EQ(bits(pinned_reducer(results_.path(), 1000)), before);
  // Proof that there was something to change: the results are new for whoever comes now.
  EXPECT_NE(bits_of_another_process(), before);
  const Reducer unpinned(make_problem(Op::sum, DType::f32, 1000),
                         {.device = "host", .lookup = results_.options()});
  EXPECT_NE(bits(unpinned), before);
}

TEST_F(Pinned, IsNotForSumsInAnyOrder) {
  const Problem problem = make_problem(Op::sum, DType::f32, 1000, {.order = Order::any});
  EXPECT_THROW(Reducer(problem, {.device = "host", .lookup = results_.options(), .pinned = true}),
               UsageError);
}

}  // namespace
}  // namespace redtune
