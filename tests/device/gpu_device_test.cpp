// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A GPU as device/gpu drives it: order of calls, arguments, ownership, errors.
#include <bit>
#include <cmath>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "device/gpu/device.hpp"
#include "gpu_fake_api.hpp"

namespace redtune::device::gpu::testing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using FakeDevice = GpuDevice<FakeApi>;

constexpr std::array<std::byte, 3> some_binary = {std::byte{1}, std::byte{2}, std::byte{3}};

class GpuDeviceTest : public FakeWorld {
 protected:
  /// Calls since the last time, without those that set the device up.
  std::vector<std::string> take_calls() { return std::exchange(world.calls, {}); }
};

template <class... T>
Arguments arguments_of(const T&... values) {
  Arguments arguments;
  (arguments.append(values), ...);
  return arguments;
}

template <class E, class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const E& error) {
    EXPECT_EQ(typeid(error), typeid(E));
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST_F(GpuDeviceTest, GivesBackEverythingInTheContextOfTheDevice) {
  {
    FakeDevice device(1, {});
    const Buffer one = device.allocate(100);
    Buffer two = device.allocate(200);
    two = device.allocate(300);
    const auto module = device.load(some_binary);
    EXPECT_EQ(world.memory.size(), 2U);               // the first of two is freed already
    EXPECT_EQ(world.live.size(), 1U + 1U + 2U + 1U);  // context, stream, events, module
  }
  EXPECT_TRUE(world.memory.empty());
  EXPECT_TRUE(world.live.empty());
  for (std::size_t i = 0; i < world.calls.size(); ++i) {
    if (world.calls[i].ends_with("_context")) continue;
    EXPECT_EQ(world.called_in[i], 1001) << world.calls[i];
  }
}

TEST_F(GpuDeviceTest, LeavesTheCallersContextCurrent) {
  world.current = 77;
  FakeDevice device(0, {});
  EXPECT_EQ(world.current, 77);
  { const Buffer buffer = device.allocate(4); }
  (void)device.time({});
  EXPECT_EQ(world.current, 77);
  world.failures["allocate"] = FakeStatus::broken;
  EXPECT_THROW((void)device.allocate(4), DeviceError);
  EXPECT_EQ(world.current, 77);
}

TEST_F(GpuDeviceTest, ModulesOutliveTheirDeviceWithItsContext) {
  std::unique_ptr<Module> module;
  {
    FakeDevice device(0, {});
    module = device.load(some_binary);
  }
  EXPECT_EQ(world.live.size(), 2U);  // the module and its context
  EXPECT_NE(module->kernel("first").handle, nullptr);
}

TEST_F(GpuDeviceTest, LeaksNothingWhenOpeningFailsHalfWay) {
  for (const char* call : {"open_context", "create_stream", "create_event"}) {
    world.failures = {{call, FakeStatus::broken}};
    EXPECT_THROW(FakeDevice(0, {}), DeviceError) << call;
    EXPECT_TRUE(world.live.empty()) << call;
  }
}

TEST_F(GpuDeviceTest, HasASecondStreamOnceItIsAskedForOne) {
  {
    FakeDevice device(1, {});
    take_calls();
    const Stream second = device.second_stream();
    EXPECT_NE(second.handle, nullptr);
    EXPECT_EQ(device.second_stream().handle, second.handle);
    EXPECT_EQ(std::ranges::count(take_calls(), "create_stream"), 1);
    const auto module = device.load(some_binary);
    const Launch launch{.kernel = module->kernel("first"), .arguments = Arguments{}};
    device.launch({&launch, 1}, {});
    device.launch({&launch, 1}, second);
    EXPECT_NE(world.launches[0].stream, world.launches[1].stream);
  }
  EXPECT_TRUE(world.live.empty()) << "it is given back with the device";
  FakeDevice device(0, {});
  world.failures = {{"create_stream", FakeStatus::broken}};
  EXPECT_THAT(message_of<DeviceError>([&] { (void)device.second_stream(); }),
              HasSubstr("create a second stream"));
}

TEST_F(GpuDeviceTest, KeepsTheBinaryWhereItWasLoadedFrom) {
  FakeDevice device(0, {});
  std::vector<std::byte> binary(some_binary.begin(), some_binary.end());
  const auto module = device.load(binary);
  ASSERT_NE(world.image, binary.data());
  binary.assign(3, std::byte{0});
  EXPECT_EQ(std::memcmp(world.image, some_binary.data(), some_binary.size()), 0);
}

TEST_F(GpuDeviceTest, TimesOneBatchBetweenTwoEvents) {
  FakeDevice device(0, {});
  const auto module = device.load(some_binary);
  const Launch launch{.kernel = module->kernel("first"), .arguments = Arguments{}};
  take_calls();
  const std::array<Launch, 2> batch = {launch, launch};
  const BatchTime time = device.time(batch);
  const auto calls = take_calls();
  ASSERT_EQ(calls.size(), 6U);
  const auto event = [&calls](std::size_t i) { return calls[i].substr(calls[i].find(' ') + 1); };
  EXPECT_NE(event(0), event(3));
  EXPECT_THAT(calls, ElementsAre("record_event " + event(0), "launch", "launch",
                                 "record_event " + event(3), "synchronize_event " + event(3),
                                 "elapsed_ms " + event(0) + " " + event(3)));
  EXPECT_DOUBLE_EQ(time.device_us, 2500);
  EXPECT_GE(time.host_us, 0);
}

TEST_F(GpuDeviceTest, PreparesABatchOnceAndReplaysItAsAGraph) {
  FakeDevice device(0, {});
  const auto module = device.load(some_binary);
  const Launch launch{.kernel = module->kernel("first"), .arguments = Arguments{}};
  take_calls();
  const auto batch = device.prepare(std::array{launch, launch});
  EXPECT_THAT(take_calls(), ElementsAre("begin_capture", "launch", "launch", "end_capture",
                                        "instantiate", "destroy_graph"));
  for (int replay = 0; replay < 2; ++replay) {
    EXPECT_DOUBLE_EQ(batch->time().device_us, 2500);
    const auto calls = take_calls();
    ASSERT_EQ(calls.size(), 5U);
    EXPECT_EQ(calls[1], "launch_graph");
  }
  EXPECT_EQ(world.launches.size(), 2U);
}

TEST_F(GpuDeviceTest, ARefusedLaunchEndsItsCaptureAndLeavesNothing) {
  FakeDevice device(0, {});
  const auto module = device.load(some_binary);
  const std::array good = {Launch{.kernel = module->kernel("first"), .arguments = Arguments{}}};
  const std::size_t before = world.live.size();
  for (const char* call : {"begin_capture", "launch", "end_capture", "instantiate"}) {
    world.failures = {{call, FakeStatus::broken}};
    EXPECT_THROW((void)device.prepare(good), DeviceError) << call;
    EXPECT_EQ(world.live.size(), before) << call;
    EXPECT_TRUE(!world.captures || std::string_view(call) == "begin_capture") << call;
  }
  world.failures.clear();
  EXPECT_EQ(device.prepare(good)->time().device_us, 2500);
}

TEST_F(GpuDeviceTest, ReturnsImplausibleTimesAsTheyAre) {
  FakeDevice device(0, {});
  for (const float odd : {0.0F, -3.0F}) {
    world.elapsed = odd;
    EXPECT_EQ(device.time({}).device_us, static_cast<double>(odd) * 1000);
  }
  world.elapsed = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(device.time({}).device_us));
}

