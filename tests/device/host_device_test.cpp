// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The host as a device: memory with guard pages, binaries it refuses, launches it refuses.
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <iterator>
#include <sys/wait.h>
#include <vector>

#include "tests/device/host_programs.hpp"

namespace redtune::device::host {
namespace {

class HostDevice : public testing::Test {
 protected:
  std::unique_ptr<Device> device_ = make_host_device({.wave_size = 32, .threads = 2});
};

TEST_F(HostDevice, AlignsEveryAllocation) {
  for (const std::size_t bytes :
       {1U, 4U, 255U, 256U, 257U, 4095U, 4096U, 4097U, 100000U, 2U << 20U, 3000001U}) {
    const Buffer buffer = device_->allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 256, 0U) << bytes;
    EXPECT_EQ(buffer.bytes(), bytes);
    device_->fill(buffer.data(), std::byte{7}, bytes);
    auto* data = static_cast<std::byte*>(buffer.data());
    EXPECT_EQ(data[0], std::byte{7});
    EXPECT_EQ(data[bytes - 1], std::byte{7});
  }
}

std::ptrdiff_t threads_of_this_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

TEST_F(HostDevice, SharesThreadsWithOthersOfTheSameOptions) {
  const std::ptrdiff_t before = threads_of_this_process();
  std::vector<std::unique_ptr<Device>> devices;
  for (int i = 0; i < 20; ++i) {
    devices.push_back(make_host_device({.wave_size = 32, .threads = 2}));
  }
  EXPECT_EQ(threads_of_this_process(), before);
  // Each in random order has lanes of its own, from the seed on.
  devices.push_back(make_host_device({.order = LaneOrder::random, .threads = 2}));
  devices.push_back(make_host_device({.order = LaneOrder::random, .threads = 2}));
  EXPECT_EQ(threads_of_this_process(), before + 2);
  devices.push_back(make_host_device({.wave_size = 64, .threads = 3}));
  EXPECT_EQ(threads_of_this_process(), before + 4);
  devices.clear();
  EXPECT_EQ(threads_of_this_process(), before);
}

TEST_F(HostDevice, GivesABufferOfZeroBytes) {
  const Buffer buffer = device_->allocate(0);
  EXPECT_EQ(buffer.bytes(), 0U);
  EXPECT_NE(buffer.data(), nullptr);
  device_->fill(buffer.data(), std::byte{1}, 0);
  device_->copy_to_device(buffer.data(), nullptr, 0);
  device_->copy_to_host(nullptr, buffer.data(), 0);
  device_->copy_within(buffer.data(), nullptr, 0);
}

TEST_F(HostDevice, GivesMemoryBackWhenABufferEnds) {
  // 256 GiB in turn: without release this would not fit.
  for (int turn = 0; turn < 4096; ++turn) {
    Buffer buffer = device_->allocate(std::size_t{64} << 20);
    static_cast<std::byte*>(buffer.data())[0] = std::byte{1};
    Buffer moved = std::move(buffer);
    EXPECT_EQ(buffer.data(), nullptr);
    buffer = std::move(moved);
    EXPECT_NE(buffer.data(), nullptr);
  }
}

TEST_F(HostDevice, RefusesAbsurdSizesAsOutOfMemory) {
  for (const std::size_t bytes : {std::size_t{1} << 60, SIZE_MAX, SIZE_MAX - 4096, SIZE_MAX / 2}) {
    EXPECT_THROW(static_cast<void>(device_->allocate(bytes)), OutOfMemory) << bytes;
  }
  EXPECT_GT(device_->free_memory(), std::size_t{1} << 20);
}

/// Ended by the system for touching memory that is not its own.
bool died_of_access(int status) {
#if defined(__SANITIZE_ADDRESS__)
  if (WIFEXITED(status)) return WEXITSTATUS(status) != 0;
#endif
  return WIFSIGNALED(status) && (WTERMSIG(status) == SIGSEGV || WTERMSIG(status) == SIGBUS);
}

using HostDeviceDeathTest = HostDevice;

TEST_F(HostDeviceDeathTest, EndsMemoryAtAGuardPage) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const std::size_t bytes : {256U, 4096U, 1U << 20U}) {
    const Buffer buffer = device_->allocate(bytes);
    volatile auto* end = static_cast<volatile char*>(buffer.data()) + bytes;
    end[-1] = 1;
    EXPECT_EXIT(*end = 1, died_of_access, "") << bytes;
  }
}

TEST_F(HostDeviceDeathTest, HasAGuardPageBelowMemory) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const Buffer buffer = device_->allocate(4096);
  volatile auto* below = static_cast<volatile char*>(buffer.data()) - 1;
  EXPECT_EXIT(*below = 1, died_of_access, "");
}

