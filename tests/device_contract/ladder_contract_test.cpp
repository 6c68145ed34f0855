// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The steps of the ladder give the right sums on whatever GPU there is, for every type.
#include "tests/device_contract/test_device.hpp"
#include "tests/kernels/ladder_checks.hpp"
#include "tests/kernels/ladder_names.hpp"

namespace redtune {
namespace {

class DeviceLadder : public OnTestDevice {
 protected:
  void load(DType in) {
    const auto names = checks::ladder_names(in, device().limits());
    device::Platform& platform = *test_device().platform;
    const auto result = platform.compiler().compile(
        {kernels::ladder_text(), names, platform.arch_of(device().identity())});
    if (const auto* failure = std::get_if<device::CompileFailure>(&result)) {
      throw Error(failure->log);
    }
    const auto& program = std::get<device::CompiledProgram>(result);
    module_ = device().load(program.binary);
    kernels_.clear();
    for (std::size_t i = 0; i < names.size(); ++i) {
      kernels_[names[i]] = module_->kernel(program.kernels[i].symbol);
    }
  }

  template <class In>
  void expect_right(std::int64_t count, const Limits& limits) {
    const checks::LadderStand stand{device(), kernels_, limits};
    // Beyond this many the whole numbers would no longer add up exactly in 24 bits.
    constexpr std::int64_t most_exact = 100'000;
    if (count <= most_exact) {
      checks::expect_right_steps(stand, checks::whole_numbers<In>(count), true);
    }
    checks::expect_right_steps(stand, checks::make_input(checks::mixed<In>(), count), false);
  }

  std::unique_ptr<device::Module> module_;
  tuner::LadderKernels kernels_;
};

TEST_F(DeviceLadder, IsRightForEveryStepTypeAndCount) {
  std::vector<std::int64_t> counts{0, 1, 31, 33, 1000, 65537};
  if (!test_device().is_host) counts.push_back(10'000'019);
  for (const DType in : kernels::ladder_types()) {
    load(in);
    visit_dtype(in, [&]<class In>(std::type_identity<In>) {
      for (const std::int64_t count : counts) expect_right<In>(count, device().limits());
      Limits narrow = device().limits();
      narrow.max_grid = 3;  // several launches for a pass
      expect_right<In>(9999, narrow);
    });
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace redtune
