// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Columns from the command line: tuned, remembered, found and reduced.
#include <fstream>
#include <gtest/gtest.h>
#include <vector>

#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

std::string file_of_columns(const Home& home, int count) {
  std::vector<float> values;
  for (int i = 0; i < count; ++i) values.push_back(static_cast<float>(i));
  const auto file = home / "columns.bin";
  cache::testing::write_text(
      file, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
  return file.string();
}

TEST(ColumnsOnTheCommandLine, AreTunedFoundAndReduced) {
  const Home home;
  const auto with_columns = [&](Words words) {
    words.insert(words.end(), {"--shape", "3x300x50", "--axis", "1"});
    return words;
  };
  const Said tuned = home.run(with_columns({"tune", "--device", "host", "--budget", "6",
                                            "--cache-mode", "warm", "--force-noisy", "--json"}));
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  const Said found = home.run(with_columns(
      {"query", "--device", "host", "--cache-mode", "warm", "--min-match", "exact", "--json"}));
  ASSERT_EQ(found.code, 0) << found.out;
  EXPECT_EQ(found.document().at("family"), "reduce_columns");
  EXPECT_EQ(found.document().at("settings"), tuned.document().at("winner"));
  EXPECT_EQ(found.document().at("problem").at("outer"), 3);
  EXPECT_EQ(found.document().at("problem").at("inner"), 50);
  EXPECT_TRUE(home.run({"cache", "list"}).says("3x[300]x50"));
  EXPECT_EQ(home.run({"cache", "verify"}).code, 0);

  const Said reduced = home.run(with_columns({"reduce", "--device", "host", "--json"}));
  ASSERT_EQ(reduced.code, 0) << reduced.err;
  EXPECT_EQ(reduced.document().at("results"), 150);
  EXPECT_EQ(reduced.document().at("values").size(), 150U);
}

TEST(ColumnsOnTheCommandLine, OfAFileAreReduced) {
  const Home home;
  const std::string file = file_of_columns(home, 15);
  const auto reduce = [&](Words words) {
    words.insert(words.begin(), {"reduce", file, "--device", "host"});
    return home.run(words);
  };
  const std::string results = home / "results.bin";
  EXPECT_TRUE(reduce({"--shape", "5x3", "--axis", "0", "--results", results})
                  .says("sum of [5]x3 f32 = 30, 35, 40\n"));
  std::vector<float> sums(3);
  std::ifstream stream(results, std::ios::binary);
  stream.read(reinterpret_cast<char*>(sums.data()), 12);
  EXPECT_TRUE(stream);
  EXPECT_EQ(sums, (std::vector<float>{30, 35, 40}));
  EXPECT_TRUE(reduce({"--shape", "3x5", "--axis", "-2", "--op", "argmax"}).says("of [3]x5 f32"));
  const std::string other = file_of_columns(home, 12);
  EXPECT_TRUE(reduce({"--shape", "2x3x2", "--axis", "1", "--op", "max"})
                  .says("max of 2x[3]x2 f32 = 4, 5, 10, 11\n"));
  // Three lines of two, each four behind the last.
  EXPECT_TRUE(reduce({"--shape", "3x2", "--axis", "0", "--strides", "4,1"})
                  .says("count_pitch 4 f32 = 12, 15\n"));
}

TEST(ColumnsOnTheCommandLine, InTwoPlacesAreRefused) {
  const Home home;
  const Said said = home.run({"query", "--shape", "4x5x6x7", "--axis", "0,2"});
  EXPECT_EQ(said.code, 2);
  EXPECT_EQ(said.err,
            "redtune: error: axes 0 and 2 are reduced and do not lie behind each other in memory; "
            "reduce one after the other\n");
}

}  // namespace
}  // namespace redtune::cli
