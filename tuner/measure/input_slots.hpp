// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Copies of an input in device memory. Cold measurements rotate through them, so that no execution
// finds its input in a cache; warm ones stay with one and then with the next, through the places of
// a site (places.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "device/device.hpp"
#include "redtune/problem.hpp"
#include "tuner/verify/places.hpp"

namespace redtune::tuner {

/// An input of so many bytes, and who writes it to places in device memory.
struct SlotContent {
  std::size_t bytes = 0;
  std::function<void(std::span<std::byte* const> places)> write;
};

class InputSlots {
 public:
  /// Cold: as many copies as make twice the last-level cache; warm: for each site as many as stay
  /// in that cache beside other things, one at least, and two in all. Either as far as half the
  /// free memory goes. Throws OutOfMemory when not even one fits.
  InputSlots(device::Device& device, const SlotContent& content, CacheMode mode);
  /// The same for an input that the host has.
  InputSlots(device::Device& device, std::span<const std::byte> input, CacheMode mode);

  [[nodiscard]] std::size_t count() const { return count_; }
  /// Those among which next() goes round: warm ones of the first site.
  [[nodiscard]] std::size_t in_turns() const { return in_turns_; }
  /// The next slot's address, round and round.
  [[nodiscard]] const void* next();
  [[nodiscard]] bool are_cold() const { return are_cold_; }
  [[nodiscard]] const void* first() const { return memory_.data(); }
  /// For an execution of a warm batch.
  [[nodiscard]] const void* of_warm(const Turn& turn) const {
    return address(turn.place_of(count_));
  }
  /// From one slot to the next.
  [[nodiscard]] std::size_t stride() const { return stride_; }

 private:
  [[nodiscard]] std::byte* place(std::size_t i) const {
    return static_cast<std::byte*>(memory_.data()) + i * stride_;
  }
  [[nodiscard]] const void* address(std::size_t i) const { return place(i); }
  void repeat_first(device::Device& device, std::size_t written);

  device::Buffer memory_;
  std::size_t bytes_;
  std::size_t stride_;
  std::size_t count_;
  std::size_t in_turns_;
  std::size_t turn_ = 0;
  bool are_cold_;
};

}  // namespace redtune::tuner
