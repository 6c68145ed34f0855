// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Reductions by key of a problem in one of two ways: what is loaded and allocated for them.
#pragma once

#include <memory>

#include "device/platform.hpp"
#include "kernel_templates/family/fixed_list.hpp"
#include "redtune/reduce_by_key.hpp"
#include "runtime/by_key_memory.hpp"
#include "runtime/by_key_tiles.hpp"
#include "runtime/kernel_loader.hpp"
#include "runtime/load_config.hpp"

namespace redtune::runtime {

/// In order, on one stream.
using GroupLaunches = kernels::FixedList<device::Launch, 3>;

/// All that is loaded and allocated for a problem, whose elements are the most of a launch.
class ByKeyLaunches {
 public:
  /// Where the config of an answer does not compile as that of launches by key, the default takes
  /// its place, and answer() says so. Throws DeviceError, OutOfMemory, and UsageError where a
  /// custom operator does not compile, and where the way that is asked for is none of the device's.
  ByKeyLaunches(const device::Platform& platform, device::Device& device, const Answer& found,
                int key_bits, const ByKeyOptions& options = {});
  ByKeyLaunches(const ByKeyLaunches&) = delete;
  ByKeyLaunches& operator=(const ByKeyLaunches&) = delete;

  [[nodiscard]] const Answer& answer() const {
    return segments_ ? segments_->loaded.answer : found_;
  }
  [[nodiscard]] ByKeyWay way() const { return tiles_ ? ByKeyWay::tiles : ByKeyWay::segments; }
  [[nodiscard]] const Settings& settings() const {
    return tiles_ ? tiles_->settings : answer().settings;
  }
  [[nodiscard]] const Problem& problem() const { return found_.problem; }
  /// Additions that any element's value passes through, at most, whatever lengths groups have.
  [[nodiscard]] std::int64_t longest_chain() const;
  /// Of device memory.
  [[nodiscard]] std::size_t bytes() const;
  /// Zero where it must be, after launches that did not come to their end: behind what is on the
  /// stream.
  void clear(device::Device& device, device::Stream stream) const;
  /// elements: at most the problem's.
  [[nodiscard]] GroupLaunches launches(const KeyedOperands& operands, std::int64_t elements) const;

 private:
  struct AsSegments {
    AsSegments(const device::Platform& platform, device::Device& device, const Answer& found,
               int key_bits);

    LoadedAnswer loaded;
    LoadedUnit grouping;
    ByKeyMemory memory;
  };
  struct InTiles {
    LoadedUnit kernel;
    Settings settings;
    Limits limits;
    KeyedTiles memory;
  };

  /// Nothing where lengths decide, and the kernel does not compile: segments say why.
  [[nodiscard]] static std::unique_ptr<InTiles> in_tiles(const device::Platform& platform,
                                                         device::Device& device,
                                                         const Problem& problem, int key_bits,
                                                         const ByKeyOptions& options);

  Answer found_;
  std::unique_ptr<InTiles> tiles_;
  std::unique_ptr<AsSegments> segments_;  // where there are no tiles
};

}  // namespace redtune::runtime
