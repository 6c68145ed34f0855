// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Fault 42 without libFuzzer: every target reads its samples and thousands of mutations of them.
#include <gtest/gtest.h>
#include <random>

#include "tests/fuzz/targets.hpp"

namespace redtune::fuzz {
namespace {

/// One small change: a flipped bit, a byte more or less, a piece moved, or another sample's tail.
void mutate(std::string& text, const std::vector<std::string>& samples, std::mt19937& random) {
  const auto below = [&](std::size_t end) { return random() % std::max<std::size_t>(end, 1); };
  const std::size_t at = below(text.size());
  switch (text.empty() ? 1 : random() % 5) {
    case 0:
      text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
      break;
    case 1:
      text.insert(at, 1, static_cast<char>(random()));
      break;
    case 2:
      text.erase(at, 1 + below(8));
      break;
    case 3:
      text.insert(below(text.size()), text.substr(at, below(32)));
      break;
    default: {
      const std::string& other = samples[below(samples.size())];
      text = text.substr(0, at) + other.substr(below(other.size()));
    }
  }
}

class Fault42 : public ::testing::TestWithParam<Target> {};

TEST_P(Fault42, ComesBackFromWhateverItReads) {
  const Target& target = GetParam();
  const auto samples = target.samples();
  target.read("");
  for (const std::string& sample : samples) target.read(sample);
  std::mt19937 random(1);
  for (int i = 0; i < 10'000; ++i) {
    std::string text = samples[random() % samples.size()];
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
      mutate(text, samples, random);
    }
    target.read(text);
  }
}

INSTANTIATE_TEST_SUITE_P(Reader, Fault42, ::testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Fault42Promise, ThatIsBrokenEndsTheProgram) {
  EXPECT_DEATH(promise(false, "nothing"), "broken promise: nothing");
}

}  // namespace
}  // namespace redtune::fuzz