TEST_F(GpuDeviceTest, PassesShapeStreamAndArguments) {
  FakeDevice device(0, {});
  const auto module = device.load(some_binary);
  const Launch first{module->kernel("first"), 12, 256, arguments_of(1.5, std::uint64_t{42}, 7)};
  const Launch second{module->kernel("second"), 1, 64, Arguments{}};
  const std::array<Launch, 2> both = {first, second};
  device.launch(both, Stream{reinterpret_cast<void*>(55)});
  ASSERT_EQ(world.launches.size(), 2U);
  EXPECT_EQ(world.launches[0].function, 7);
  EXPECT_EQ(world.launches[0].shape.blocks, 12U);
  EXPECT_EQ(world.launches[0].shape.threads, 256U);
  EXPECT_EQ(world.launches[0].stream, 55);
  EXPECT_THAT(world.launches[0].slots, ElementsAre(std::bit_cast<std::uint64_t>(1.5), 42, 7));
  EXPECT_EQ(world.launches[1].function, 8);
  EXPECT_THAT(world.launches[1].slots, ElementsAre());
}

TEST_F(GpuDeviceTest, LaunchesAsDeepAsItIsToldAndNoDeeper) {
  Facts facts;
  facts.limits.max_block_size = 512;
  FakeDevice device(0, facts);
  const auto module = device.load(some_binary);
  const auto launch = [&](const Depth& depth) {
    device.launch(std::array{Launch{.kernel = module->kernel("first"),
                                    .grid = 3,
                                    .block = 64,
                                    .arguments = Arguments{},
                                    .depth = depth}},
                  {});
  };
  launch({.grid_y = 5, .grid_z = 6, .block_y = 4, .block_z = 2, .shared_bytes = 100});
  ASSERT_EQ(world.launches.size(), 1U);
  const Depth& depth = world.launches[0].shape.depth;
  EXPECT_EQ(depth.grid_y, 5);
  EXPECT_EQ(depth.grid_z, 6);
  EXPECT_EQ(depth.block_y, 4);
  EXPECT_EQ(depth.block_z, 2);
  EXPECT_EQ(depth.shared_bytes, 100);
  EXPECT_EQ(
      message_of<DeviceError>([&] { launch({.grid_y = 2, .block_y = 9}); }),
      "cannot launch 6 blocks of 576 threads: the device takes 1 to 2147483647 blocks of 1 to "
      "512 threads");
  for (const Depth& none : {Depth{.grid_y = 0}, Depth{.grid_z = 65536}, Depth{.block_z = 0},
                            Depth{.block_y = 65536}, Depth{.shared_bytes = -1}}) {
    EXPECT_THROW(launch(none), DeviceError);
  }
}

