// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Segments from the command line: tuned, remembered, found and reduced; offsets that are none are
// told in one line.
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "tests/cli/run_redtune.hpp"

namespace redtune::cli {
namespace {

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

TEST(SegmentsOnTheCommandLine, AreTunedFoundAndReduced) {
  const Home home;
  const auto with_segments = [&](Words words) {
    words.insert(words.end(), {"--count", "3000", "--segments", "200", "--skew", "zipf"});
    return words;
  };
  const Said tuned = home.run(with_segments({"tune", "--device", "host", "--budget", "6",
                                             "--cache-mode", "warm", "--force-noisy", "--json"}));
  ASSERT_EQ(tuned.code, 0) << tuned.err;
  const Said found = home.run(with_segments(
      {"query", "--device", "host", "--cache-mode", "warm", "--min-match", "exact", "--json"}));
  ASSERT_EQ(found.code, 0) << found.out;
  EXPECT_EQ(found.document().at("family"), "reduce_segments");
  EXPECT_EQ(found.document().at("settings"), tuned.document().at("winner"));
  EXPECT_EQ(found.document().at("problem").at("segments"), 200);
  EXPECT_EQ(found.document().at("problem").at("offset_bits"), 32);
  EXPECT_EQ(found.document().at("problem").at("skew"), "zipf");
  EXPECT_EQ(found.document().at("problem").at("count"), 3000);
  EXPECT_TRUE(home.run({"cache", "list"}).says("3000 in 200 segments zipf"));
  EXPECT_EQ(home.run({"cache", "verify"}).code, 0);

  const Said reduced = home.run(with_segments({"reduce", "--device", "host", "--json"}));
  ASSERT_EQ(reduced.code, 0) << reduced.err;
  EXPECT_EQ(reduced.document().at("values").size(), 200U);
}

class SegmentsOfAFile : public testing::Test {
 protected:
  SegmentsOfAFile() {
    std::vector<float> values;
    for (int i = 0; i < 12; ++i) values.push_back(static_cast<float>(i));
    cache::testing::write_text(home_ / "values.bin", bytes_of(values));
  }
  template <class Offset>
  Said reduce(const std::vector<Offset>& offsets, const Words& more = {}) const {
    cache::testing::write_text(home_ / "offsets.bin", bytes_of(offsets));
    Words words{"reduce",    (home_ / "values.bin").string(),
                "--offsets", (home_ / "offsets.bin").string(),
                "--device",  "host"};
    words.insert(words.end(), more.begin(), more.end());
    return home_.run(words);
  }
  Home home_;
};

TEST_F(SegmentsOfAFile, AreReduced) {
  EXPECT_TRUE(reduce<std::int32_t>({0, 3, 3, 8, 12}).says("segments f32 = 3, 0, 25, 38\n"));
  EXPECT_TRUE(reduce<std::int64_t>({0, 3, 3, 8, 12}, {"--offset-bits", "64", "--op", "argmax"})
                  .says("2 at 2, -inf at -1, 7 at 4, 11 at 3"));
  EXPECT_TRUE(reduce<std::int32_t>({1, 2}, {"--op", "mean"}).says(" = 1\n"));
}

TEST_F(SegmentsOfAFile, AreGroupsOfKeys) {
  const auto reduce_by = [&](const std::string& keys, const Words& more = {}) {
    cache::testing::write_text(home_ / "keys.bin", keys);
    Words words{"reduce",   (home_ / "values.bin").string(),
                "--keys",   (home_ / "keys.bin").string(),
                "--device", "host"};
    words.insert(words.end(), more.begin(), more.end());
    return home_.run(words);
  };
  const std::vector<std::int32_t> keys{7, 7, 7, -1, 9, 9, 9, 9, 9, 7, 7, 7};
  EXPECT_TRUE(reduce_by(bytes_of(keys)).says(" f32 by key = 7: 3, -1: 3, 9: 30, 7: 30\n"));
  const std::vector<std::int64_t> wide(keys.begin(), keys.end());
  const Said said = reduce_by(bytes_of(wide), {"--key-bits", "64", "--op", "max", "--json",
                                               "--results", (home_ / "out.bin").string(),
                                               "--result-keys", (home_ / "groups.bin").string()});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.document().at("keys"), (std::vector<std::int64_t>{7, -1, 9, 7}));
  EXPECT_EQ(said.document().at("results"), 4);
  EXPECT_EQ(cache::testing::read_text(home_ / "groups.bin"),
            bytes_of(std::vector<std::int64_t>{7, -1, 9, 7}));
  EXPECT_EQ(cache::testing::read_text(home_ / "out.bin"),
            bytes_of(std::vector<float>{2, 3, 8, 11}));

  const auto expect_told = [](const Said& refused, const std::string& why) {
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find(why), std::string::npos) << refused.err;
  };
  expect_told(reduce_by(bytes_of(wide)), "and keys of 32 bits for 12 elements have 48");
  expect_told(reduce_by(bytes_of(keys), {"--segments", "3"}),
              "--keys and --segments both say what is reduced");
  expect_told(home_.run({"reduce", "--count", "12", "--keys", (home_ / "keys.bin").string(),
                         "--device", "host"}),
              "--keys are of a FILE");
  expect_told(home_.run({"reduce", (home_ / "values.bin").string(), "--key-bits", "64", "--device",
                         "host"}),
              "--key-bits is of --keys; name the file of keys by --keys FILE, or leave it out");
}

TEST_F(SegmentsOfAFile, ThatAreNoneAreTold) {
  const auto expect_told = [&](const Said& said, const std::string& why) {
    EXPECT_EQ(said.code, 2);
    EXPECT_NE(said.err.find(why), std::string::npos) << said.err;
  };
  expect_told(reduce<std::int32_t>({0, 5, 3, 12}), "segment 1 ends at 3, before it begins at 5");
  expect_told(reduce<std::int32_t>({0, 5, 13}), "segment 1 ends at 13, beyond the 12 elements");
  expect_told(reduce<std::int32_t>({-1, 5}), "segment 0 begins at -1");
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  const Words wide{"--offset-bits", "64"};
  expect_told(reduce<std::int64_t>({0, most, 12}, wide),
              "segment 0 ends at 9223372036854775807, beyond the 12 elements");
  expect_told(reduce<std::int64_t>({0, 5, 3, 12}, wide),
              "segment 1 ends at 3, before it begins at 5");
  expect_told(reduce<std::int64_t>({-most, 5}, wide), "segment 0 begins at -9223372036854775807");
  expect_told(reduce<std::int32_t>({}), "has 0 bytes");
  expect_told(reduce<std::int32_t>({0, 5, 12}, {"--offset-bits", "64"}), "not one offset of 64");
  expect_told(reduce<std::int32_t>({0, 5}, {"--segments", "2"}), "leave one of them out");
  expect_told(home_.run({"reduce", "--count", "8", "--skew", "zipf", "--device", "host"}),
              "--skew is of segments");
  expect_told(home_.run({"query", "--segments", "8", "--shape", "8x8", "--device", "host"}),
              "has no --shape");
}

}  // namespace
}  // namespace redtune::cli
