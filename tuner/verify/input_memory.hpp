// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where an input is laid out: on the host, or on the device, which copies its own memory many times
// as fast as the host brings it there.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

#include "device/device.hpp"

namespace redtune::tuner {

class InputMemory {
 public:
  virtual ~InputMemory() = default;
  virtual void write(std::size_t at, std::span<const std::byte> bytes) = 0;
  /// From one place to another, which it does not overlap.
  virtual void copy(std::size_t to, std::size_t from, std::size_t bytes) = 0;
};

/// A part of another memory, from some byte on.
class PartOfMemory final : public InputMemory {
 public:
  PartOfMemory(InputMemory& all, std::size_t begin) : all_(all), begin_(begin) {}
  void write(std::size_t at, std::span<const std::byte> bytes) override {
    all_.write(begin_ + at, bytes);
  }
  void copy(std::size_t to, std::size_t from, std::size_t bytes) override {
    all_.copy(begin_ + to, begin_ + from, bytes);
  }

 private:
  InputMemory& all_;
  std::size_t begin_;
};

class HostInputMemory final : public InputMemory {
 public:
  explicit HostInputMemory(std::span<std::byte> memory) : memory_(memory) {}
  void write(std::size_t at, std::span<const std::byte> bytes) override {
    std::memcpy(memory_.subspan(at).data(), bytes.data(), bytes.size());
  }
  void copy(std::size_t to, std::size_t from, std::size_t bytes) override {
    std::memcpy(memory_.subspan(to).data(), memory_.subspan(from).data(), bytes);
  }

 private:
  std::span<std::byte> memory_;
};

class DeviceInputMemory final : public InputMemory {
 public:
  DeviceInputMemory(device::Device& device, void* memory)
      : device_(device), memory_(static_cast<std::byte*>(memory)) {}
  void write(std::size_t at, std::span<const std::byte> bytes) override {
    device_.copy_to_device(memory_ + at, bytes.data(), bytes.size());
  }
  void copy(std::size_t to, std::size_t from, std::size_t bytes) override {
    device_.copy_within(memory_ + to, memory_ + from, bytes);
  }

 private:
  device::Device& device_;
  std::byte* memory_;
};

}  // namespace redtune::tuner
