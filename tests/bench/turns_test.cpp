// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/launch_overhead/turns.hpp"

#include <gtest/gtest.h>
#include <string>

namespace redtune::bench {
namespace {

TEST(Turns, PutEachFirstOnceInARound) {
  std::string order;
  const auto says = [&](char name) {
    return [&order, name] {
      order += name;
      return 1.0;
    };
  };
  ASSERT_EQ(take_turns(2, says('a'), says('b')).size(), 2U);
  ASSERT_EQ(order.size(), 4U * (2 + warm_up_rounds));
  for (std::size_t at = 0; at < order.size(); at += 4) EXPECT_EQ(order.substr(at, 4), "abba");
}

TEST(Turns, OfTheWarmUpAreNotKept) {
  int taken = 0;
  const Turn one = [&] { return ++taken <= 2 * warm_up_rounds ? 1000.0 : 3.0; };
  for (const Round& round : take_turns(3, one, [] { return 1.0; })) EXPECT_EQ(round.one, 3);
}

TEST(Turns, CancelWhatAMachineGetsSlowerBy) {
  double now = 0;
  const Turn slower = [&] { return now += 1; };  // whoever asks, later costs more
  for (const Round& round : take_turns(5, slower, slower)) EXPECT_EQ(round.one, round.other);
}

}  // namespace
}  // namespace redtune::bench
