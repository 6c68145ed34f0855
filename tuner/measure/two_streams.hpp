// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Keeps a process as programs with more than one stream are: on NVIDIA GPUs every kernel, in graphs
// too, takes longer to start once some were queued on two streams, until another process takes a
// context (docs/explanation/measurement.md, "A second stream").
#pragma once

#include "device/device.hpp"

namespace redtune::tuner {

class TwoStreams {
 public:
  /// On each stream: at first, and from then on. Ten are enough where it was so before.
  static constexpr int first_launches = 2000;
  static constexpr int further_launches = 20;

  /// one: a small kernel that waits for nothing.
  TwoStreams(device::Device& device, const device::Launch& one);

  /// Queues kernels on both streams and waits for them, where that matters. For before each sample,
  /// and each of others alone: another process may have come. Throws DeviceError.
  void keep();

 private:
  void queue(int launches) const;

  device::Device& device_;
  device::Launch one_;
  bool is_first_ = true;
};

/// Nothing where nobody keeps them.
inline void keep(TwoStreams* two_streams) {
  if (two_streams != nullptr) two_streams->keep();
}

}  // namespace redtune::tuner
