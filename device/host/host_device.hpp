// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The processor as a device: kernels are shared objects, blocks are spread over the cores, the
// lanes of a block are fibers. Launches run to their end before launch() returns.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "device/device.hpp"
#include "device/host/block_runner.hpp"
#include "device/host/block_waits.hpp"
#include "device/host/host_identity.hpp"
#include "device/host/thread_pool.hpp"

namespace redtune::device::host {

/// What launches run on: threads, and stacks of lanes, which take thousands of mappings. All
/// devices of a process with the same options share one: a program may have hundreds of Reducers.
struct HostProcessors {
  HostProcessors(const HostOptions& options, int threads);

  std::mutex running;  // one launch at a time has the processors
  BlockWaits waits;    // of the launch that runs
  ThreadPool pool;
  std::vector<std::unique_ptr<BlockRunner>> runners;  // one for each thread of the pool
};

class HostDevice final : public Device {
 public:
  HostDevice(const HostOptions& options, const std::string& compiler_version);

  [[nodiscard]] const DeviceIdentity& identity() const override { return identity_; }
  [[nodiscard]] const Limits& limits() const override { return limits_; }
  [[nodiscard]] std::size_t free_memory() const override;
  [[nodiscard]] Buffer allocate(std::size_t bytes) override;
  void copy_to_device(void* to, const void* from, std::size_t bytes) override;
  void copy_to_host(void* to, const void* from, std::size_t bytes) override;
  void copy_within(void* to, const void* from, std::size_t bytes) override;
  void fill(void* to, std::byte value, std::size_t bytes) override;
  [[nodiscard]] std::unique_ptr<Module> load(std::span<const std::byte> binary) override;
  void launch(std::span<const Launch> launches, Stream stream) override;
  void synchronize(Stream stream) override;
  [[nodiscard]] BatchTime time(std::span<const Launch> launches) override;
  [[nodiscard]] Batching batching() const override { return Batching::queued; }
  [[nodiscard]] std::unique_ptr<Batch> prepare(std::span<const Launch> launches) override;

 private:
  void release(void* data, std::size_t bytes) noexcept override;
  void run(const Launch& launch);
  [[nodiscard]] std::int64_t block_at(std::int64_t turn, std::int64_t grid) const;

  HostOptions options_;
  DeviceIdentity identity_;
  Limits limits_;
  std::shared_ptr<HostProcessors> processors_;
};

}  // namespace redtune::device::host
