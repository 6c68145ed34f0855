// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is never tried again, and for which questions.
#include <functional>
#include <gtest/gtest.h>

#include "cache/store/sqlite.hpp"
#include "cache/store/store.hpp"
#include "redtune/error.hpp"
#include "samples.hpp"

namespace redtune::cache {
namespace {

using namespace testing;
using enum ExclusionScope;

Exclusion sample_exclusion(ExclusionScope scope, int block_size = 256) {
  return {.question = question_of(sample_start()),
          .settings = sample_settings(block_size),
          .scope = scope,
          .status = "timed_out",
          .detail = "no end after 30 s"};
}

/// How many of the three scopes hold for a question that differs from the excluded one.
std::size_t that_hold(const std::function<void(Question&)>& change) {
  Store store = Store::in_memory();
  for (const auto scope : {toolchain, device, problem}) store.exclude(sample_exclusion(scope));
  Question question = question_of(sample_start());
  change(question);
  const auto found = store.exclusions(question);
  for (const Exclusion& one : found) EXPECT_EQ(one.question, question);
  return found.size();
}

TEST(Exclusions, ComeBackAsTheyWentInOldestFirst) {
  const ScratchFolder folder;
  const std::vector all{sample_exclusion(problem), sample_exclusion(toolchain, 512),
                        sample_exclusion(device, 128)};
  {
    Store store = Store::open(folder / "my.db");
    for (const Exclusion& one : all) store.exclude(one);
  }
  const Store store = Store::open(folder / "my.db");
  EXPECT_EQ(store.exclusions(question_of(sample_start())), all);
}

TEST(Exclusions, HoldAsFarAsTheirScopeReaches) {
  EXPECT_EQ(that_hold([](Question&) {}), 3U);
  EXPECT_EQ(that_hold([](Question& q) { q.problem.count = 3; }), 2U) << "not of one problem";
  EXPECT_EQ(that_hold([](Question& q) { q.device_class.compute_units = 1; }), 1U)
      << "of the toolchain only";
  EXPECT_EQ(that_hold([](Question& q) { q.toolchain.compiler = "new"; }), 0U);
  EXPECT_EQ(that_hold([](Question& q) { q.space_key = "space-2"; }), 0U);
  EXPECT_EQ(that_hold([](Question& q) { q.family = "other"; }), 0U);
}

TEST(Exclusions, StayTheSameWhenTheyAreMadeAgain) {
  Store store = Store::in_memory();
  for (const auto scope : {toolchain, device, problem}) {
    store.exclude(sample_exclusion(scope));
    Exclusion again = sample_exclusion(scope);
    again.status = "crashed";
    EXPECT_NO_THROW(store.exclude(again));
  }
  const auto found = store.exclusions(question_of(sample_start()));
  ASSERT_EQ(found.size(), 3U);
  for (const Exclusion& one : found) EXPECT_EQ(one.status, "timed_out");
}

TEST(Exclusions, NeedAReason) {
  Store store = Store::in_memory();
  Exclusion exclusion = sample_exclusion(device);
  exclusion.status.clear();
  EXPECT_THROW(store.exclude(exclusion), UsageError);
}

TEST(Exclusions, OfADamagedConfigExcludeNothingElse) {
  const ScratchFolder folder;
  const auto file = folder / "my.db";
  Store store = Store::open(file);
  store.exclude(sample_exclusion(device, 256));
  Database(file).execute("UPDATE config SET fields = replace(fields, '256', '257')");
  EXPECT_TRUE(store.exclusions(question_of(sample_start())).empty());
}

TEST(Exclusions, OfTwoProcessesAtOnceAreAllKept) {
  const ScratchFolder folder;
  const auto file = folder / "my.db";
  const auto ends = in_children(2, [&](int process) {
    Store store = Store::open(file);
    for (int i = 0; i < 50; ++i) store.exclude(sample_exclusion(device, i + 25 * process));
    return 0;
  });
  EXPECT_EQ(ends, (std::vector{0, 0}));
  EXPECT_EQ(Store::open(file).exclusions(question_of(sample_start())).size(), 75U);
}

}  // namespace
}  // namespace redtune::cache
