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
  EXPECT_EQ(identity.toolchain.runtime, runtime_name());
  EXPECT_EQ(identity.dies, 1);
}

TEST_F(HipIdentityTest, TheoreticalBandwidthIsThatOfTheDataSheet) {
  properties_.memoryClockRate = 1300000;
  properties_.memoryBusWidth = 8192;
  const auto gbps_of = [&](const char* isa) {
    std::strncpy(properties_.gcnArchName, isa, 255);
    return identity_of(properties_, "0000:c1:00.0", sysfs_).memory_gbps;
  };
  EXPECT_NEAR(gbps_of("gfx942:sramecc+:xnack-"), 5325, 1) << "MI300X: 5.3 TB/s";
  for (const char* isa : {"gfx950", "gfx1100", "gfx1201"}) {
    EXPECT_EQ(gbps_of(isa), 0) << isa << ": transfers in a clock are not known";
  }
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

/// A node as the kernel lists it, with a processor before it.
class KfdTopologyTest : public HipIdentityTest {
 protected:
  KfdTopologyTest() {
    write(nodes() / "0/properties", "cpu_cores_count 8\nsimd_count 0\nlocation_id 0");
    std::strncpy(properties_.gcnArchName, "gfx1100", 255);
    properties_.l2CacheSize = 6 << 20;
    properties_.multiProcessorCount = 42;
  }
  fs::path nodes() const { return sysfs_ / "class/kfd/kfd/topology/nodes"; }
  /// location: bus, device and function of "c1:00.0" are 49408.
  void write_node(const std::string& name, const std::string& more) const {
    write(nodes() / name / "properties", "simd_count 84\n" + more);
  }
  void write_cache(const std::string& name, int level, const std::string& kibibytes) const {
    write(nodes() / name / "caches" / std::to_string(level) / "properties",
          "processor_id_low 1\nlevel " + std::to_string(level) + "\nsize " + kibibytes);
  }
  DeviceIdentity found(const std::string& address) const {
    return identity_of(properties_, address, sysfs_);
  }
  std::int64_t cache_at(const std::string& address) const {
    return found(address).device_class.last_level_cache_bytes;
  }
};

TEST_F(KfdTopologyTest, ProductsOfOneProcessorHaveTheCachesTheyReport) {
  write_node("1", "location_id 49408\ndomain 0");
  write_node("2", "location_id 768\ndomain 1");
  write_cache("1", 2, "6144");
  write_cache("1", 3, "81920");
  write_cache("2", 3, "65536");
  EXPECT_EQ(cache_at("0000:c1:00.0"), 80 << 20);
  EXPECT_EQ(cache_at("0001:03:00.0"), 64 << 20);
  EXPECT_EQ(cache_at("0000:03:00.0"), 96 << 20);  // another domain: not listed, so the table's
}

TEST_F(KfdTopologyTest, WithoutACacheOfLevelThreeTheTableCounts) {
  write_node("1", "location_id 49408");
  write_cache("1", 2, "6144");
  EXPECT_EQ(cache_at("0000:c1:00.0"), 96 << 20);
}

TEST_F(KfdTopologyTest, NonsenseIsNotBelieved) {
  for (const std::string size : {"", "-1", "0", "99999999999999999999", "9223372036854775807"}) {
    write_node("1", "location_id 49408\nnum_xcc 0");
    write_cache("1", 3, size);
    EXPECT_EQ(cache_at("0000:c1:00.0"), 96 << 20) << size;
    EXPECT_EQ(found("0000:c1:00.0").dies, 1) << size;
  }
  EXPECT_EQ(cache_at("c1:00.0"), 96 << 20);
  EXPECT_EQ(cache_at("0000:zz:00.0"), 96 << 20);
}

TEST_F(KfdTopologyTest, DiesAreThoseOfThePartition) {
  std::strncpy(properties_.gcnArchName, "gfx942:sramecc+:xnack-", 255);
  write_node("1", "location_id 49408\nnum_xcc 2");
  write_node("2", "location_id 49409\nnum_xcc 1");
  EXPECT_EQ(found("0000:c1:00.0").dies, 2);
  EXPECT_EQ(found("0000:c1:00.1").dies, 1);
  EXPECT_EQ(found("0000:c1:00.3").dies, 2);  // no node of its own: that of function 0
}

TEST(Dies, FollowFromTheComputeUnitsWhereTheKernelIsSilent) {
  EXPECT_EQ(dies_of("gfx942:sramecc+:xnack-", 304), 8);  // MI300X, SPX
  EXPECT_EQ(dies_of("gfx942:sramecc+:xnack-", 38), 1);   // CPX
  EXPECT_EQ(dies_of("gfx942", 228), 6);                  // MI300A
  EXPECT_EQ(dies_of("gfx950", 256), 8);
  EXPECT_EQ(dies_of("gfx942", 80), 0);  // MI308X has others: not guessed
  EXPECT_EQ(dies_of("gfx90a", 104), 1);
  EXPECT_EQ(dies_of("gfx1100", 48), 1);
}

TEST(RuntimeName, HasTheBuildOfTheLibrary) {
  EXPECT_EQ(runtime_name().find("HIP " + runtime_version() + " ("), 0U);
  EXPECT_GE(runtime_name().size(), ("HIP " + runtime_version() + " ()").size() + 11);
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