TEST_F(GpuDeviceTest, GivesAKernelTheSharedMemoryOfItsDevice) {
  Facts facts;
  facts.limits.max_shared_bytes = 70000;
  FakeDevice device(0, facts);
  const auto module = device.load(some_binary);
  const Kernel kernel = module->kernel("second");
  (void)take_calls();
  module->allow_shared(kernel);
  EXPECT_THAT(take_calls(), ElementsAre("allow_shared 8 70000"));
  world.failures = {{"allow_shared", FakeStatus::broken}};
  EXPECT_EQ(message_of<DeviceError>([&] { module->allow_shared(kernel); }),
            "cannot give a kernel more shared memory: FAKE_BROKEN (it is only a test)");
}

TEST_F(GpuDeviceTest, TellsWhereAVariableIs) {
  FakeDevice device(0, {});
  const Variable variable = device.load(some_binary)->variable("weights");
  EXPECT_NE(variable.data, nullptr);
  EXPECT_EQ(variable.bytes, 16U);
}

TEST_F(GpuDeviceTest, LaunchesWithNoCallThatACaptureOfTheCallersStreamForbids) {
  FakeDevice device(0, {});
  const auto module = device.load(some_binary);
  const Launch launch{.kernel = module->kernel("first"), .arguments = Arguments{}};
  take_calls();
  device.launch(std::array{launch, launch}, Stream{reinterpret_cast<void*>(55)});
  EXPECT_THAT(take_calls(), ElementsAre("launch", "launch"));
}

TEST_F(GpuDeviceTest, UsesItsOwnStreamWhenNoneIsGiven) {
  FakeDevice device(0, {});
  const auto module = device.load(some_binary);
  device.launch(std::array{Launch{.kernel = module->kernel("first"), .arguments = Arguments{}}},
                {});
  ASSERT_EQ(world.launches.size(), 1U);
  const int own = world.launches[0].stream;
  EXPECT_EQ(world.live[own], "stream");
  take_calls();
  device.synchronize({});
  device.synchronize(Stream{reinterpret_cast<void*>(55)});
  EXPECT_THAT(take_calls(),
              ElementsAre("synchronize_stream " + std::to_string(own), "synchronize_stream 55"));
}

