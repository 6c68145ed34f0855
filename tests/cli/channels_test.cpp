// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Channels of a batch from the command line: tuned, remembered, found and reduced.
#include <gtest/gtest.h>
#include <vector>

#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

TEST(ChannelsOnTheCommandLine, AreTunedFoundAndReduced) {
  const Home home;
  const auto with_channels = [&](Words words) {
    words.insert(words.end(), {"--shape", "6x40x7x7", "--axis", "0,2,3"});
    return words;
  };
  const Said tuned = home.run(with_channels({"tune", "--device", "host", "--budget", "6",
                                             "--cache-mode", "warm", "--force-noisy", "--json"}));
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  const Said found = home.run(with_channels(
      {"query", "--device", "host", "--cache-mode", "warm", "--min-match", "exact", "--json"}));
  ASSERT_EQ(found.code, 0) << found.out;
  EXPECT_EQ(found.document().at("family"), "reduce_channels");
  EXPECT_EQ(found.document().at("settings"), tuned.document().at("winner"));
  EXPECT_EQ(found.document().at("problem").at("batch"), 6);
  EXPECT_EQ(found.document().at("problem").at("outer"), 40);
  EXPECT_EQ(found.document().at("problem").at("count"), 49);
  EXPECT_TRUE(home.run({"cache", "list"}).says("[6]x40x[49]"));
  EXPECT_EQ(home.run({"cache", "verify"}).code, 0);

  const Said reduced = home.run(with_channels({"reduce", "--device", "host", "--json"}));
  ASSERT_EQ(reduced.code, 0) << reduced.err;
  EXPECT_EQ(reduced.document().at("values").size(), 40U);
}

TEST(ChannelsOnTheCommandLine, OfAFileAreReduced) {
  const Home home;
  std::vector<float> values;
  for (int i = 0; i < 24; ++i) values.push_back(static_cast<float>(i));
  const auto file = home / "channels.bin";
  cache::testing::write_text(
      file, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
  const auto reduce = [&](Words words) {
    words.insert(words.begin(), {"reduce", file.string(), "--device", "host"});
    return home.run(words);
  };
  EXPECT_TRUE(
      reduce({"--shape", "2x3x4", "--axis", "0,2"}).says("sum of [2]x3x[4] f32 = 60, 92, 124\n"));
  EXPECT_TRUE(reduce({"--shape", "2x3x2x2", "--axis", "0,-1,-2", "--op", "mean"})
                  .says("mean of [2]x3x[4] f32 = 7.5, 11.5, 15.5\n"));
  EXPECT_TRUE(reduce({"--shape", "2x3x4", "--axis", "0,2", "--op", "argmax"})
                  .says("15 at 7, 19 at 7, 23 at 7"));
}

}  // namespace
}  // namespace redtune::cli
