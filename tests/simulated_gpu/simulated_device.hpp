// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A GPU that exists in host memory alone: it knows how to add up floats, what the other kernels
// around that do, and how long every kernel takes, by a formula. No time really passes.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "tests/simulated_gpu/world.hpp"

namespace redtune::simulated {

class SimulatedDevice final : public device::Device {
 public:
  SimulatedDevice(const World& world, int ordinal);

  [[nodiscard]] const DeviceIdentity& identity() const override { return identity_; }
  [[nodiscard]] const Limits& limits() const override { return limits_; }
  [[nodiscard]] std::size_t free_memory() const override;
  [[nodiscard]] device::Buffer allocate(std::size_t bytes) override;
  void copy_to_device(void* to, const void* from, std::size_t bytes) override;
  void copy_to_host(void* to, const void* from, std::size_t bytes) override;
  void copy_within(void* to, const void* from, std::size_t bytes) override;
  void fill(void* to, std::byte value, std::size_t bytes) override;
  [[nodiscard]] std::unique_ptr<device::Module> load(std::span<const std::byte> binary) override;
  void launch(std::span<const device::Launch> launches, device::Stream stream) override;
  void synchronize(device::Stream stream) override;
  [[nodiscard]] device::BatchTime time(std::span<const device::Launch> launches) override;
  [[nodiscard]] device::Batching batching() const override { return device::Batching::graph; }
  [[nodiscard]] std::unique_ptr<device::Batch> prepare(
      std::span<const device::Launch> launches) override;

  [[nodiscard]] static Limits limits_of_all();
  /// "other_model:2": the third is of a class of its own. "part_of_first:1": the second is a part
  /// of the first.
  [[nodiscard]] static DeviceIdentity identity_of(const World& world, int ordinal);

 private:
  void release(void* data, std::size_t bytes) noexcept override;
  [[nodiscard]] static const std::string& name_of(const device::Launch& launch);
  [[nodiscard]] static bool is_of_others(const device::Launch& launch);
  [[nodiscard]] static bool is_reduction(const device::Launch& launch);
  void run(const device::Launch& launch);
  void run_of_others(const device::Launch& launch);
  void misbehave(const std::string& name);
  void reduce(const device::Launch& launch, const std::string& name);
  [[nodiscard]] double microseconds(std::span<const device::Launch> launches);
  [[nodiscard]] double true_microseconds(const device::Launch& launch) const;
  void check() const;

  const World& world_;
  int ordinal_;
  DeviceIdentity identity_;
  Limits limits_;
  mutable bool is_broken_ = false;  // every call fails from now on
  bool breaks_later_ = false;
  mutable bool breaks_next_ = false;
  bool breaks_at_end_ = false;
  std::map<std::string, int> runs_;
  std::map<std::string, int> samples_;
};

}  // namespace redtune::simulated
