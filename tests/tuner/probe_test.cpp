// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A probe of devices that take as long as a test says: the figures, the sizes, and what is refused.
#include "tuner/measure/probe.hpp"

#include <gtest/gtest.h>
#include <set>

#include "cli/report/measured_text.hpp"
#include "device/host/host_platform.hpp"
#include "tests/tuner/probed_device.hpp"
#include "tuner/measure/peak.hpp"
#include "tuner/measure/probe_buffer.hpp"
#include "tuner/measure/untrustworthy.hpp"

namespace redtune::tuner {
namespace {

constexpr double memory_gbps = 4000;
constexpr double cache_gbps = 12000;

/// A GPU whose memory and cache give these, with shapes that differ, and launches that cost 2 us in
/// a graph and 5 us in a stream.
ProbedWorld invented_gpu() {
  ProbedWorld world;
  world.time = [](const ProbedLaunch& launch, HowQueued how) {
    const double overhead = how == HowQueued::graph ? 2 : 5;
    if (launch.is("probe_empty")) return overhead;
    const bool is_cached = launch.words * 4 < 16 << 20;
    const double gbps = is_cached ? cache_gbps : memory_gbps;
    const bool is_best = launch.is("<256,");
    const double bytes = launch.is("probe_copy") ? 2 * launch.bytes() : launch.bytes();
    return bytes / (gbps * 1e3) * (is_best ? 1 : 1.1);
  };
  return world;
}

Probe probe_of(ProbedWorld& world, ProbeLevel level = ProbeLevel::full) {
  ProbedPlatform platform(world);
  const auto device = platform.open(0, "");
  return probe(*device, CompilePool(target_of(platform, device->identity()), {}, 1), level);
}

/// Whether probing throws this, with a text.
template <class E>
bool is_refused_by(ProbedWorld& world) {
  try {
    (void)probe_of(world);
  } catch (const E& error) {
    EXPECT_NE(std::string(error.what()), "");
    return true;
  }
  return false;
}

TEST(Probe, FindsWhatTheDeviceCanDo) {
  ProbedWorld world = invented_gpu();
  const Probe found = probe_of(world);
  EXPECT_NEAR(found.read.gbps, memory_gbps, 1e-6 * memory_gbps);
  EXPECT_NEAR(found.cached_read.gbps, cache_gbps, 1e-6 * cache_gbps);
  EXPECT_NEAR(found.copy.gbps, memory_gbps, 1e-6 * memory_gbps);
  EXPECT_NEAR(found.graph_launch_us, 2, 1e-9);
  EXPECT_NEAR(found.stream_launch_us, 5, 1e-9);
  EXPECT_TRUE(found.has_own_clock);
  EXPECT_NE(found.read.shape.find("block_size=256"), std::string::npos) << "another shape won";
  EXPECT_GE(found.read.shapes, 5u);
  EXPECT_EQ(found.read.samples, 9u);
}

TEST(Probe, TakesTheMedianForTheFigureAndTheFastestSampleForTheBound) {
  ProbedWorld world = invented_gpu();
  world.limits.max_block_size = 64;  // all blocks are alike
  int calls = 0;
  world.time = [&](const ProbedLaunch& launch, HowQueued) {
    const double us = std::max(1.0, launch.bytes() / (memory_gbps * 1e3));
    return us * (++calls % 5 == 0 ? 0.5 : 1.0);  // a lucky one now and then
  };
  const Probe found = probe_of(world);
  EXPECT_NEAR(found.read.gbps, memory_gbps, 1);
  EXPECT_NEAR(found.read.fastest_gbps, 2 * memory_gbps, 1);
}

TEST(Probe, ReadsMuchMoreThanTheCacheAndAQuarterOfIt) {
  ProbedWorld world = invented_gpu();
  world.free_bytes = std::size_t{100} << 30;
  const Probe found = probe_of(world);
  EXPECT_EQ(found.read.bytes, std::int64_t{2} << 30);
  EXPECT_EQ(found.cached_read.bytes, 4 << 20);
  EXPECT_EQ(found.cached_read.passes, 512) << "as much is read as of memory";
  EXPECT_EQ(found.copy.bytes, std::int64_t{2} << 30) << "half read, half written";
}

TEST(Probe, QuicklyMeasuresReadsAlone) {
  ProbedWorld full = invented_gpu();
  ProbedWorld quick = invented_gpu();
  const Probe found = probe_of(quick, ProbeLevel::quick);
  (void)probe_of(full);
  EXPECT_NEAR(found.read.gbps, memory_gbps, 1);
  EXPECT_NEAR(found.cached_read.gbps, cache_gbps, 1);
  EXPECT_EQ(found.copy.gbps, 0);
  EXPECT_EQ(found.graph_launch_us, 0);
  for (const ProbedLaunch& launch : quick.launched) EXPECT_TRUE(launch.is("probe_read"));
  EXPECT_LT(3 * quick.batches, full.batches + quick.batches);
}

TEST(Probe, FillsBatchesOfTenMillisecondsWithLaunches) {
  ProbedWorld world = invented_gpu();
  double longest_empty = 0;
  world.host_time = [&](double device_us) {
    if (world.launched.back().is("probe_empty")) {
      longest_empty = std::max(longest_empty, device_us);
    }
    return device_us + 5;
  };
  (void)probe_of(world);
  EXPECT_GE(longest_empty, 10000);
  EXPECT_LT(longest_empty, 20000);
}

TEST(Probe, LeavesOutTheCacheWhereItsSizeIsUnknown) {
  ProbedWorld world = invented_gpu();
  world.identity.device_class.last_level_cache_bytes = 0;
  const Probe found = probe_of(world);
  EXPECT_EQ(found.cached_read.gbps, 0);
  EXPECT_GT(found.read.gbps, 0);
  EXPECT_EQ(cli::text_of(found).find("cached read"), std::string::npos);
  EXPECT_FALSE(json_of(found).contains("cached_read"));
}

TEST(Probe, TakesAQuarterOfTheFreeMemoryAtMost) {
  ProbedWorld world = invented_gpu();
  const ProbedDevice device(world);
  const std::int64_t gibibyte = 1 << 30;
  const auto bytes = [&](std::size_t free, std::int64_t cache, const char* platform) {
    world.free_bytes = free;
    world.identity.device_class.last_level_cache_bytes = cache;
    world.identity.device_class.platform = platform;
    return probe_bytes(device, ProbeLevel::full);
  };
  EXPECT_EQ(bytes(std::size_t{100} << 30, 50 << 20, "hip"), 2 * gibibyte);
  EXPECT_EQ(bytes(std::size_t{100} << 30, gibibyte, "hip"), 8 * gibibyte) << "less than 8 caches";
  EXPECT_EQ(bytes(std::size_t{4} << 30, gibibyte, "hip"), gibibyte);
  EXPECT_EQ(bytes(std::size_t{100} << 30, 32 << 20, "host"), 128 << 20);
  EXPECT_EQ(bytes(std::size_t{100} << 30, gibibyte, "host"), gibibyte);
  EXPECT_EQ(bytes(std::size_t{1} << 30, gibibyte, "host"), gibibyte / 4);
  EXPECT_EQ(bytes(100, gibibyte, "host"), 4096);
  EXPECT_LE(probe_bytes(device, ProbeLevel::quick), bytes(std::size_t{1} << 34, gibibyte, "host"));
}

TEST(Probe, RefusesTimesThatCannotBeTrue) {
  ProbedWorld world = invented_gpu();
  world.time = [](const auto&, auto) { return 0.0; };
  EXPECT_TRUE(is_refused_by<ImplausibleSample>(world));
  world = invented_gpu();
  world.host_time = [](double device_us) { return device_us / 2; };
  EXPECT_TRUE(is_refused_by<ImplausibleSample>(world));
}

TEST(Probe, ForgivesOneTimeThatCannotBeTrue) {
  ProbedWorld world = invented_gpu();
  int calls = 0;
  const auto time = world.time;
  world.time = [&](const ProbedLaunch& launch, HowQueued how) {
    return ++calls % 4 == 0 ? -1 : time(launch, how);
  };
  EXPECT_NEAR(probe_of(world).read.gbps, memory_gbps, 1);
}

TEST(Probe, RefusesADeviceThatDoesNotReadWhatItShould) {
  ProbedWorld world = invented_gpu();
  world.reads_everything = false;
  EXPECT_TRUE(is_refused_by<DeviceError>(world));
}

TEST(Probe, SaysThatItsKernelsDoNotCompile) {
  ProbedWorld world = invented_gpu();
  world.compiles = false;
  EXPECT_TRUE(is_refused_by<DeviceError>(world));
}

TEST(Probe, KnowsThatTheHostHasNoClockOfItsOwn) {
  ProbedWorld world = invented_gpu();
  world.host_time = [](double device_us) { return device_us; };
  EXPECT_FALSE(probe_of(world).has_own_clock);
}

TEST(Probe, MeasuresTheHostForReal) {
  const auto platform = device::host::make_host_platform();
  const auto device = platform->open(0, "");
  const Probe found = probe(*device, CompilePool(target_of(*platform, device->identity()), {}, 1),
                            ProbeLevel::quick);
  EXPECT_GT(found.read.gbps, 0.1);
  EXPECT_LT(found.read.gbps, 10000);
  EXPECT_GE(found.read.fastest_gbps, found.read.gbps);
  EXPECT_FALSE(found.has_own_clock);
}

TEST(ProbeReport, HasARowForEachFigureThatWasMeasured) {
  ProbedWorld world = invented_gpu();
  const std::string text = cli::text_of(probe_of(world));
  for (const char* part : {"read             4000.00  GB/s", "cached read     12000.00  GB/s",
                           "copy             4000.00  GB/s", "launch, graph      2.000  us",
                           "launch, stream     5.000  us", "4 MiB", "block_size=256"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  }
  const Json document = json_of(probe_of(world));
  EXPECT_NEAR(document.at("read").at("gigabytes_per_second").get<double>(), 4000, 0.01);
  EXPECT_EQ(document.at("launch_us").at("stream"), 5);
}

}  // namespace
}  // namespace redtune::tuner
