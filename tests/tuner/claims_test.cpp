// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A list from which several take: nothing is lost, nothing is done twice, and whoever is last does
// not wait for ever.
#include "tuner/claims.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <set>
#include <thread>

namespace redtune::tuner {
namespace {

using namespace std::chrono_literals;
using Heir = Claims::Heir;
using Blame = Claims::Blame;

TEST(Claims, HandEachThingToOneTakerInOrder) {
  Claims claims(3, 1);
  EXPECT_EQ(claims.next(0), 0U);
  for (const std::size_t expected : {0U, 1U, 2U}) {
    EXPECT_EQ(claims.take(0), expected);
    claims.done();
  }
  EXPECT_EQ(claims.next(0), std::nullopt);
  EXPECT_EQ(claims.take(0), std::nullopt);
  EXPECT_EQ(Claims(0, 2).take(0), std::nullopt);
}

TEST(Claims, HandOutEverythingOnceToManyAtATime) {
  constexpr std::size_t count = 1000;
  Claims claims(count, 8);
  std::vector<std::atomic<int>> taken(count);
  {
    std::vector<std::jthread> takers;
    for (int i = 0; i < 8; ++i) {
      takers.emplace_back([&] {
        while (const auto one = claims.take(0)) {
          ++taken[*one];
          claims.done();
        }
      });
    }
  }
  for (const auto& times : taken) EXPECT_EQ(times, 1);
}

/// Else a device would compile for a problem that another one takes meanwhile.
TEST(Claims, KeepWhatWasMeantForATakerWhileThereIsMore) {
  Claims claims(5, 2);
  ASSERT_EQ(claims.take(0), 0U);
  EXPECT_EQ(claims.next(0), 1U);
  EXPECT_EQ(claims.next(0), 1U);
  ASSERT_EQ(claims.take(1), 2U);
  EXPECT_EQ(claims.next(1), 3U);
  claims.done();
  EXPECT_EQ(claims.take(1), 3U);
  claims.done();
  EXPECT_EQ(claims.take(1), 4U);
  claims.done();
  EXPECT_FALSE(claims.are_all_taken());
  EXPECT_EQ(claims.take(1), 1U) << "there is nothing else, and nobody waits";
  claims.done();
  claims.done();
  EXPECT_TRUE(claims.are_all_taken());
  EXPECT_EQ(claims.take(0), std::nullopt);
}

TEST(Claims, WaitForWhatMayComeBack) {
  Claims claims(1, 2);
  ASSERT_EQ(claims.take(0), 0U);
  std::optional<std::size_t> heir;
  {
    const std::jthread waiting([&] { heir = claims.take(0); });
    std::this_thread::sleep_for(20ms);
    EXPECT_EQ(claims.leave(0, Blame::perhaps_the_thing), Heir::another);
  }
  EXPECT_EQ(heir, 0U);
  EXPECT_EQ(claims.takers(), 1U);
}

TEST(Claims, TakeWhatMayBeToBlameLastAndOnceMore) {
  Claims claims(3, 3);
  ASSERT_EQ(claims.take(0), 0U);
  EXPECT_EQ(claims.leave(0, Blame::perhaps_the_thing), Heir::another);
  for (const std::size_t expected : {1U, 2U}) {
    EXPECT_EQ(claims.take(0), expected);
    claims.done();
  }
  EXPECT_EQ(claims.take(0), 0U);
  EXPECT_EQ(claims.leave(0, Blame::perhaps_the_thing), Heir::none_as_two_failed);
  EXPECT_EQ(claims.take(0), std::nullopt);
}

TEST(Claims, TakeFirstWhatNothingIsWrongWith) {
  Claims claims(2, 2);
  ASSERT_EQ(claims.take(0), 0U);
  claims.give_back(0);
  EXPECT_EQ(claims.take(0), 0U);
  EXPECT_EQ(claims.leave(0, Blame::taker), Heir::another);
  EXPECT_EQ(claims.take(0), 0U);
  EXPECT_EQ(claims.leave(0, Blame::taker), Heir::nobody);
  EXPECT_EQ(claims.take(0), std::nullopt) << "nobody is left";
}

TEST(Claims, EndForWhoWaits) {
  Claims claims(1, 2);
  ASSERT_EQ(claims.take(0), 0U);
  std::optional<std::size_t> got = 7;
  {
    const std::jthread waiting([&] { got = claims.take(0); });
    std::this_thread::sleep_for(20ms);
    claims.end();
  }
  EXPECT_EQ(got, std::nullopt);
  claims.pause(1h);  // there is nothing to wait for
}

}  // namespace
}  // namespace redtune::tuner
