// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What every step of the ladder owes, on any device: the right sum.
#pragma once

#include <gtest/gtest.h>
#include <span>
#include <vector>

#include "kernel_templates/ladder/ladder.hpp"
#include "tests/kernels/reduction_checks.hpp"
#include "tuner/ladder/bound_step.hpp"

namespace redtune::checks {

/// Whole numbers, few enough to be added in any order without rounding.
template <class In>
std::vector<In> whole_numbers(std::int64_t count) {
  std::vector<In> values(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    const auto bits = checks::hash_of(i);
    const int whole = static_cast<int>(bits % 100) + 1;
    values[static_cast<std::size_t>(i)] =
        from_number<In>(std::is_unsigned_v<In> || (bits & 128) != 0 ? whole : -whole);
  }
  return values;
}

/// An input aligned to 16 bytes, as near as that allows to the guard behind it.
template <class In>
class AlignedInput {
 public:
  AlignedInput(device::Device& device, const std::vector<In>& values)
      : buffer_(device.allocate(values.size() * sizeof(In) + 256)) {
    device.fill(buffer_.data(), std::byte{0x3e}, buffer_.bytes());
    const std::size_t bytes = (values.size() * sizeof(In) + 15) / 16 * 16;
    data_ = static_cast<std::byte*>(buffer_.data()) + (buffer_.bytes() - bytes) / 16 * 16;
    device.copy_to_device(data_, values.data(), values.size() * sizeof(In));
  }
  [[nodiscard]] const void* data() const { return data_; }

 private:
  device::Buffer buffer_;
  std::byte* data_ = nullptr;
};

/// Where steps are tried; limits may be narrower than the device's.
struct LadderStand {
  device::Device& device;
  const tuner::LadderKernels& kernels;
  Limits limits;
};

/// Every step and variant on these values; exact: they add up without rounding in any order.
template <class In>
void expect_right_steps(const LadderStand& stand, const std::vector<In>& values, bool is_exact) {
  const auto count = static_cast<std::int64_t>(values.size());
  const Problem problem = make_problem(Op::sum, dtype_of<In>(), count);
  const Expectation expected(problem, std::span(values));
  const AlignedInput<In> input(stand.device, values);
  GuardedOutput output(stand.device);
  for (const kernels::LadderStep& step : kernels::ladder_steps()) {
    if (step.end == kernels::LadderEnd::tuned) continue;
    for (const kernels::LadderVariant& variant : step.variants) {
      const tuner::BoundStep bound(stand.device,
                                   kernels::ladder_plan(step, variant, problem, stand.limits),
                                   stand.kernels, problem);
      stand.device.launch(bound.launches(input.data(), output.poisoned()), {});
      stand.device.synchronize({});
      const std::int64_t chain = is_exact ? 0 : bound.plan().longest_chain;
      ASSERT_TRUE(expected.met_by(output.read(problem), chain))
          << step.name << ' ' << variant.label << ", " << count << ' ' << to_string(problem.in);
    }
  }
}

}  // namespace redtune::checks
