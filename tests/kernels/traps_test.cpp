// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The known traps of reductions, on the host device.
#include "tests/kernels/traps.hpp"

#include "device/host/host_compiler.hpp"
#include "device/host/host_platform.hpp"

namespace redtune {
namespace {

class KnownTraps : public testing::Test {
 protected:
  checks::Traps traps() {
    return {*device_, [this](const Problem& problem, std::vector<Settings> configs) {
              checks::ConfigProgram program(kernels::find_family("reduce"), problem,
                                            device_->limits());
              program.compile(device::host::HostCompiler(device::host::AlignmentCheck::on),
                              std::move(configs), "native");
              return program.load(*device_);
            }};
  }

  std::unique_ptr<device::Device> device_ =
      device::host::make_host_device({.wave_size = 32, .threads = 2});
};

TEST_F(KnownTraps, HalfIsNotAccumulatedInHalf) {
  traps().half_sums_do_not_saturate();
}

TEST_F(KnownTraps, MinimumAndMaximumDoNotDependOnTheOrderOfNaN) {
  traps().extremes_do_not_depend_on_the_place_of_nan();
}

TEST_F(KnownTraps, MinimumOfInfinitiesIsInfinite) {
  traps().extremes_of_infinities_are_infinite();
}

TEST_F(KnownTraps, InfinitiesAmongNaNHaveTheirIndex) {
  traps().infinities_among_nan_have_their_index();
}

TEST_F(KnownTraps, NothingGivesTheIdentity) {
  traps().nothing_has_a_stated_result();
}

TEST_F(KnownTraps, UnalignedBasePointersAreFine) {
  traps().any_element_may_be_the_first<std::uint8_t>();
  traps().any_element_may_be_the_first<half>();
  traps().any_element_may_be_the_first<float>();
  traps().any_element_may_be_the_first<double>();
}

}  // namespace
}  // namespace redtune