TEST_F(GpuDeviceTest, RefusesShapesOutsideItsLimitsWithoutAskingTheDriver) {
  Facts facts;
  facts.limits.max_grid = 1000;
  facts.limits.max_block_size = 512;
  FakeDevice device(0, facts);
  const auto module = device.load(some_binary);
  const std::array<std::pair<std::int64_t, int>, 5> shapes = {
      {{0, 64}, {1001, 64}, {-1, 64}, {1, 0}, {1, 513}}};
  for (const auto& [grid, block] : shapes) {
    const std::array batch = {Launch{module->kernel("first"), grid, block, Arguments{}}};
    const auto text = message_of<DeviceError>([&] { device.launch(batch, {}); });
    EXPECT_THAT(text, HasSubstr("1 to 1000 blocks of 1 to 512 threads"));
  }
  EXPECT_TRUE(world.launches.empty());
  const std::array largest = {Launch{module->kernel("first"), 1000, 512, Arguments{}}};
  device.launch(largest, {});
  EXPECT_EQ(world.launches.size(), 1U);
}

TEST_F(GpuDeviceTest, CopiesAndFillsAreOverWhenTheyReturn) {
  FakeDevice device(0, {});
  const Buffer buffer = device.allocate(8);
  std::array<unsigned char, 8> data{1, 2, 3, 4, 5, 6, 7, 8};
  take_calls();
  device.copy_to_device(buffer.data(), data.data(), 8);
  device.fill(buffer.data(), std::byte{0xA5}, 4);
  auto* const bytes = static_cast<std::byte*>(buffer.data());
  device.copy_within(bytes + 2, bytes + 6, 1);
  device.copy_to_host(data.data(), buffer.data(), 8);
  EXPECT_THAT(data, ElementsAre(0xA5, 0xA5, 7, 0xA5, 5, 6, 7, 8));
  const auto calls = take_calls();
  ASSERT_EQ(calls.size(), 8U);
  for (const std::size_t i : {1U, 3U, 5U, 7U})
    EXPECT_THAT(calls[i], HasSubstr("synchronize_stream"));
}

TEST_F(GpuDeviceTest, ClearsOnTheCallersStreamAndDoesNotWait) {
  FakeDevice device(0, {});
  const Buffer buffer = device.allocate(8);
  device.fill(buffer.data(), std::byte{0xA5}, 8);
  int callers = 0;
  take_calls();
  world.filled_on = nullptr;
  device.clear(buffer.data(), 8, {&callers});
  EXPECT_EQ(world.filled_on, &callers);
  for (const std::string& call : take_calls()) {
    EXPECT_THAT(call, Not(HasSubstr("synchronize"))) << "it would wait for what is before it";
  }
  device.clear(buffer.data(), 0, {&callers});
  EXPECT_TRUE(take_calls().empty());
  std::array<unsigned char, 8> data{1, 2, 3, 4, 5, 6, 7, 8};
  device.copy_to_host(data.data(), buffer.data(), 8);
  EXPECT_THAT(data, Each(0));
}

TEST_F(GpuDeviceTest, NothingIsAValidAmount) {
  FakeDevice device(0, {});
  const Buffer buffer = device.allocate(0);
  EXPECT_NE(buffer.data(), nullptr);
  EXPECT_EQ(buffer.bytes(), 0U);
  take_calls();
  device.copy_to_device(buffer.data(), nullptr, 0);
  device.copy_to_host(nullptr, buffer.data(), 0);
  device.copy_within(buffer.data(), nullptr, 0);
  device.fill(buffer.data(), std::byte{1}, 0);
  EXPECT_TRUE(take_calls().empty());
}

