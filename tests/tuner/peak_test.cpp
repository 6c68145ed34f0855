// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Which peak a problem is compared with, and what no measurement of it may exceed.
#include "tuner/measure/peak.hpp"

#include <gtest/gtest.h>

#include "tuner/measure/plausible.hpp"

namespace redtune::tuner {
namespace {

constexpr std::int64_t cache_bytes = 64 << 20;

Probe sample_probe() {
  Probe probe;
  probe.read.gbps = 3900;
  probe.read.fastest_gbps = 4000;
  probe.cached_read.gbps = 11000;
  probe.cached_read.fastest_gbps = 12000;
  probe.has_own_clock = true;
  return probe;
}

/// A problem that reads so many last-level caches.
Problem problem_of(double caches, CacheMode mode) {
  return make_problem(Op::sum, DType::f32, static_cast<std::int64_t>(caches * cache_bytes) / 4,
                      mode);
}

double most(double caches, CacheMode mode, const Probe& probe = sample_probe()) {
  return most_gbps(problem_of(caches, mode), probe, cache_bytes);
}

TEST(Peak, IsTheCachesForWarmInputsThatFit) {
  const auto peak = [&](double caches, CacheMode mode) {
    return peak_for(problem_of(caches, mode), peaks_of(sample_probe()), cache_bytes);
  };
  EXPECT_EQ(peak(0.5, CacheMode::warm).gbps, 11000);
  EXPECT_EQ(peak(1, CacheMode::warm).of, "cache");
  EXPECT_EQ(peak(1.1, CacheMode::warm).gbps, 3900);
  EXPECT_EQ(peak(0.5, CacheMode::cold).gbps, 3900);
  EXPECT_EQ(peak(0.5, CacheMode::cold).of, "memory");
  EXPECT_EQ(peak_for(problem_of(1, CacheMode::cold), {}, cache_bytes).gbps, 0);
}

TEST(Peak, IsSaidWithTheShareOfIt) {
  EXPECT_EQ(share_text(3393, {3900, "memory"}),
            "87 % of the 3900.00 GB/s this device reads from memory");
}

TEST(MostGbps, IsThePeakOfMemoryOnlyWhereCachesCannotHelp) {
  EXPECT_EQ(most(2, CacheMode::cold), 4000);
  EXPECT_EQ(most(100, CacheMode::cold), 4000);
  EXPECT_EQ(most(1.9, CacheMode::cold), 12000) << "copies of the input share the cache";
  EXPECT_EQ(most(0.01, CacheMode::cold), 12000);
  EXPECT_EQ(most(0.5, CacheMode::warm), 12000);
  EXPECT_EQ(most(2, CacheMode::warm), 12000) << "a part of it stays in the cache";
  EXPECT_EQ(most(8, CacheMode::warm), 4000);
}

TEST(MostGbps, IsThePeakOfMemoryWhereThatIsTheLarger) {
  Probe probe = sample_probe();
  probe.cached_read.fastest_gbps = 3000;
  EXPECT_EQ(most(0.5, CacheMode::warm, probe), 4000);
}

TEST(MostGbps, IsUnknownWhereItWouldBeAGuess) {
  Probe probe = sample_probe();
  probe.cached_read = {};
  EXPECT_EQ(most(0.5, CacheMode::cold, probe), 0);
  EXPECT_EQ(most(2, CacheMode::cold, probe), 4000);
  EXPECT_EQ(most_gbps(problem_of(100, CacheMode::cold), sample_probe(), 0), 0);
  probe = sample_probe();
  probe.has_own_clock = false;
  EXPECT_EQ(most(100, CacheMode::cold, probe), 0) << "the host's own clock is doubted";
  EXPECT_EQ(most(100, CacheMode::cold, Probe{}), 0);
}

TEST(MostGbps, MakesATimeImplausibleThatNeedsMore) {
  const Problem problem = problem_of(4, CacheMode::cold);
  const double bytes = 4.0 * cache_bytes;
  const double peak = 1e3 * most_gbps(problem, sample_probe(), cache_bytes);
  const double fastest_us = bytes / peak;
  const auto taking = [](double us) { return Sample{.batches = {{.time = {us, 1000}}}}; };
  EXPECT_EQ(why_implausible(taking(fastest_us * 0.96), bytes, peak), "");
  const std::string why = why_implausible(taking(fastest_us * 0.9), bytes, peak);
  EXPECT_NE(why.find("4444 GB/s are more than the 4000 GB/s"), std::string::npos) << why;
}

}  // namespace
}  // namespace redtune::tuner
