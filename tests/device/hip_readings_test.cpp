// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Sensors and processes of devices that were never here: made-up /sys and /proc.
#include "device/hip/hip_readings.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace redtune::device::hip::testing {
namespace {

namespace fs = std::filesystem;
using Users = std::vector<DeviceUser>;

class HipReadingsTest : public ::testing::Test {
 protected:
  HipReadingsTest() {
    const fs::path root =
        fs::temp_directory_path() / ("redtune_readings_" + std::to_string(::getpid()));
    folders_ = {.sysfs = root / "sys", .procfs = root / "proc"};
    fs::create_directories(folders_.sysfs);
  }
  ~HipReadingsTest() override { fs::remove_all(folders_.sysfs.parent_path()); }

  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }
  fs::path device(const std::string& address = "0000:c1:00.0") const {
    return folders_.sysfs / "bus/pci/devices" / address;
  }
  fs::path kfd() const { return folders_.sysfs / "class/kfd/kfd"; }
  /// A node of amdkfd's topology.
  void add_node(int node, const std::string& id, int domain, int location) const {
    const fs::path folder = kfd() / "topology/nodes" / std::to_string(node);
    write(folder / "gpu_id", id);
    write(folder / "properties", "cpu_cores_count 0\nsimd_count 416\nlocation_id " +
                                     std::to_string(location) + "\ndomain " +
                                     std::to_string(domain));
  }
  void add_process(const std::string& pid, const std::string& name) const {
    fs::create_directories(kfd() / "proc" / pid);
    if (!name.empty()) write(folders_.procfs / pid / "comm", name);
  }

  KernelFolders folders_;
};

constexpr int bus_c1 = 0xc1 << 8;

TEST_F(HipReadingsTest, AreTheClocksInUseAndTheDevicesTemperatureAndPower) {
  write(device() / "pp_dpm_sclk", "0: 500Mhz \n1: 1700Mhz *\n2: 2100Mhz");
  write(device() / "pp_dpm_mclk", "0: 400Mhz\n1: 1600Mhz *");
  const fs::path monitor = device() / "hwmon/hwmon3";
  write(monitor / "temp1_label", "edge");
  write(monitor / "temp1_input", "41500");
  write(monitor / "temp2_label", "junction");
  write(monitor / "temp2_input", "55000");
  write(monitor / "power1_average", "93000000");
  write(monitor / "power1_cap", "560000000");
  EXPECT_EQ(readings_of("0000:c1:00.0", folders_), (Readings{.clock_mhz = 1700,
                                                             .memory_clock_mhz = 1600,
                                                             .temperature_c = 41.5,
                                                             .power_w = 93,
                                                             .power_cap_w = 560,
                                                             .throttled_by = ""}));
}

/// As on MI300: no edge sensor, momentary power, a clock while asleep.
TEST_F(HipReadingsTest, TakeWhatNewerDevicesHaveInstead) {
  write(device() / "pp_dpm_sclk", "S: 132Mhz *\n0: 500Mhz\n1: 2100Mhz");
  const fs::path monitor = device() / "hwmon/hwmon0";
  write(monitor / "temp2_label", "junction");
  write(monitor / "temp2_input", "39000");
  write(monitor / "temp3_label", "mem");
  write(monitor / "temp3_input", "33000");
  write(monitor / "power1_input", "141500000");
  write(monitor / "freq2_input", "900000000");
  const Readings readings = readings_of("0000:c1:00.0", folders_);
  EXPECT_EQ(readings.clock_mhz, 132);
  EXPECT_EQ(readings.memory_clock_mhz, 900);
  EXPECT_EQ(readings.temperature_c, 39);
  EXPECT_EQ(readings.power_w, 141.5);
  EXPECT_EQ(readings.power_cap_w, std::nullopt);
}

TEST_F(HipReadingsTest, OfAPartitionAreItsParents) {
  write(device() / "pp_dpm_sclk", "0: 500Mhz *");
  EXPECT_EQ(readings_of("0000:c1:00.5", folders_).clock_mhz, 500);
}

TEST_F(HipReadingsTest, FilesThatAreMissingOrMakeNoSenseGiveNoValue) {
  EXPECT_EQ(readings_of("0000:c1:00.0", folders_), Readings{});
  EXPECT_EQ(readings_of("", folders_), Readings{});
  for (const char* text : {"", "*", "1: *", ": Mhz *", "0: fast *", "0: 500Mhz", "-5"}) {
    write(device() / "pp_dpm_sclk", text);
    write(device() / "hwmon/hwmon3/temp1_input", text);
    write(device() / "hwmon/hwmon3/power1_cap", "n/a");
    const Readings readings = readings_of("0000:c1:00.0", folders_);
    EXPECT_EQ(readings.clock_mhz, std::nullopt) << text;
    EXPECT_EQ(readings.power_cap_w, std::nullopt);
  }
}

TEST_F(HipReadingsTest, UsersHaveMemoryOrAQueueOnTheDevice) {
  add_node(0, "0", 0, 0);  // the processor
  add_node(1, "4711", 0, bus_c1);
  add_node(2, "815", 0, 0x83 << 8);
  add_process("300", "train");
  write(kfd() / "proc/300/vram_4711", "1048576");
  add_process("200", "a queue only");
  write(kfd() / "proc/200/vram_4711", "0");
  write(kfd() / "proc/200/queues/1/gpuid", "4711");
  add_process("400", "elsewhere");
  write(kfd() / "proc/400/vram_4711", "0");
  write(kfd() / "proc/400/vram_815", "1048576");
  write(kfd() / "proc/400/queues/1/gpuid", "815");
  EXPECT_EQ(users_of("0000:c1:00.0", folders_),
            (Users{{.pid = 200, .name = "a queue only"}, {.pid = 300, .name = "train"}}));
  EXPECT_EQ(users_of("0000:83:00.0", folders_), (Users{{.pid = 400, .name = "elsewhere"}}));
}

TEST_F(HipReadingsTest, UsersOfOnePartitionAreUsersOfAll) {
  add_node(1, "11", 0, bus_c1);
  add_node(2, "12", 0, bus_c1 + 1);
  add_node(3, "13", 1, bus_c1);  // another machine's worth of buses
  add_process("5", "");
  write(kfd() / "proc/5/vram_12", "4096");
  add_process("6", "");
  write(kfd() / "proc/6/vram_13", "4096");
  EXPECT_EQ(users_of("0000:c1:00.0", folders_), (Users{{.pid = 5, .name = ""}}));
  EXPECT_EQ(users_of("0000:c1:00.1", folders_), (Users{{.pid = 5, .name = ""}}));
  EXPECT_EQ(users_of("0001:c1:00.0", folders_), (Users{{.pid = 6, .name = ""}}));
}

TEST_F(HipReadingsTest, NobodyIsNotTheSameAsUntold) {
  EXPECT_EQ(users_of("0000:c1:00.0", folders_), std::nullopt) << "no amdkfd";
  add_node(1, "4711", 0, bus_c1);
  EXPECT_EQ(users_of("0000:c1:00.0", folders_), std::nullopt) << "a kernel without the list";
  fs::create_directories(kfd() / "proc");
  EXPECT_EQ(users_of("0000:c1:00.0", folders_), Users{});
  EXPECT_EQ(users_of("0000:83:00.0", folders_), std::nullopt) << "not a device of amdkfd";
  for (const char* address : {"", "host", "0000:c1", "::", "x:y:z.0"}) {
    EXPECT_EQ(users_of(address, folders_), std::nullopt) << address;
  }
}

}  // namespace
}  // namespace redtune::device::hip::testing
