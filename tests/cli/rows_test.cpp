// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Rows from the command line: tuned, remembered, found and reduced, and one line for what is wrong.
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <vector>

#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

std::string file_of_rows(const Home& home, const std::vector<float>& values) {
  const auto file = home / "rows.bin";
  cache::testing::write_text(
      file, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
  return file.string();
}

TEST(RowsOnTheCommandLine, AreTunedFoundAndReduced) {
  const Home home;
  const Words rows{"--shape", "300x50", "--axis", "-1"};
  const auto with_rows = [&](Words words) {
    words.insert(words.end(), rows.begin(), rows.end());
    return words;
  };
  const Said tuned = home.run(with_rows({"tune", "--device", "host", "--budget", "6",
                                         "--cache-mode", "warm", "--force-noisy", "--json"}));
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  const json result = tuned.document();
  const Said found = home.run(with_rows(
      {"query", "--device", "host", "--cache-mode", "warm", "--min-match", "exact", "--json"}));
  ASSERT_EQ(found.code, 0) << found.out;
  EXPECT_EQ(found.document().at("family"), "reduce_rows");
  EXPECT_EQ(found.document().at("settings"), result.at("winner"));
  EXPECT_EQ(found.document().at("problem").at("outer"), 300);
  EXPECT_EQ(found.document().at("problem").at("count"), 50);
  EXPECT_TRUE(home.run({"cache", "list"}).says("300x[50]"));
  EXPECT_EQ(home.run({"cache", "verify"}).code, 0);

  const Said reduced = home.run(with_rows({"reduce", "--device", "host", "--json"}));
  ASSERT_EQ(reduced.code, 0) << reduced.err;
  EXPECT_EQ(reduced.document().at("results"), 300);
  EXPECT_EQ(reduced.document().at("values").size(), 300U);
}

TEST(RowsOnTheCommandLine, OfOneOrderHaveTheAnswerOfAnyNumber) {
  const Home home;
  const Said tuned = home.run({"tune", "--shape", "300x50", "--axis", "-1", "--order", "rows",
                               "--device", "host", "--budget", "4", "--force-noisy", "--json"});
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  for (const std::string shape : {"1x50", "300x50", "4096x50"}) {
    const Said found = home.run({"query", "--shape", shape, "--axis", "-1", "--order", "rows",
                                 "--device", "host", "--min-match", "exact", "--json"});
    ASSERT_EQ(found.code, 0) << found.out << found.err;
    EXPECT_EQ(found.document().at("family"), "reduce_rows");
    EXPECT_EQ(found.document().at("settings"), tuned.document().at("winner"));
    EXPECT_EQ(found.document().at("problem").at("order"), "rows");
  }
  EXPECT_TRUE(home.run({"cache", "list"}).says("rows order"));
  EXPECT_EQ(home.run({"query", "--shape", "300x50", "--axis", "-1", "--device", "host",
                      "--min-match", "near"})
                .code,
            4)
      << "another question";
}

TEST(RowsOnTheCommandLine, OfAFileAreReduced) {
  const Home home;
  std::vector<float> values;
  for (int i = 0; i < 15; ++i) values.push_back(static_cast<float>(i));
  const std::string file = file_of_rows(home, values);
  const auto reduce = [&](Words words) {
    words.insert(words.begin(), {"reduce", file, "--device", "host"});
    return home.run(words);
  };
  const std::string results = home / "results.bin";
  EXPECT_TRUE(reduce({"--shape", "5x3", "--axis", "1", "--results", results})
                  .says("sum of 5x[3] f32 = 3, 12, 21, 30, ... (5 results)"));
  std::vector<float> sums(5);
  std::ifstream stream(results, std::ios::binary);
  stream.read(reinterpret_cast<char*>(sums.data()), 20);
  EXPECT_TRUE(stream);
  EXPECT_EQ(sums, (std::vector<float>{3, 12, 21, 30, 39}));
  EXPECT_TRUE(reduce({"--shape", "5x3"}).says("sum of 15 f32 = 105"));
  EXPECT_TRUE(
      reduce({"--shape", "3x5", "--axis", "0,1", "--op", "max"}).says("max of 15 f32 = 14"));
  // Four rows of three, each four behind the last.
  EXPECT_TRUE(reduce({"--shape", "4x3", "--axis", "1", "--strides", "4,1"})
                  .says("sum of 4x[3] outer_pitch 4 f32 = 3, 15, 27, 39\n"));
}

TEST(RowsOnTheCommandLine, HaveSeveralValuesByTheirNames) {
  const Home home;
  const std::string file = file_of_rows(home, {3, 1, 2, 6, 7, 7, 7, 7});
  const auto reduce = [&](Words words) {
    words.insert(words.begin(), {"reduce", file, "--device", "host", "--shape", "2x4"});
    return home.run(words);
  };
  EXPECT_TRUE(reduce({"--axis", "1", "--op", "mean_variance"})
                  .says("mean_variance of 2x[4] f32 = mean 3 variance 3.5, mean 7 variance 0\n"));
  EXPECT_TRUE(reduce({"--op", "min_max"}).says("min_max of 8 f32 = min 1 max 7\n"));
  const json rows = reduce({"--axis", "1", "--op", "softmax_stats", "--json"}).document();
  EXPECT_EQ(rows.at("values")[1], (json{{"max", "7"}, {"sum", "4"}}));
  const json all = reduce({"--op", "min_max", "--json"}).document();
  EXPECT_EQ(all.at("value"), (json{{"min", "1"}, {"max", "7"}}));
  EXPECT_TRUE(reduce({"--op", "max_argmax"}).says("argmax of 8 f32 = 7 at 4\n"));
}

TEST(RowsOnTheCommandLine, AreRefusedInOneLine) {
  const Home home;
  const std::string file = file_of_rows(home, std::vector<float>(15));
  const auto expect_refused = [&](const Words& words, const std::string& why) {
    const Said said = home.run(words);
    EXPECT_EQ(said.code, 2) << fmt::format("{}", fmt::join(words, " "));
    EXPECT_EQ(said.out, "");
    EXPECT_EQ(said.err, fmt::format("redtune: error: {}\n", why));
  };
  expect_refused({"query", "--shape", "4x5", "--axis", "2"},
                 "4x5 has no axis 2; its axes are 0 to 1, or -1 to -2 backwards");
  expect_refused({"query", "--shape", "4x", "--axis", "0"},
                 "'4x' is not the shape of an array; write its extents like 4096x1024 or "
                 "2^12x1000");
  expect_refused({"query", "--shape", "4x5", "--axis", "one"},
                 "'one' is not an axis; write 0 for the first, -1 for the last, 0,2 for two of "
                 "them");
  expect_refused({"query", "--axis", "0"}, "--axis is of an array; name its extents by --shape");
  expect_refused({"query", "--shape", "4x5", "--count", "20"},
                 "--count and --shape both say how many elements; leave one of them out");
  expect_refused({"tune", "--device", "host", "--shape", "4x5", "--count", "20"},
                 "--count and --shape both say how many elements; leave one of them out");
  expect_refused({"query", "--shape", "4x5", "--axis", "1", "--strides", "4,1"},
                 "outer_pitch is 4, less than the 5 elements of one outer index");
  expect_refused({"reduce", file, "--shape", "4x4", "--axis", "1"},
                 file + " has 60 bytes, and 4x4 of f32 needs 64");
  expect_refused({"reduce", file, "--shape", "4x3", "--axis", "1"},
                 file + " has 60 bytes, and 4x3 of f32 has 48");
  expect_refused({"kernels", "show", "--family", "reduce", "--shape", "4x3", "--axis", "1"},
                 "reduce has no kernels for sum f32 4x[3] cold; leave --family out, or name "
                 "another");
}

TEST(RowsOnTheCommandLine, AreListedAsAWorkload) {
  const Home home;
  const json list = home.run({"tune", "--device", "host", "--list", "--shape", "4x500,6x70",
                              "--axis", "1", "--op", "sum,max", "--json"})
                        .document();
  EXPECT_EQ(list.at("problems").size(), 4U);
}

}  // namespace
}  // namespace redtune::cli
