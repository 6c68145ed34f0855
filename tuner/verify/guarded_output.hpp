// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Places of outputs on the device, poisoned before a launch and guarded on both sides.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "device/device.hpp"

namespace redtune::tuner {

class GuardedOutput {
 public:
  /// Each place is for outputs of up to so many bytes. Throws OutOfMemory.
  GuardedOutput(device::Device& device, std::size_t most_bytes, std::size_t places = 1);

  [[nodiscard]] std::size_t most_bytes() const { return most_bytes_; }
  [[nodiscard]] std::size_t places() const { return places_; }
  [[nodiscard]] void* address(std::size_t place = 0) const;
  /// Of all places.
  [[nodiscard]] std::vector<const void*> addresses() const;
  /// Overwrites outputs and guards, so that a kernel which writes nothing cannot look right.
  void poison();
  /// Copies all places from the device.
  void fetch();
  /// The bytes at a place, as fetched.
  [[nodiscard]] const void* value(std::size_t place = 0) const;
  /// Whether two places have the same bytes, as fetched.
  [[nodiscard]] bool are_same(std::size_t a, std::size_t b) const {
    return std::memcmp(value(a), value(b), most_bytes_) == 0;
  }
  /// One line when something was written beside an output of so many bytes at a place, as fetched;
  /// else nothing.
  [[nodiscard]] std::string why_beside(std::size_t place, std::size_t bytes) const;
  /// Fetches; the same for all places.
  [[nodiscard]] std::string read(std::size_t bytes);
  /// The same of all places, of which nothing else is copied from the device.
  [[nodiscard]] std::string read_beside(std::size_t bytes) const;
  /// Copies from the device what lies at a place, from a byte on.
  void read_part(std::size_t place, std::size_t from, std::span<std::byte> to) const;

 private:
  static constexpr std::size_t guard_bytes = 256;
  static constexpr std::byte pattern{0xa5};

  [[nodiscard]] static std::string why_touched(std::span<const std::byte> before,
                                               std::span<const std::byte> behind);

  device::Device& device_;
  std::size_t most_bytes_;
  std::size_t places_;
  std::size_t place_bytes_;  // with both guards
  device::Buffer memory_;
  std::vector<std::byte> copy_;  // of all places, as fetched
};

}  // namespace redtune::tuner
