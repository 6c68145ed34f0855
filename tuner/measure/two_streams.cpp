// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/measure/two_streams.hpp"

#include <utility>

namespace redtune::tuner {

TwoStreams::TwoStreams(device::Device& device, const device::Launch& one)
    : device_(device), one_(one) {
  one_.grid = 1;
}

void TwoStreams::queue(int launches) const {
  constexpr int at_a_time = 100;
  for (const device::Stream stream : {device::Stream{}, device_.second_stream()}) {
    for (int i = 1; i <= launches; ++i) {
      device_.launch({&one_, 1}, stream);
      if (i % at_a_time == 0) device_.synchronize(stream);
    }
    device_.synchronize(stream);
  }
}

void TwoStreams::keep() {
  if (!device_.two_streams_delay_starts()) return;
  queue(std::exchange(is_first_, false) ? first_launches : further_launches);
}

}  // namespace redtune::tuner
