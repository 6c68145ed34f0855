// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Launch shapes are enough to launch: a program that knows nothing else gets the right sum.
#include "redtune/launch_shape.hpp"

#include <cstring>
#include <gtest/gtest.h>

#include "device/registry.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/parse_identity.hpp"
#include "runtime/resolve.hpp"
#include "tests/cache/samples.hpp"
#include "tuner/text/json.hpp"

namespace redtune {
namespace {

/// Compiles and launches by nothing but the shape, on the host.
class OwnLauncher {
 public:
  explicit OwnLauncher(const Answer& answer) : answer_(answer) {}

  [[nodiscard]] float sum(const std::vector<float>& values) {
    const auto count = static_cast<std::int64_t>(values.size());
    const LaunchShape shape = launch_shape(answer_, count, device_->identity());
    const auto in = device_->allocate(values.size() * sizeof(float));
    const auto out = device_->allocate(sizeof(float));
    const auto workspace = device_->allocate(shape.workspace_bytes);
    device_->fill(workspace.data(), std::byte{0xee}, shape.workspace_bytes);
    device_->fill(workspace.data(), std::byte{0}, shape.zero_bytes);
    device_->copy_to_device(in.data(), values.data(), values.size() * sizeof(float));
    const Addresses addresses{{{"in", in.data()}, {"out", out.data()}},
                              static_cast<std::byte*>(workspace.data())};
    for (const KernelLaunch& one : shape.launches) launch(one, addresses);
    std::vector<std::byte> zeros(shape.zero_bytes, std::byte{1});
    device_->copy_to_host(zeros.data(), workspace.data(), zeros.size());
    EXPECT_EQ(std::ranges::count(zeros, std::byte{0}), std::ssize(zeros));
    float result = 0;
    device_->copy_to_host(&result, out.data(), sizeof(result));
    return result;
  }

 private:
  struct Addresses {
    std::map<std::string, void*> named;
    std::byte* workspace;
  };

  void launch(const KernelLaunch& one, const Addresses& addresses) {
    const kernels::Family& family = kernels::find_family(answer_.family);
    const auto compiled = selection_.platform->compiler().compile(
        {family.device_text(answer_.problem), {one.kernel}, "native"});
    const auto& program = std::get<device::CompiledProgram>(compiled);
    const auto module = device_->load(program.binary);
    device::Launch launch{module->kernel(program.kernels[0].symbol), one.grid, one.block, {}};
    for (const KernelArgument& argument : one.arguments) {
      if (argument.value && argument.bytes == 4)
        launch.arguments.append(static_cast<std::int32_t>(*argument.value));
      else if (argument.value)
        launch.arguments.append(*argument.value);
      else
        launch.arguments.append(argument.offset ? addresses.workspace + *argument.offset
                                                : addresses.named.at(argument.name));
    }
    EXPECT_EQ(one.shared_bytes, 0U);
    device_->launch({&launch, 1}, {});
  }

