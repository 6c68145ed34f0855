// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The unchanged program on every fictional AMD GPU: what it says of the device, and the way from a
// tune to a sum.
#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hip/hip_version.h>

#include "fictional_home.hpp"
#include "tests/support/samples.hpp"

namespace redtune::testing::hip {
namespace {

using cli::json;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string hip_version =
    fmt::format("{}.{}.{}", HIP_VERSION_MAJOR, HIP_VERSION_MINOR, HIP_VERSION_PATCH);

class FictionalDevices : public ::testing::TestWithParam<FictionalDevice> {
 protected:
  FictionalDevices() : home_(std::string(GetParam().key)) {}

  FictionalHome home_;
};

json device_row(const Said& said, const std::string& name) {
  const json document = said.document();
  for (const json& row : document.at("devices")) {
    if (row.value("device", "") == name) return row;
  }
  ADD_FAILURE() << "no device " << name << " in " << said.out << said.err;
  return json::object();
}

TEST_P(FictionalDevices, AreToldWithAllThatMakesAResultTransferable) {
  const FictionalDevice& device = GetParam();
  const Said said = home_.run({"devices", "--json"});
  EXPECT_EQ(said.err, "");  // no warning of the dynamic linker, either
  const json row = device_row(said, "hip:0");
  ASSERT_FALSE(row.empty());
  EXPECT_EQ(row["name"], device.name);
  EXPECT_EQ(row["isa"], device.isa);
  EXPECT_EQ(row["compute_units"], device.compute_units);
  EXPECT_EQ(row["dies"], device.dies);
  EXPECT_EQ(row["wave_size"], device.wave_size);
  EXPECT_EQ(row["last_level_cache_bytes"], std::int64_t{device.last_level_cache_mib} << 20);
  EXPECT_EQ(row["memory_bytes"], std::int64_t{device.memory_gib} << 30);
  EXPECT_EQ(row["address"], device.address);
  EXPECT_EQ(row["model"], fmt::format("1002:{}:1002:f1c7", device.pci_device.substr(2)));
  const std::string partition =
      device.partition.empty() ? ""
                               : fmt::format("{}/{}", device.partition, device.memory_partition);
  EXPECT_EQ(row["partition"], partition);
  EXPECT_THAT(std::string(row["runtime"]), StartsWith("HIP " + hip_version));
  EXPECT_EQ(row["driver"], hip_version + ", amdgpu 6.7.0");
  EXPECT_THAT(std::string(row["compiler"]), StartsWith("hipRTC " + hip_version + " ("));
  EXPECT_THAT(std::string(row["compiler"]), Not(HasSubstr("no build id")));
}

TEST_P(FictionalDevices, TuneAndAreAskedAndReduce) {
  const Said tuned = home_.tune_in_peace();
  EXPECT_EQ(tuned.code, 0) << tuned.err;
  // The two verdicts that keep the default end so.
  EXPECT_TRUE(tuned.says("as fast as the default") || tuned.says("kept\n")) << tuned.out;
  const Said asked = home_.run_small(
      {"query", "--device", "hip:0", "--count", std::to_string(few), "--min-match", "exact"});
  EXPECT_EQ(asked.code, 0) << asked.out << asked.err;
  const Said reduced = home_.reduce_ones();
  EXPECT_EQ(reduced.code, 0) << reduced.err;
  EXPECT_EQ(reduced.document()["value"], std::to_string(few)) << reduced.out;
  EXPECT_EQ(reduced.document()["match"], "exact") << reduced.out;
  EXPECT_EQ(why_disorderly(read_traces(home_.trace())), "");
}

class FictionalLadder : public FictionalDevices {};

TEST_P(FictionalLadder, IsClimbed) {
  const Said climbed =
      home_.in_peace({"ladder", "--device", "hip:0", "--count", std::to_string(few)});
  EXPECT_EQ(climbed.code, 0) << climbed.out << climbed.err;
  EXPECT_EQ(why_disorderly(read_traces(home_.trace())), "");
}

std::vector<FictionalDevice> all_devices() {
  return {fictional_devices.begin(), fictional_devices.end()};
}

checks::Axes wave_and_dies(const FictionalDevice& device) {
  return {std::to_string(device.wave_size), std::to_string(device.dies)};
}

checks::Axes key_of(const FictionalDevice& device) {
  return {std::string(device.key)};
}

/// With waves of either size, and of one compute die or of many.
std::vector<FictionalDevice> some_devices() {
  return checks::every_value(all_devices(), wave_and_dies);
}

INSTANTIATE_TEST_SUITE_P(Some, FictionalLadder, ::testing::ValuesIn(some_devices()),
                         [](const auto& device) { return test_name(device.param.key); });
INSTANTIATE_TEST_SUITE_P(Full, FictionalLadder,
                         ::testing::ValuesIn(checks::all_but(some_devices(), all_devices(),
                                                             key_of)),
                         [](const auto& device) { return test_name(device.param.key); });
INSTANTIATE_TEST_SUITE_P(All, FictionalDevices, ::testing::ValuesIn(fictional_devices),
                         [](const auto& device) { return test_name(device.param.key); });

/// Bytes of the largest copy to the host.
std::size_t largest_to_host(const std::vector<TracedProcess>& processes) {
  constexpr std::string_view words = "to host bytes=";
  std::size_t largest = 0;
  for (const TracedProcess& process : processes) {
    for (const TracedCall& call : process.calls) {
      if (call.name != "hipMemcpyAsync" || !call.text.starts_with(words)) continue;
      largest = std::max<std::size_t>(largest, std::stoul(call.text.substr(words.size())));
    }
  }
  return largest;
}

/// Outputs of 80 KB are kept in as many places as make a mebibyte, and brought to the host
/// together. What challenges need is smaller.
TEST(FictionalRows, AreTunedWithoutBringingTheirResultsToTheHostWhereTheDeviceCanCompare) {
  constexpr std::size_t of_all_places = 1'000'000;
  const Words words{"tune", "--device", "hip:0", "--shape",       "20000x2", "--axis",
                    "1",    "--budget", "2",     "--force-noisy", "--json"};
  const std::string memory = "memory:8000000";
  for (const std::string& fault : {std::string(), std::string(";refuse:redtune::compare_near<")}) {
    const FictionalHome home("gfx90a");
    const Said tuned = home.in_peace(words, memory + fault);
    EXPECT_EQ(tuned.code, 0) << tuned.err;
    EXPECT_EQ(largest_to_host(read_traces(home.trace())) >= of_all_places, !fault.empty()) << fault;
  }
}

TEST(FictionalPartitions, AreDifferentDevicesOfOneProcessor) {
  const FictionalHome home("gfx942:SPX,gfx942:CPX");
  ASSERT_EQ(home.tune_in_peace().code, 0);
  const auto match_on = [&](const std::string& device) {
    const Said said =
        home.run_small({"query", "--device", device, "--count", std::to_string(few), "--json"});
    return std::string(said.document()["match"]);
  };
  EXPECT_EQ(match_on("hip:0"), "exact");
  EXPECT_NE(match_on("hip:1"), "exact");
}

TEST(FictionalTopology, IsBelievedBeforeWhatTheArchitectureSuggests) {
  for (const FictionalDevice& device : fictional_devices) {
    SCOPED_TRACE(device.key);
    const FictionalHome home{std::string(device.key)};
    home.write_topology(device, device.dies + 2, device.last_level_cache_mib + 16);
    const json row = device_row(home.run({"devices", "--json"}), "hip:0");
    EXPECT_EQ(row["dies"], device.dies + 2);
    EXPECT_EQ(row["last_level_cache_bytes"], std::int64_t{device.last_level_cache_mib + 16} << 20);
  }
}

TEST(FictionalSensors, AreReadWhereTheKernelsFilesAre) {
  const FictionalHome home("gfx942:CPX");
  const Said said = home.run({"doctor"});
  EXPECT_TRUE(said.says("41")) << said.out;
  EXPECT_TRUE(said.says("123")) << said.out;
}

TEST(NoFictionalDevice, IsSaidWithHipsError) {
  const FictionalHome home("");
  const Said said = home.run({"devices"});
  EXPECT_TRUE(said.says("no AMD GPU found (HIP runtime " + hip_version + ": hipErrorNoDevice"))
      << said.out;
}

}  // namespace
}  // namespace redtune::testing::hip
