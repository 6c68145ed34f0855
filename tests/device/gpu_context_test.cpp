// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// In which context device/gpu launches, and that the caller's is current afterwards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <optional>

#include "device/gpu/device.hpp"
#include "gpu_fake_api.hpp"

namespace redtune::device::gpu::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::ThrowsMessage;

/// A device whose context is 1001, called by a thread in context 77.
class GpuContextTest : public FakeWorld {
 protected:
  void SetUp() override {
    FakeWorld::SetUp();
    device_.emplace(1, Facts{});
    module_ = device_->load(std::array{std::byte{1}});
    world.current = 77;
    forget();
  }
  void TearDown() override {
    EXPECT_EQ(world.current, 77);
    module_.reset();
    device_.reset();
    FakeWorld::TearDown();
  }

  /// Three launches of 1, 2 and 3 blocks.
  void launch_three(Stream stream) {
    const Kernel kernel = module_->kernel("first");
    const std::array all = {Launch{kernel, 1, 32, {}}, Launch{kernel, 2, 32, {}},
                            Launch{kernel, 3, 32, {}}};
    forget();
    device_->launch(all, stream);
  }
  static Stream stream_of(int id) {
    return Stream{reinterpret_cast<void*>(static_cast<std::intptr_t>(id))};
  }
  /// Of the launches that were taken.
  static std::vector<unsigned> grids() {
    std::vector<unsigned> all;
    for (const Launched& launched : world.launches) all.push_back(launched.shape.blocks);
    return all;
  }

 private:
  static void forget() {
    world.launches.clear();
    world.called_in.clear();
    world.context_calls = 0;
  }

  std::optional<GpuDevice<FakeApi>> device_;
  std::unique_ptr<Module> module_;
};

TEST_F(GpuContextTest, ALaunchOnAStreamThatNamesItsContextDoesNotLookAtTheCurrentOne) {
  for (const Stream stream : {stream_of(55), Stream{}}) {  // without one: the device's own
    launch_three(stream);
    EXPECT_THAT(grids(), ElementsAre(1, 2, 3));
    EXPECT_EQ(world.context_calls, 0);
  }
}

TEST_F(GpuContextTest, ALaunchOnAStreamThatEveryContextHasIsInTheDevices) {
  for (const int id : {1, 2}) {
    launch_three(stream_of(id));
    EXPECT_THAT(grids(), ElementsAre(1, 2, 3));
    EXPECT_THAT(world.called_in, ElementsAre(1001, 1001, 1001));
    EXPECT_EQ(world.launches.front().stream, id);
    EXPECT_EQ(world.current, 77);
  }
}

TEST_F(GpuContextTest, ARefusedLaunchIsTriedAgainInTheDevicesContextAndNoneIsQueuedTwice) {
  world.launches_in = 1001;
  const std::vector<std::vector<int>> called_in = {
      {77, 1001, 1001, 1001}, {77, 77, 1001, 1001}, {77, 77, 77, 1001}};
  for (int taken = 0; taken < 3; ++taken) {
    world.taken_elsewhere = taken;
    launch_three(stream_of(55));
    EXPECT_THAT(grids(), ElementsAre(1, 2, 3)) << taken;
    EXPECT_EQ(world.called_in, called_in[static_cast<std::size_t>(taken)]) << taken;
    EXPECT_EQ(world.current, 77) << taken;
  }
}

TEST_F(GpuContextTest, ALaunchThatIsRefusedInTheDevicesContextTooIsAnError) {
  world.launches_in = 88;  // neither of the two
  world.taken_elsewhere = 1;
  EXPECT_THAT([&] { launch_three(stream_of(55)); },
              ThrowsMessage<DeviceError>(
                  "cannot launch 2 blocks of 32 threads: FAKE_BROKEN (it is only a test)"));
  EXPECT_THAT(grids(), ElementsAre(1));
  EXPECT_THAT(world.called_in, ElementsAre(77, 77, 1001));
}

}  // namespace
}  // namespace redtune::device::gpu::testing