  Answer answer_;
  device::Selection selection_ = runtime::registry().select("host");
  std::unique_ptr<device::Device> device_ = device::open(selection_);
};

class EveryFinish : public testing::TestWithParam<const char*> {};

TEST_P(EveryFinish, CanBeLaunchedByItsShapeAlone) {
  const DeviceIdentity host = identify_device("host");
  Answer answer = find_best(make_problem(Op::sum, DType::f32, 100'000, {.order = Order::any}), host,
                            {.cache_file = "/nonexistent/redtune.db"});
  const auto set = [&](const char* name, const char* value) {
    std::ranges::find(answer.settings, name, &Setting::name)->value = value;
  };
  set("finish", GetParam());
  set("block_size", "4");
  set("blocks_per_unit", std::string_view(GetParam()) == "single_block" ? "0" : "2");
  set("tile_order", "chunked");
  const auto why = kernels::find_family("reduce").why_invalid(answer.settings, answer.problem,
                                                              runtime::limits_of(host));
  if (!why.empty()) GTEST_SKIP() << why;
  for (const std::size_t count : {1U, 1000U, 50'001U}) {
    EXPECT_EQ(OwnLauncher(answer).sum(std::vector<float>(count, 1.0F)), static_cast<float>(count));
  }
}

std::vector<const char*> all_finishes() {
  static const std::vector<std::string> values =
      kernels::find_family("reduce").tunables()[0].values;
  std::vector<const char*> names;
  for (const std::string& value : values) names.push_back(value.c_str());
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, EveryFinish, testing::ValuesIn(all_finishes()),
                         [](const auto& one) { return std::string(one.param); });

TEST(LaunchShape, HasTheKernelOfTheCountThatIsLaunched) {
  const DeviceIdentity gpu = cache::testing::sample_device();
  const auto kernel = [&](std::int64_t answered, std::int64_t launched) {
    const Answer answer = find_best(make_problem(Op::sum, DType::f32, answered), gpu,
                                    {.cache_file = "/nonexistent/redtune.db"});
    return launch_shape(answer, launched, gpu).launches.front().kernel;
  };
  EXPECT_TRUE(kernel(1 << 20, 1 << 26).starts_with("redtune::reduce_backwards<"));
  EXPECT_TRUE(kernel(1 << 26, 1 << 20).starts_with("redtune::reduce<"));
}

TEST(LaunchShape, IsKnownForAGpuThatIsNotHere) {
  const DeviceIdentity gpu = cache::testing::sample_device();
  const Answer answer = find_best(make_problem(Op::sum, DType::f32, 1 << 24), gpu,
                                  {.cache_file = "/nonexistent/redtune.db"});
  // Ten tiles of 4096 for each of four blocks on a compute unit.
  const LaunchShape shape = launch_shape(answer, std::int64_t{10} * 4096 * 4 * 104, gpu);
  ASSERT_FALSE(shape.launches.empty());
  EXPECT_EQ(shape.launches[0].grid, 4 * gpu.device_class.compute_units);
  EXPECT_EQ(shape.launches[0].block, 256);
  EXPECT_TRUE(shape.launches[0].kernel.ends_with(", 64>")) << shape.launches[0].kernel;
  EXPECT_THROW((void)launch_shape(answer, -1, gpu), UsageError);
}

TEST(LaunchShape, RefusesSettingsThatCannotRunThere) {
  const DeviceIdentity gpu = cache::testing::sample_device();
  Answer answer = find_best(make_problem(Op::sum, DType::f32, 1 << 24), gpu);
  std::ranges::find(answer.settings, "block_size", &Setting::name)->value = "32";  // half a wave
  EXPECT_THROW((void)launch_shape(answer, 1 << 24, gpu), UsageError);
}

TEST(ParseIdentity, ReadsWhatDevicesPrints) {
  for (const DeviceIdentity& device : {cache::testing::sample_device(), identify_device("host")}) {
    const DeviceIdentity read = parse_identity(tuner::json_of(device).dump());
    EXPECT_EQ(read.device_class, device.device_class);
    EXPECT_EQ(read.toolchain, device.toolchain);
    EXPECT_EQ(read.name, device.name);
    EXPECT_EQ(read.dies, device.dies);
  }
}

class NoIdentity : public testing::TestWithParam<const char*> {};

TEST_P(NoIdentity, IsRefusedWithALine) {
  try {
    (void)parse_identity(GetParam());
    ADD_FAILURE() << "read";
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("device"), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, NoIdentity,
    testing::Values(
        "", "hip:0", "[]", "{}", "{\"platform\": \"hip\"",
        R"({"platform":"hip","isa":"gfx90a","compute_units":104})",
        R"({"platform":7,"isa":"gfx90a","compute_units":104,"wave_size":64})",
        R"({"platform":"hip","isa":"gfx90a","compute_units":"many","wave_size":64})",
        R"({"platform":"hip","isa":"gfx90a","compute_units":0,"wave_size":64})",
        R"({"platform":"hip","isa":"gfx90a","compute_units":1e99,"wave_size":64})",
        R"({"platform":"hip","isa":"gfx90a","compute_units":99999999999,"wave_size":64})",
        R"({"platform":"hip","isa":"gfx90a","compute_units":4,"wave_size":48})"),
    [](const auto& one) { return std::to_string(one.index); });

TEST(ParseIdentity, IsNotBroughtDownByNesting) {
  EXPECT_THROW((void)parse_identity(std::string(60'000, '[')), UsageError);
  EXPECT_THROW((void)parse_identity(std::string(100'000, ' ')), UsageError);
}

}  // namespace
}  // namespace redtune
