// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Devices that were never here: properties filled in by hand beside a made-up /sys.
#include "device/hip/hip_identity.hpp"

#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "device/hip/hip_arch.hpp"

namespace redtune::device::hip::testing {
namespace {

namespace fs = std::filesystem;

class HipIdentityTest : public ::testing::Test {
 protected:
  HipIdentityTest() {
    sysfs_ = fs::temp_directory_path() / ("redtune_sysfs_" + std::to_string(::getpid()));
    fs::create_directories(folder("0000:c1:00.0"));
    std::strncpy(properties_.gcnArchName, "gfx90a:sramecc+:xnack-", 255);
    std::strncpy(properties_.name, "Some Instinct", 255);
    properties_.multiProcessorCount = 104;
    properties_.warpSize = 64;
    properties_.l2CacheSize = 8 << 20;
    properties_.totalGlobalMem = std::size_t{64} << 30;
    properties_.memoryClockRate = 1600000;
    properties_.memoryBusWidth = 4096;
  }
  ~HipIdentityTest() override { fs::remove_all(sysfs_); }

  fs::path folder(const std::string& address) const { return sysfs_ / "bus/pci/devices" / address; }
  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }
  void write_ids(const fs::path& where) const {
    write(where / "vendor", "0x1002");
    write(where / "device", "0x740f");
    write(where / "subsystem_vendor", "0x1002");
    write(where / "subsystem_device", "0x0c34");
  }

  fs::path sysfs_;
  hipDeviceProp_t properties_{};
};

TEST_F(HipIdentityTest, HoldsEverythingThatMakesAResultTransferable) {
  write_ids(folder("0000:c1:00.0"));
  write(sysfs_ / "module/amdgpu/version", "6.7.0");
  const DeviceIdentity identity = identity_of(properties_, "0000:c1:00.0", sysfs_);
  const DeviceClass& device = identity.device_class;
  EXPECT_EQ(device.platform, "hip");
  EXPECT_EQ(device.isa, "gfx90a:sramecc+:xnack-");
  EXPECT_EQ(device.model, "1002:740f:1002:0c34");
  EXPECT_EQ(device.partition, "");
  EXPECT_EQ(device.compute_units, 104);
  EXPECT_EQ(device.wave_size, 64);
  EXPECT_EQ(device.last_level_cache_bytes, 8 << 20);
  EXPECT_EQ(device.memory_bytes, std::int64_t{64} << 30);
  EXPECT_NEAR(identity.memory_gbps, 1638.4, 0.1);
  EXPECT_EQ(identity.name, "Some Instinct");
  EXPECT_EQ(identity.address, "0000:c1:00.0");
  EXPECT_TRUE(identity.toolchain.driver.ends_with(", amdgpu 6.7.0")) << identity.toolchain.driver;
  EXPECT_EQ(identity.toolchain.runtime, "HIP " + runtime_version());
}

TEST_F(HipIdentityTest, UnreadableFilesLeaveFieldsEmpty) {
  const DeviceIdentity identity = identity_of(properties_, "0000:c1:00.0", sysfs_ / "nowhere");
  EXPECT_EQ(identity.device_class.model, "");
  EXPECT_EQ(identity.device_class.partition, "");
  EXPECT_EQ(identity.device_class.isa, "gfx90a:sramecc+:xnack-");
}

TEST_F(HipIdentityTest, PartitionsAreFoundAtTheirParent) {
  write_ids(folder("0000:c1:00.0"));
  write(folder("0000:c1:00.0") / "current_compute_partition", "CPX");
  write(folder("0000:c1:00.0") / "current_memory_partition", "NPS4");
  const DeviceIdentity identity = identity_of(properties_, "0000:c1:00.3", sysfs_);
  EXPECT_EQ(identity.device_class.partition, "CPX/NPS4");
  EXPECT_EQ(identity.device_class.model, "1002:740f:1002:0c34");
  EXPECT_EQ(identity.address, "0000:c1:00.3");
}

TEST(LastLevelCache, IsTheOneBehindTheL2WhereThereIsOne) {
  EXPECT_EQ(last_level_cache_bytes("gfx942:sramecc+:xnack-", 4 << 20), 256 << 20);
  EXPECT_EQ(last_level_cache_bytes("gfx1030", 4 << 20), 128 << 20);
  EXPECT_EQ(last_level_cache_bytes("gfx906", 4 << 20), 4 << 20);
  EXPECT_EQ(last_level_cache_bytes("gfx90a", 16 << 20), 16 << 20);  // never less than was reported
}

TEST(HipVersion, IsReadAsHipComposesIt) {
  EXPECT_EQ(format_version(50221153), "5.2.21153");
  EXPECT_EQ(format_version(70000001), "7.0.1");
  EXPECT_EQ(format_version(HIP_VERSION), std::to_string(HIP_VERSION_MAJOR) + "." +
                                             std::to_string(HIP_VERSION_MINOR) + "." +
                                             std::to_string(HIP_VERSION_PATCH));
}

}  // namespace
}  // namespace redtune::device::hip::testing