TEST_F(GpuDeviceTest, TellsOutOfMemoryFromOtherErrors) {
  FakeDevice device(0, {});
  world.failures["allocate"] = FakeStatus::out_of_memory;
  EXPECT_EQ(message_of<OutOfMemory>([&] { (void)device.allocate(12345); }),
            "cannot allocate 12345 bytes on the device: FAKE_OUT_OF_MEMORY (it is only a test)");
  world.failures["allocate"] = FakeStatus::broken;
  EXPECT_EQ(message_of<DeviceError>([&] { (void)device.allocate(12345); }),
            "cannot allocate 12345 bytes on the device: FAKE_BROKEN (it is only a test)");
}

/// A fault of earlier work may be told by any call, that of an owner who tells nobody too.
TEST_F(GpuDeviceTest, ALossThatWasFoundWhileGivingBackIsToldToWhoeverComesNext) {
  for (const char* call : {"free", "destroy_executable", "unload_module"}) {
    world.failures.clear();
    FakeDevice device(0, {});
    const auto use_once = [&] {
      const auto module = device.load(some_binary);
      const Buffer buffer = device.allocate(4);
      (void)device.prepare(std::array{Launch{module->kernel("first"), 1, 32, {}}})->time();
    };
    world.failures[call] = FakeStatus::broken;  // and no more than that
    use_once();
    EXPECT_NO_THROW(device.synchronize({})) << call;
    world.failures[call] = FakeStatus::lost;
    EXPECT_NO_THROW(use_once()) << call;
    world.failures.clear();  // whatever the calls say from now on
    EXPECT_EQ(message_of<DeviceLost>([&] { device.synchronize({}); }),
              "cannot use the device any more: FAKE_BROKEN (it is only a test)")
        << call;
  }
}

TEST_F(GpuDeviceTest, EveryFailingCallIsAnErrorThatSaysWhatWasBeingDone) {
  FakeDevice device(0, {});
  const Buffer buffer = device.allocate(8);
  const auto module = device.load(some_binary);
  const std::array batch = {Launch{.kernel = module->kernel("first"), .arguments = Arguments{}}};
  std::array<char, 8> host{};
  using Action = std::function<void()>;
  const std::vector<std::tuple<const char*, const char*, Action>> cases = {
      {"memory_info", "memory is free", [&] { (void)device.free_memory(); }},
      {"copy_to_device", "copy to", [&] { device.copy_to_device(buffer.data(), host.data(), 8); }},
      {"copy_to_host", "copy from", [&] { device.copy_to_host(host.data(), buffer.data(), 8); }},
      {"fill", "fill", [&] { device.fill(buffer.data(), {}, 8); }},
      {"fill", "clear", [&] { device.clear(buffer.data(), 8, {}); }},
      {"load_module", "load a binary", [&] { (void)device.load(some_binary); }},
      {"find_function", "'nosuch'", [&] { (void)module->kernel("nosuch"); }},
      {"find_variable", "'nosuch'", [&] { (void)module->variable("nosuch"); }},
      {"launch", "launch 1 blocks of 1", [&] { device.launch(batch, {}); }},
      {"synchronize_stream", "queued", [&] { device.synchronize({}); }},
      {"record_event", "start of a batch", [&] { (void)device.time(batch); }},
      {"synchronize_event", "timed batch", [&] { (void)device.time(batch); }},
      {"elapsed_ms", "time of a batch", [&] { (void)device.time(batch); }},
  };
  for (const auto& [call, doing, action] : cases) {
    world.failures = {{call, FakeStatus::broken}};
    const std::string text = message_of<DeviceError>(action);
    EXPECT_THAT(text, HasSubstr(doing)) << call;
    EXPECT_THAT(text, HasSubstr("FAKE_BROKEN (it is only a test)")) << call;
  }
  world.failures.clear();
}

TEST_F(GpuDeviceTest, AnEmptyBinaryNeverReachesTheDriver) {
  FakeDevice device(0, {});
  EXPECT_THROW((void)device.load({}), DeviceError);
  EXPECT_EQ(world.image, nullptr);
}

}  // namespace
}  // namespace redtune::device::gpu::testing