TEST_F(HostDeviceDeathTest, LeavesNoMemoryBehindAReleasedBuffer) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto use_after_release = [&] {
    Buffer buffer = device_->allocate(8192);
    volatile auto* data = static_cast<volatile char*>(buffer.data());
    buffer = Buffer();
    *data = 1;
  };
  EXPECT_EXIT(use_after_release(), died_of_access, "");
}

TEST_F(HostDevice, CopiesAndFillsExactlyTheBytesAsked) {
  const Numbers<std::uint8_t> memory(*device_, 300);
  const std::vector<std::uint8_t> ones(5, 1);
  device_->copy_to_device(memory.data() + 10, ones.data(), ones.size());
  device_->fill(memory.data() + 290, std::byte{2}, 10);
  device_->copy_within(memory.data() + 100, memory.data() + 14, 2);
  const auto values = memory.read();
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(values[i], i >= 290 ? 2 : ((i >= 10 && i < 15) || i == 100 ? 1 : 0)) << i;
  }
}

TEST_F(HostDevice, RefusesBinariesThatAreNone) {
  EXPECT_THROW(static_cast<void>(device_->load({})), DeviceError);
  const std::vector<std::byte> garbage(5000, std::byte{0x5a});
  EXPECT_THROW(static_cast<void>(device_->load(garbage)), DeviceError);
  auto program = compile_kernels("REDTUNE_KERNEL(1) nothing() {}", {"nothing"});
  program.binary.resize(program.binary.size() / 4);
  EXPECT_THROW(static_cast<void>(device_->load(program.binary)), DeviceError);
}

TEST_F(HostDevice, RefusesASymbolThatIsNotThere) {
  const auto program = compile_kernels("REDTUNE_KERNEL(1) nothing() {}", {"nothing"});
  const auto module = device_->load(program.binary);
  EXPECT_NE(module->kernel(program.kernels[0].symbol).handle, nullptr);
  EXPECT_THROW(static_cast<void>(module->kernel("redtune_kernel_1")), DeviceError);
  EXPECT_THROW(static_cast<void>(module->kernel("")), DeviceError);
}

TEST_F(HostDevice, RefusesLaunchesThatNoGpuWouldTake) {
  const auto program = compile_kernels("REDTUNE_KERNEL(1) nothing() {}", {"nothing"});
  const auto module = device_->load(program.binary);
  const Kernel kernel = module->kernel(program.kernels[0].symbol);
  struct Shape {
    std::int64_t grid;
    int block;
  };
  for (const Shape shape : {Shape{0, 32},
                            {-1, 32},
                            {std::int64_t{1} << 31, 32},
                            {1, 0},
                            {1, -32},
                            {1, 1056},
                            {1, 1 << 30}}) {
    const Launch launch{kernel, shape.grid, shape.block, {}};
    EXPECT_THROW(device_->launch({&launch, 1}, {}), DeviceError)
        << shape.grid << ' ' << shape.block;
    EXPECT_THROW(static_cast<void>(device_->time({&launch, 1})), DeviceError);
  }
  // A part of a wave is a wave.
  for (const int block : {1, 31, 33, 1024}) {
    const Launch fine{kernel, 1, block, {}};
    device_->launch({&fine, 1}, {});
  }
  device_->synchronize({});
}

TEST_F(HostDevice, TimesABatchOnBothClocks) {
  const auto program = compile_kernels("REDTUNE_KERNEL(1) nothing() {}", {"nothing"});
  const auto module = device_->load(program.binary);
  const std::vector<Launch> batch(3, {module->kernel(program.kernels[0].symbol), 4, 32, {}});
  const BatchTime time = device_->time(batch);
  EXPECT_GT(time.device_us, 0);
  EXPECT_GE(time.host_us, time.device_us);
}

TEST_F(HostDevice, KeepsModulesLoadedAtTheSameTimeApart) {
  const auto text = [](int number) {
    return "REDTUNE_KERNEL(1) tell(i32* out) { *out = " + std::to_string(number) + "; }";
  };
  std::vector<std::unique_ptr<Module>> modules;
  std::vector<std::string> symbols;
  for (int i = 0; i < 3; ++i) {
    const auto program = compile_kernels(text(i), {"tell"});
    modules.push_back(device_->load(program.binary));
    symbols.push_back(program.kernels[0].symbol);
  }
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const Numbers<std::int32_t> out(*device_, 1);
    const Launch launch = launch_of(modules[i]->kernel(symbols[i]), 1, 32, out.data());
    device_->launch({&launch, 1}, {});
    EXPECT_EQ(out.read()[0], static_cast<int>(i));
  }
}

}  // namespace
}  // namespace redtune::device::host
