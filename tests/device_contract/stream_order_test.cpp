// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Reductions queued one behind the other, where each reads what the one ahead of it writes: kernels
// that start early must wait by themselves, and share a workspace in turns.
#include <array>
#include <vector>

#include "tests/device_contract/test_device.hpp"
#include "tests/kernels/config_samples.hpp"

namespace redtune {
namespace {

class DeviceStreamOrder : public OnTestDevice {
 protected:
  /// Device memory with count floats of one value.
  [[nodiscard]] device::Buffer filled(float value, std::int64_t count) const {
    const std::vector<float> values(static_cast<std::size_t>(count), value);
    device::Buffer buffer = device().allocate(values.size() * sizeof(float));
    device().copy_to_device(buffer.data(), values.data(), buffer.bytes());
    return buffer;
  }
};

TEST_F(DeviceStreamOrder, EveryReductionSeesWhatTheOneAheadOfItWrote) {
  constexpr int rounds = 100;
  const std::int64_t count = test_device().is_host ? 1000 : std::int64_t{1} << 20;
  const Problem problem = make_problem(Op::max, DType::f32, count);
  const auto configs =
      checks::covering(kernels::find_family("reduce"), problem, device().limits(), 0);
  const std::array inputs{filled(1, count), filled(2, count)};
  const device::Buffer between = device().allocate(sizeof(float));
  const device::Buffer results = device().allocate(rounds * sizeof(float));
  for (const checks::Runner& runner : loaded(problem, sampled(configs, 0))) {
    const auto workspace = runner.config().make_workspace(device());
    const auto queue = [&](const void* in, std::int64_t elements, void* out) {
      device().launch(runner.config().launches({in, {.count = elements}, out}, workspace), {});
    };
    device().fill(results.data(), std::byte{0}, results.bytes());
    for (int round = 0; round < rounds; ++round) {
      queue(inputs[static_cast<std::size_t>(round % 2)].data(), count, between.data());
      queue(between.data(), 1, static_cast<float*>(results.data()) + round);
    }
    device().synchronize({});
    std::array<float, rounds> seen{};
    device().copy_to_host(seen.data(), results.data(), results.bytes());
    for (int round = 0; round < rounds; ++round) {
      ASSERT_EQ(seen[static_cast<std::size_t>(round)], 1 + round % 2)
          << "round " << round << ", " << to_string(runner.config().choice().settings);
    }
  }
}

}  // namespace
}  // namespace redtune
