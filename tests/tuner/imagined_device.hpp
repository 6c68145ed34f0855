// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A device of which only the memory is real: as much of it, and of caches, as a test wants.
#pragma once

#include <cstdlib>
#include <cstring>

#include "device/device.hpp"
#include "redtune/error.hpp"

namespace redtune::tuner {

struct ImaginedMemory {
  std::int64_t cache_bytes = 0;
  std::size_t free_bytes = 0;
};

class ImaginedDevice : public device::Device {
 public:
  explicit ImaginedDevice(const ImaginedMemory& memory) : free_bytes_(memory.free_bytes) {
    identity_.device_class.last_level_cache_bytes = memory.cache_bytes;
  }
  [[nodiscard]] const DeviceIdentity& identity() const override { return identity_; }
  [[nodiscard]] const Limits& limits() const override { return limits_; }
  [[nodiscard]] std::size_t free_memory() const override { return free_bytes_; }
  [[nodiscard]] device::Buffer allocate(std::size_t bytes) override {
    if (bytes > free_bytes_) throw OutOfMemory("imagined memory is used up");
    allocated += bytes;
    void* data = std::aligned_alloc(256, (bytes + 255) / 256 * 256 + 256);
    return {*this, data, bytes};
  }
  void copy_to_device(void* to, const void* from, std::size_t bytes) override {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
  void copy_to_host(void* to, const void* from, std::size_t bytes) override {
    copy_to_device(to, from, bytes);
  }
  void copy_within(void* to, const void* from, std::size_t bytes) override {
    copy_to_device(to, from, bytes);
  }
  void fill(void* to, std::byte value, std::size_t bytes) override {
    std::memset(to, static_cast<int>(value), bytes);
  }
  [[nodiscard]] std::unique_ptr<device::Module> load(std::span<const std::byte>) override {
    throw DeviceError("an imagined device runs nothing");
  }
  void launch(std::span<const device::Launch>, device::Stream) override {}
  void synchronize(device::Stream) override {}
  [[nodiscard]] device::BatchTime time(std::span<const device::Launch>) override { return {}; }
  [[nodiscard]] device::Batching batching() const override { return device::Batching::queued; }
  [[nodiscard]] std::unique_ptr<device::Batch> prepare(std::span<const device::Launch>) override {
    return nullptr;
  }

  std::size_t allocated = 0;  ///< bytes, of all that ever were

 protected:
  DeviceIdentity identity_;

 private:
  void release(void* data, std::size_t) noexcept override { std::free(data); }

  Limits limits_;
  std::size_t free_bytes_;
};

}  // namespace redtune::tuner
