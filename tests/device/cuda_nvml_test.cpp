// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Sensors and processes as three invented management libraries tell them, and as none does.
#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "device/cuda/nvml.hpp"

namespace redtune::device::cuda::testing {
namespace {

using Users = std::vector<DeviceUser>;
constexpr const char* address = "0000:fe:00.0";

Nvml open(const std::string& file) {
  const std::array<std::string, 1> names = {file};
  return Nvml(names);
}

/// All that there are.
const std::array<std::string, 3> libraries = {REDTUNE_NVML, REDTUNE_OLD_NVML, REDTUNE_LONG_NVML};

/// A variable of the environment while it lives.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() { unsetenv(name_); }

 private:
  const char* name_;
};

TEST(Nvml, ReadsClocksTemperatureAndPower) {
  for (const std::string& file : libraries) {
    const Readings readings = open(file).readings(address);
    EXPECT_EQ(readings.clock_mhz, 1755) << file;
    EXPECT_EQ(readings.memory_clock_mhz, 3201);
    EXPECT_EQ(readings.temperature_c, 38);
    EXPECT_EQ(readings.power_w, 121.5);
    EXPECT_EQ(readings.power_cap_w, 700);
    EXPECT_EQ(readings.throttled_by, "") << "being idle is not being throttled";
  }
}

TEST(Nvml, SaysWhatKeepsTheClocksDown) {
  const Environment reasons("INVENTED_REASONS", "0x24");
  for (const std::string& file : libraries) {
    EXPECT_EQ(open(file).readings(address).throttled_by, "power cap, temperature") << file;
  }
}

TEST(Nvml, NamesEachReasonOnce) {
  EXPECT_EQ(throttle_words(0), "");
  EXPECT_EQ(throttle_words(0x1), "");
  EXPECT_EQ(throttle_words(0x2), "application clocks");
  EXPECT_EQ(throttle_words(0x60), "temperature");
  EXPECT_EQ(throttle_words(0x48), "temperature");
  EXPECT_EQ(throttle_words(0x88), "power brake");
  EXPECT_EQ(throttle_words(0x8), "hardware slowdown");
  EXPECT_EQ(throttle_words(0x10 | 0x100), "sync boost, display clocks");
  EXPECT_EQ(throttle_words(1ULL << 40), "") << "of a newer driver";
}

/// Records have had three lengths.
TEST(Nvml, ListsProcessesWhateverTheLengthOfItsRecords) {
  for (const std::string& file : libraries) {
    for (const unsigned count : {0U, 1U, 2U, 3U, 64U, 65U, 500U}) {
      const Environment processes("INVENTED_PROCESSES", std::to_string(count));
      const auto users = open(file).users(address);
      ASSERT_TRUE(users) << file << count;
      ASSERT_EQ(users->size(), count) << file;
      for (unsigned i = 0; i < count; ++i) {
        const long pid = 1001 + static_cast<long>(i);
        EXPECT_EQ((*users)[i], (DeviceUser{pid, fmt::format("/opt/train {}", pid)})) << file;
      }
    }
  }
}

TEST(Nvml, ACallThatFailsTakesItsOwnValueOnly) {
  const auto without = [](const char* call) {
    const Environment failure("INVENTED_NVML_FAILURE", fmt::format("{}=3", call));
    return open(REDTUNE_NVML).readings(address);
  };
  EXPECT_EQ(without("Clock").clock_mhz, std::nullopt);
  EXPECT_EQ(without("Clock").power_w, 121.5);
  EXPECT_EQ(without("Temperature").temperature_c, std::nullopt);
  EXPECT_EQ(without("Power").power_w, std::nullopt);
  EXPECT_EQ(without("Cap").power_cap_w, std::nullopt);
  EXPECT_EQ(without("Reasons").power_cap_w, 700);
  EXPECT_EQ(without("Handle"), Readings{});
  EXPECT_EQ(without("Init"), Readings{});
}

TEST(Nvml, AValueThatIsNotAvailableIsNone) {
  const Environment cap("INVENTED_CAP", "0xffffffff");
  EXPECT_EQ(open(REDTUNE_NVML).readings(address).power_cap_w, std::nullopt);
}

TEST(Nvml, AListThatFailsIsUntoldAndANameThatFailsIsEmpty) {
  for (const char* call : {"Processes", "Handle", "Init"}) {
    const Environment failure("INVENTED_NVML_FAILURE", fmt::format("{}=999", call));
    EXPECT_EQ(open(REDTUNE_NVML).users(address), std::nullopt) << call;
  }
  {
    const Environment failure("INVENTED_NVML_FAILURE", "Processes=7");
    EXPECT_EQ(open(REDTUNE_NVML).users(address), std::nullopt) << "never satisfied";
  }
  const Environment failure("INVENTED_NVML_FAILURE", "Name=6");
  EXPECT_EQ(open(REDTUNE_NVML).users(address), (Users{{1001, ""}, {1002, ""}}));
}

TEST(Nvml, NoLibraryAnEmptyOneAndAnotherDeviceTellNothing) {
  for (const char* file : {"/nowhere/libnvidia-ml.so.1", "libc.so.6"}) {
    EXPECT_EQ(open(file).readings(address), Readings{}) << file;
    EXPECT_EQ(open(file).users(address), std::nullopt) << file;
  }
  for (const char* other : {"", "0000:01:00.0", "host"}) {
    EXPECT_EQ(open(REDTUNE_NVML).readings(other), Readings{}) << other;
    EXPECT_EQ(open(REDTUNE_NVML).users(other), std::nullopt) << other;
  }
}

}  // namespace
}  // namespace redtune::device::cuda::testing
