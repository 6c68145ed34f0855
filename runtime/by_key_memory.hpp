// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Device memory of reductions by key, and their launches: two that find groups of equal
// neighbouring keys, and one that reduces them as segments whose number the device alone knows.
#pragma once

#include <array>
#include <span>

#include "kernel_templates/segments/group_by_key.hpp"
#include "runtime/loaded_config.hpp"

namespace redtune::runtime {

/// Device addresses; as many keys as the shape has elements, and as many places as groups may be.
struct KeyedOperands {
  const void* keys = nullptr;  ///< aligned to one of them
  const void* in = nullptr;
  void* keys_of_groups = nullptr;  ///< may be null
  void* out = nullptr;
  std::int64_t* groups = nullptr;  ///< where their number goes
};

/// Memory of launches with a config of kernels::counted_segments(), which outlives it: the
/// workspace, and what is known of groups between one launch and the next.
class ByKeyMemory {
 public:
  /// Throws OutOfMemory.
  ByKeyMemory(device::Device& device, const LoadedConfig& config);

  /// Of device memory.
  [[nodiscard]] std::size_t bytes() const { return workspace_.bytes() + memory_.bytes(); }
  [[nodiscard]] const Workspace& workspace() const { return workspace_; }
  /// In order, on one stream; kernels: of kernels::group_kernels(); elements: at most the
  /// problem's.
  [[nodiscard]] std::array<device::Launch, 3> launches(std::span<const device::Kernel> kernels,
                                                       const KeyedOperands& operands,
                                                       std::int64_t elements) const;

 private:
  const LoadedConfig* config_;
  Workspace workspace_;
  device::Buffer memory_;
  std::byte* marks_;
  std::byte* counts_;
  std::byte* offsets_;
};

}  // namespace redtune::runtime
