// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Devices that were never here: properties filled in by hand beside a made-up /sys and /proc.
#include "device/cuda/cuda_identity.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace redtune::device::cuda::testing {
namespace {

namespace fs = std::filesystem;

class CudaIdentityTest : public ::testing::Test {
 protected:
  CudaIdentityTest()
      : root_(fs::temp_directory_path() / ("redtune_cuda_" + std::to_string(::getpid()))),
        folders_{root_ / "sys", root_ / "proc"} {
    properties_.name = "Invented H";
    properties_.address = "0000:c1:00.0";
    for (std::size_t i = 0; i < 16; ++i) {
      properties_.uuid[i] = static_cast<unsigned char>(0x11 * i);
    }
    properties_.major = 9;
    properties_.multiprocessors = 132;
    properties_.l2_bytes = 50 << 20;
    properties_.memory_khz = 3'201'000;
    properties_.memory_bits = 6144;
    properties_.memory_bytes = std::int64_t{140} << 30;
    properties_.driver_version = 13000;
    fs::create_directories(folder("0000:c1:00.0"));
  }
  ~CudaIdentityTest() override { fs::remove_all(root_); }

  fs::path folder(const std::string& address) const {
    return folders_.sysfs / "bus/pci/devices" / address;
  }
  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }
  void write_ids(const fs::path& where) const {
    write(where / "vendor", "0x10de");
    write(where / "device", "0x2335");
    write(where / "subsystem_vendor", "0x10de");
    write(where / "subsystem_device", "0x18be");
  }
  std::string driver() const { return identity_of(properties_, folders_).toolchain.driver; }

  fs::path root_;
  SystemFolders folders_;
  Properties properties_;
};

TEST_F(CudaIdentityTest, HoldsEverythingThatMakesAResultTransferable) {
  write_ids(folder("0000:c1:00.0"));
  write(folders_.sysfs / "module/nvidia/version", "580.65.06");
  const DeviceIdentity identity = identity_of(properties_, folders_);
  const DeviceClass& device = identity.device_class;
  EXPECT_EQ(device.platform, "cuda");
  EXPECT_EQ(device.isa, "sm_90");
  EXPECT_EQ(device.model, "10de:2335:10de:18be");
  EXPECT_EQ(device.partition, "");
  EXPECT_EQ(device.compute_units, 132);
  EXPECT_EQ(device.wave_size, 32);
  EXPECT_EQ(device.last_level_cache_bytes, 50 << 20);
  EXPECT_EQ(device.memory_bytes, std::int64_t{140} << 30);
  EXPECT_NEAR(identity.memory_gbps, 4916.7, 0.1);
  EXPECT_EQ(identity.name, "Invented H");
  EXPECT_EQ(identity.address, "0000:c1:00.0");
  EXPECT_EQ(identity.uuid, "GPU-00112233-4455-6677-8899-aabbccddeeff");
  EXPECT_EQ(identity.toolchain.driver, "580.65.06, CUDA 13.0");
  EXPECT_EQ(identity.toolchain.runtime, "CUDA 13.0");
  EXPECT_EQ(identity.toolchain.compiler, "");  // the platform's to add
}

TEST_F(CudaIdentityTest, UnreadableFilesLeaveFieldsEmpty) {
  const DeviceIdentity identity =
      identity_of(properties_, {root_ / "no sys here", root_ / "no proc here"});
  EXPECT_EQ(identity.device_class.model, "");
  EXPECT_EQ(identity.device_class.isa, "sm_90");
  EXPECT_EQ(identity.toolchain.driver, "CUDA 13.0");
}

TEST_F(CudaIdentityTest, TheDriversVersionComesFromProcWhereSysHidesIt) {
  const fs::path file = folders_.procfs / "driver/nvidia/version";
  write(file,
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.124.06  Release Build  "
        "(builder@host)  Wed Feb 26 01:54:46 UTC 2025\nGCC version:  gcc version 12.3.0");
  EXPECT_EQ(driver(), "570.124.06, CUDA 13.0");
  write(file, "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90  Wed May 1 2024");
  EXPECT_EQ(driver(), "550.90, CUDA 13.0");
  write(folders_.sysfs / "module/nvidia/version", "580.65.06");
  EXPECT_EQ(driver(), "580.65.06, CUDA 13.0");
}

TEST_F(CudaIdentityTest, ProcFilesWithoutAVersionTellNone) {
  for (const char* text : {"", "NVRM version:", "no version here 2025 12", "x.y.z"}) {
    write(folders_.procfs / "driver/nvidia/version", text);
    EXPECT_EQ(driver(), "CUDA 13.0") << text;
  }
}

TEST_F(CudaIdentityTest, SlicesArePartitionsWithUuidsOfTheirOwn) {
  write_ids(folder("0000:c1:00.0"));
  properties_.name = "Invented H MIG 1g.18gb";
  properties_.multiprocessors = 16;
  const DeviceIdentity identity = identity_of(properties_, folders_);
  EXPECT_EQ(identity.device_class.partition, "1g.18gb");
  EXPECT_EQ(identity.device_class.compute_units, 16);
  EXPECT_EQ(identity.device_class.model, "10de:2335:10de:18be");
  EXPECT_EQ(identity.uuid, "MIG-00112233-4455-6677-8899-aabbccddeeff");
  EXPECT_EQ(identity.name, "Invented H MIG 1g.18gb");
}

TEST_F(CudaIdentityTest, NewerArchitecturesHaveThreeDigits) {
  properties_.major = 12;
  properties_.minor = 1;
  EXPECT_EQ(identity_of(properties_, folders_).device_class.isa, "sm_121");
}

TEST(MigProfile, IsWhatFollowsTheMark) {
  EXPECT_EQ(mig_profile("NVIDIA A100-SXM4-40GB MIG 3g.20gb"), "3g.20gb");
  EXPECT_EQ(mig_profile("NVIDIA A100-SXM4-40GB MIG 1c.2g.10gb"), "1c.2g.10gb");
  EXPECT_EQ(mig_profile("NVIDIA A100-SXM4-40GB"), "");
  EXPECT_EQ(mig_profile("MIGHTY GPU"), "");
  EXPECT_EQ(mig_profile(""), "");
}

TEST(CudaVersion, IsReadAsCudaComposesIt) {
  EXPECT_EQ(format_version(13000), "13.0");
  EXPECT_EQ(format_version(12080), "12.8");
  EXPECT_EQ(format_version(0), "0.0");
}

}  // namespace
}  // namespace redtune::device::cuda::testing
