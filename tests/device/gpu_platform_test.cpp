// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The platform of a vendor: lazy, counts once, and says why a device cannot be opened.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device/gpu/platform.hpp"
#include "gpu_fake_api.hpp"

namespace redtune::device::gpu::testing {
namespace {

using ::testing::HasSubstr;

class NoCompiler final : public Compiler {
 public:
  std::string version() const override { return "fake compiler 1"; }
  void check_arch(std::string_view) const override {}
  int wave_size(std::string_view) const override { return 32; }
  CompileResult compile(const CompileRequest&) const override { return CompileFailure{"no"}; }
};

struct FakeVendor {
  using Api = FakeApi;
  static constexpr std::string_view name = "fake";
  static constexpr std::string_view visible_devices = "FAKE_VISIBLE_DEVICES";
  static std::string why_no_devices(FakeStatus status) {
    return status == FakeStatus::ok ? "none counted" : "the driver is " + Api::name_of(status);
  }
  static std::unique_ptr<Compiler> make_compiler() { return std::make_unique<NoCompiler>(); }
  static Facts facts(int ordinal) {
    Facts facts;
    facts.identity.device_class.isa = "fake" + std::to_string(ordinal) + ":feature+";
    return facts;
  }
  static Limits limits_of(std::string_view) { return {}; }
  static Readings readings(int ordinal) {
    if (device_is_lost) check<FakeApi>(FakeStatus::lost, "ask for the address");
    if (sensors_fail) throw DeviceError("no sensors");
    return {.clock_mhz = 1000.0 + ordinal};
  }
  static std::optional<std::vector<DeviceUser>> users(int ordinal) {
    if (device_is_lost) check<FakeApi>(FakeStatus::lost, "ask for the address");
    if (sensors_fail) throw DeviceError("no list");
    return std::vector<DeviceUser>{{.pid = 70 + ordinal, .name = "a game"}};
  }
  static inline bool sensors_fail = false;
  static inline bool device_is_lost = false;
};

class GpuPlatformTest : public FakeWorld {
 protected:
  GpuPlatform<FakeVendor> platform_;
};

template <class E, class Action>
std::string words_of_error(Action&& action) {
  try {
    action();
  } catch (const E& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

TEST_F(GpuPlatformTest, StartsNoDriverToCompile) {
  EXPECT_EQ(platform_.name(), "fake");
  EXPECT_EQ(platform_.compiler().version(), "fake compiler 1");
  EXPECT_EQ(&platform_.compiler(), &platform_.compiler());
  (void)platform_.limits_of("any");
  EXPECT_TRUE(world.calls.empty());
}

TEST_F(GpuPlatformTest, OpensADeviceWithItsIdentity) {
  EXPECT_EQ(platform_.device_count(), 2);
  EXPECT_EQ(platform_.why_no_devices(), "");
  const auto device = platform_.open(1, "");
  EXPECT_EQ(device->identity().toolchain.compiler, "fake compiler 1");
  EXPECT_EQ(platform_.arch_of(device->identity()), "fake1:feature+");
  EXPECT_EQ(world.live.count(1001), 1U);
}

TEST_F(GpuPlatformTest, NamesHowManyDevicesThereAre) {
  for (const int ordinal : {2, -1}) {
    const auto text = words_of_error<DeviceError>([&] { (void)platform_.open(ordinal, ""); });
    EXPECT_THAT(text, HasSubstr("2 devices were found, fake:0 to fake:1"));
  }
}

TEST_F(GpuPlatformTest, TellsWhatADeviceIsWithoutOpeningIt) {
  const Facts facts = platform_.facts(1, "");
  EXPECT_EQ(facts.identity.device_class.isa, "fake1:feature+");
  EXPECT_EQ(facts.identity.toolchain.compiler, "fake compiler 1");
  EXPECT_THAT(world.calls, ::testing::ElementsAre("device_count"));
  EXPECT_THAT(words_of_error<DeviceError>([&] { (void)platform_.facts(2, ""); }),
              HasSubstr("2 devices were found, fake:0 to fake:1"));
}

TEST_F(GpuPlatformTest, TellsHowToSeeOneAloneWhereThereAreOthers) {
  DeviceIdentity identity;
  identity.uuid = "GPU-7";
  EXPECT_EQ(platform_.variable_to_see_only(identity), "FAKE_VISIBLE_DEVICES=GPU-7");
  world.devices = 1;
  EXPECT_EQ(GpuPlatform<FakeVendor>().variable_to_see_only(identity), "");
}

TEST_F(GpuPlatformTest, ReadsADeviceWithoutOpeningIt) {
  EXPECT_EQ(platform_.readings(1).clock_mhz, 1001.0);
  EXPECT_EQ(platform_.users(0), (std::vector<DeviceUser>{{70, "a game"}}));
  EXPECT_TRUE(world.live.empty());
}

TEST_F(GpuPlatformTest, WhatCannotBeReadHasNoValue) {
  for (const int ordinal : {2, -1}) {
    EXPECT_EQ(platform_.readings(ordinal), Readings{}) << ordinal;
    EXPECT_EQ(platform_.users(ordinal), std::nullopt) << ordinal;
  }
  FakeVendor::sensors_fail = true;
  EXPECT_EQ(platform_.readings(0), Readings{});
  EXPECT_EQ(platform_.users(0), std::nullopt);
  FakeVendor::sensors_fail = false;
}

TEST_F(GpuPlatformTest, ADeviceThatIsLostIsNoMissingValue) {
  FakeVendor::device_is_lost = true;
  EXPECT_THROW((void)platform_.readings(0), DeviceLost);
  EXPECT_THROW((void)platform_.users(0), DeviceLost);
  FakeVendor::device_is_lost = false;
}

TEST_F(GpuPlatformTest, HasNoVariants) {
  const auto text = words_of_error<UsageError>([&] { (void)platform_.open(0, "wave32"); });
  EXPECT_THAT(text, HasSubstr("'fake:wave32'"));
}

TEST_F(GpuPlatformTest, SaysWhyThereIsNoDevice) {
  world.failures["device_count"] = FakeStatus::no_device;
  EXPECT_EQ(platform_.device_count(), 0);
  EXPECT_EQ(platform_.why_no_devices(), "the driver is FAKE_BROKEN");
  EXPECT_EQ(words_of_error<DeviceError>([&] { (void)platform_.open(0, ""); }),
            "the driver is FAKE_BROKEN");
  EXPECT_EQ(world.calls.size(), 1U);  // asked once
}

TEST_F(GpuPlatformTest, SuccessWithoutDevicesIsNoDeviceToo) {
  world.devices = 0;
  EXPECT_EQ(platform_.device_count(), 0);
  EXPECT_EQ(platform_.why_no_devices(), "none counted");
}

}  // namespace
}  // namespace redtune::device::gpu::testing
