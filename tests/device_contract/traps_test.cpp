// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The known traps of reductions, on a GPU. Counts that are multiples of 2^31 - 1 are among those of
// DeviceContractHuge.
#include "tests/kernels/traps.hpp"

#include "tests/device_contract/test_device.hpp"

namespace redtune {
namespace {

class DeviceTraps : public OnTestDevice {
 protected:
  checks::Traps traps() {
    return {device(), [this](const Problem& problem, std::vector<Settings> configs) {
              return loaded(problem, std::move(configs));
            }};
  }
};

TEST_F(DeviceTraps, HalfIsNotAccumulatedInHalf) {
  traps().half_sums_do_not_saturate();
}

TEST_F(DeviceTraps, MinimumAndMaximumDoNotDependOnTheOrderOfNaN) {
  traps().extremes_do_not_depend_on_the_place_of_nan();
}

TEST_F(DeviceTraps, MinimumOfInfinitiesIsInfinite) {
  traps().extremes_of_infinities_are_infinite();
}

TEST_F(DeviceTraps, InfinitiesAmongNaNHaveTheirIndex) {
  traps().infinities_among_nan_have_their_index();
}

TEST_F(DeviceTraps, NothingGivesTheIdentity) {
  traps().nothing_has_a_stated_result();
}

TEST_F(DeviceTraps, UnalignedBasePointersAreFine) {
  traps().any_element_may_be_the_first<std::uint8_t>();
  traps().any_element_may_be_the_first<half>();
  traps().any_element_may_be_the_first<float>();
  traps().any_element_may_be_the_first<double>();
}

}  // namespace
}  // namespace redtune
