// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Copies of an input in device memory. Cold measurements rotate through them, so that no execution
// finds its input in a cache; warm ones use one.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "device/device.hpp"
#include "redtune/problem.hpp"

namespace redtune::tuner {

/// An input of so many bytes, and who writes it to places in device memory.
struct SlotContent {
  std::size_t bytes = 0;
  std::function<void(std::span<std::byte* const> places)> write;
};

class InputSlots {
 public:
  /// Cold: as many copies as make twice the last-level cache, as far as half the free memory goes.
  /// Throws OutOfMemory when not even one fits.
  InputSlots(device::Device& device, const SlotContent& content, CacheMode mode);
  /// The same for an input that the host has.
  InputSlots(device::Device& device, std::span<const std::byte> input, CacheMode mode);

  [[nodiscard]] std::size_t count() const { return count_; }
  /// The next slot's address, round and round.
  [[nodiscard]] const void* next();
  [[nodiscard]] const void* first() const { return memory_.data(); }
  /// From one slot to the next.
  [[nodiscard]] std::size_t stride() const { return stride_; }

 private:
  device::Buffer memory_;
  std::size_t stride_;
  std::size_t count_;
  std::size_t turn_ = 0;
};

}  // namespace redtune::tuner
