// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Reductions by key in one launch: the words that blocks hand over, and the launch.
#pragma once

#include "kernel_templates/segments/keyed_tiles.hpp"
#include "runtime/by_key_memory.hpp"

namespace redtune::runtime {

/// Memory of launches in tiles of a problem, whose elements are the most of a launch.
class KeyedTiles {
 public:
  /// Throws OutOfMemory.
  KeyedTiles(device::Device& device, const Problem& problem,
             const kernels::KeyedTilesConfig& config);

  [[nodiscard]] const kernels::KeyedTilesConfig& config() const { return config_; }
  [[nodiscard]] std::size_t bytes() const { return words_.bytes(); }
  [[nodiscard]] void* words() const { return words_.data(); }
  /// As it was at first, after a launch that did not come to its end: behind what is on the stream.
  void clear(device::Device& device, device::Stream stream) const {
    device.clear(words_.data(), bytes(), stream);
  }
  /// kernel: of kernels::keyed_tiles_kernel(); elements: at most the problem's.
  [[nodiscard]] device::Launch launch(device::Kernel kernel, const KeyedOperands& operands,
                                      std::int64_t elements) const;

 private:
  kernels::KeyedTilesConfig config_;
  std::int64_t room_;  // tiles
  device::Buffer words_;
};

}  // namespace redtune::runtime
