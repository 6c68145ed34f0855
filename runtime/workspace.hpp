// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The device memory a reduction needs beside its input and output: a ticket counter, the slots and
// the partials of its blocks. One for each stream that reduces at the same time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "device/device.hpp"
#include "kernel_templates/family/launch_plan.hpp"

namespace redtune::runtime {

/// What launches need of a workspace, in bytes.
struct WorkspaceSize {
  std::size_t slots = 0;     ///< zero before the first launch and after every one
  std::size_t partials = 0;  ///< anything

  /// Enough for both.
  [[nodiscard]] WorkspaceSize united(const WorkspaceSize& other) const {
    return {std::max(slots, other.slots), std::max(partials, other.partials)};
  }
};

[[nodiscard]] WorkspaceSize size_for(const kernels::WorkspaceBytes& needed);

class Workspace {
 public:
  Workspace() = default;
  /// Throws OutOfMemory.
  Workspace(device::Device& device, const WorkspaceSize& size);

  /// In memory of somebody else, aligned to 256 bytes, that outlives it; not cleared.
  Workspace(void* memory, const WorkspaceSize& size)
      : first_(memory), zero_bytes_(zero_bytes(size.slots)) {}
  /// Of memory with so much of each.
  [[nodiscard]] static std::size_t bytes_of(const WorkspaceSize& size) {
    return zero_bytes(size.slots) + size.partials;
  }

  /// Zero where it must be, before the first launch.
  void clear(device::Device& device) const;
  /// Likewise after a launch that did not come to its end, behind what is on the stream: a launch
  /// before that one may run there still.
  void clear(device::Device& device, device::Stream stream) const;

  [[nodiscard]] void* counter() const { return first_; }
  [[nodiscard]] void* slots() const { return at(counter_bytes); }
  [[nodiscard]] void* partials() const { return at(zero_bytes_); }
  [[nodiscard]] std::size_t bytes() const { return memory_.bytes(); }
  /// From the counter on, that are zero before the first launch and after every one.
  [[nodiscard]] std::size_t zero_bytes() const { return zero_bytes_; }

  /// Bytes before the slots; keeps them aligned and on another cache line than the counter.
  static constexpr std::size_t counter_bytes = 256;
  /// With so many bytes of slots; keeps the partials aligned as well.
  [[nodiscard]] static constexpr std::size_t zero_bytes(std::size_t slots) {
    return counter_bytes + (slots + counter_bytes - 1) / counter_bytes * counter_bytes;
  }

 private:
  [[nodiscard]] void* at(std::size_t offset) const {
    return static_cast<std::byte*>(first_) + offset;
  }

  device::Buffer memory_;  // where it has its own
  void* first_ = nullptr;
  std::size_t zero_bytes_ = counter_bytes;
};

/// Waits for what is left on a stream of launches of which one was refused, but where the stream is
/// captured, since nothing of them runs then.
void end_broken_off(device::Device& device, device::Stream stream) noexcept;

/// Launches what uses a workspace. Where this throws nothing of it runs any more, and the workspace
/// may be cleared.
inline void launch_all(device::Device& device, std::span<const device::Launch> launches,
                       device::Stream stream) {
  try {
    device.launch(launches, stream);
  } catch (const DeviceLost&) {  // which runs nothing any more
    throw;
  } catch (...) {
    end_broken_off(device, stream);
    throw;
  }
}

}  // namespace redtune::runtime
