// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the other kernels take in a batch without the executions: timed anew with every sample,
// since a device's speed moves, and told as the median of the last few, since one may be disturbed.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "device/device.hpp"
#include "tuner/measure/input_slots.hpp"
#include "tuner/measure/surroundings.hpp"
#include "tuner/measure/two_streams.hpp"

namespace redtune::tuner {

class OthersAlone {
 public:
  /// two_streams: kept before each batch; none: whoever asks does so.
  OthersAlone(device::Device& device, const Surroundings& surroundings, const InputSlots& slots,
              TwoStreams* two_streams = nullptr)
      : device_(device), surroundings_(surroundings), slots_(slots), two_streams_(two_streams) {}

  /// Microseconds of so many steps, parted as a BatchTimer parts its executions: the median of the
  /// last, which are taken anew where they say more than a batch with the executions took. Throws
  /// DeviceError.
  [[nodiscard]] double us(Surrounding surrounding, std::size_t steps, Scheme scheme,
                          double with_executions_us);

 private:
  struct Alone {
    std::vector<std::unique_ptr<device::Batch>> batches;  // at each site
    std::deque<double> recent_us;
    std::size_t asked = 0;
  };
  [[nodiscard]] std::vector<device::Launch> launches(Surrounding surrounding,
                                                     const Turn& first) const;
  [[nodiscard]] double once(Alone& alone, Surrounding surrounding, std::size_t steps,
                            Scheme scheme);

  device::Device& device_;
  const Surroundings& surroundings_;
  const InputSlots& slots_;
  TwoStreams* two_streams_;
  std::map<std::tuple<Surrounding, std::size_t, Scheme>, Alone> known_;
};

}  // namespace redtune::tuner
