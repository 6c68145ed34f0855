// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Fault 42 without libFuzzer: every target reads its samples and 10,000 mutations of them, in a
// full run those of a minute. REDTUNE_FUZZ_SECONDS says for how long otherwise, REDTUNE_FUZZ_SEED
// where else to begin: by default every run reads the same, so that what fails is the change and
// not the day. ./dev fuzz explores.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <ostream>
#include <random>

#include "tests/fuzz/targets.hpp"
#include "tests/support/samples.hpp"

namespace redtune::fuzz {

void PrintTo(const Target& target, std::ostream* out) {
  *out << target.name;
}

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

unsigned long number_from(const char* variable, unsigned long otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoul(text, nullptr, 10);
}

constexpr long fewest_reads = 10'000;

/// For which mutations are read, however many there are by then.
std::chrono::seconds fuzz_time() {
  return std::chrono::seconds(number_from("REDTUNE_FUZZ_SECONDS", checks::is_full_run() ? 60 : 0));
}

class Fault42 : public ::testing::TestWithParam<Target> {};

TEST_P(Fault42, ComesBackFromWhateverItReads) {
  const Target& target = GetParam();
  const auto samples = target.samples();
  target.read("");
  for (const std::string& sample : samples) target.read(sample);
  const auto seed = number_from("REDTUNE_FUZZ_SEED", 1);
  std::mt19937 random(static_cast<unsigned>(seed));
  const auto end = std::chrono::steady_clock::now() + fuzz_time();
  long reads = 0;
  do {
    std::string text = samples[random() % samples.size()];
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
      mutate(text, samples, random);
    }
    target.read(text);
    ++reads;
  } while (reads < fewest_reads || std::chrono::steady_clock::now() < end);
  std::printf("%ld mutations\n", reads);
}

INSTANTIATE_TEST_SUITE_P(Reader, Fault42, ::testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Fault42Promise, ThatIsBrokenEndsTheProgram) {
  EXPECT_DEATH(promise(false, "nothing"), "broken promise: nothing");
}

}  // namespace
}  // namespace redtune::fuzz
