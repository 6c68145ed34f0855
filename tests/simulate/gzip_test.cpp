// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Packed text comes back as it was, and what is no such text is refused.
#include "search/replay/gzip.hpp"

#include <gtest/gtest.h>

#include "redtune/error.hpp"
#include "tests/simulate/made_space.hpp"

namespace redtune::search {
namespace {

constexpr std::size_t most = std::size_t{1} << 20;

/// What a refusal says; empty when nothing is refused.
std::string gzip_refusal(const std::string& bytes) {
  try {
    (void)unpacked(bytes, most);
    return {};
  } catch (const UsageError& error) {
    return error.what();
  }
}

/// Longer than what is unpacked at a time.
std::string long_text() {
  std::string text;
  for (int i = 0; i < 50000; ++i) text += std::to_string(i * 7919);
  return text;
}

TEST(Unpack, GivesBackWhatWasPacked) {
  EXPECT_EQ(unpacked(packed("{}"), most), "{}");
  EXPECT_EQ(unpacked(packed(""), most), "");
  EXPECT_EQ(unpacked(packed(long_text()), most), long_text());
}

TEST(Unpack, LeavesPlainTextAlone) {
  EXPECT_EQ(unpacked("{\"a\":1}", most), "{\"a\":1}");
  EXPECT_EQ(unpacked("", most), "");
}

TEST(Unpack, JoinsFilesThatWerePutOneBehindTheOther) {
  EXPECT_EQ(unpacked(packed("{\"a\"") + packed(":1}"), most), "{\"a\":1}");
}

TEST(Unpack, RefusesEveryCutText) {
  const std::string whole = packed("{\"results\": [1, 2, 3]}");
  for (std::size_t size = 2; size < whole.size(); ++size) {
    EXPECT_NE(gzip_refusal(whole.substr(0, size)).find("cut short"), std::string::npos) << size;
  }
}

TEST(Unpack, RefusesDamage) {
  std::string damaged = packed(long_text());
  damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x10);
  EXPECT_NE(gzip_refusal(damaged), "");
  EXPECT_NE(gzip_refusal(packed("{}") + "garbage"), "");
}

TEST(Unpack, RefusesATextThatGrowsBeyondItsBound) {
  EXPECT_NE(gzip_refusal(packed(std::string(most + 1, ' '))).find("longer than 1 MiB"),
            std::string::npos);
  EXPECT_NE(gzip_refusal(std::string(most + 1, ' ')).find("longer than 1 MiB"), std::string::npos);
  EXPECT_EQ(gzip_refusal(packed(std::string(most, ' '))), "");
}

}  // namespace
}  // namespace redtune::search
