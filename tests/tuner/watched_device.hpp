// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A device that counts what is copied to the host, notes what is timed, and tells as much free
// memory as a test wants.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "device/device.hpp"

namespace redtune::tuner {

class WatchedDevice final : public device::Device {
 public:
  explicit WatchedDevice(std::unique_ptr<device::Device> real) : real_(std::move(real)) {}

  [[nodiscard]] const DeviceIdentity& identity() const override { return real_->identity(); }
  [[nodiscard]] const Limits& limits() const override { return real_->limits(); }
  [[nodiscard]] std::size_t free_memory() const override {
    return free_bytes.value_or(real_->free_memory());
  }
  [[nodiscard]] device::Buffer allocate(std::size_t bytes) override {
    return real_->allocate(bytes);
  }
  void copy_to_device(void* to, const void* from, std::size_t bytes) override {
    real_->copy_to_device(to, from, bytes);
  }
  void copy_to_host(void* to, const void* from, std::size_t bytes) override {
    copied_to_host += bytes;
    real_->copy_to_host(to, from, bytes);
  }
  void copy_within(void* to, const void* from, std::size_t bytes) override {
    real_->copy_within(to, from, bytes);
  }
  void fill(void* to, std::byte value, std::size_t bytes) override {
    real_->fill(to, value, bytes);
  }
  [[nodiscard]] std::unique_ptr<device::Module> load(std::span<const std::byte> binary) override {
    return real_->load(binary);
  }
  void launch(std::span<const device::Launch> launches, device::Stream stream) override {
    real_->launch(launches, stream);
  }
  void synchronize(device::Stream stream) override { real_->synchronize(stream); }
  [[nodiscard]] device::BatchTime time(std::span<const device::Launch> launches) override {
    for (const device::Launch& launch : launches) {
      timed_inputs.insert(*static_cast<const std::uint64_t*>(launch.arguments[0]));
    }
    return real_->time(launches);
  }
  [[nodiscard]] device::Batching batching() const override { return real_->batching(); }
  [[nodiscard]] std::unique_ptr<device::Batch> prepare(
      std::span<const device::Launch> launches) override {
    return real_->prepare(launches);
  }

  std::size_t copied_to_host = 0;  ///< bytes
  std::optional<std::size_t> free_bytes;
  std::set<std::uint64_t> timed_inputs;  ///< the first argument of each launch that was timed

 private:
  void release(void*, std::size_t) noexcept override {}  // buffers are the real device's

  std::unique_ptr<device::Device> real_;
};

}  // namespace redtune::tuner
