// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Launches one case again and again, and looks at every result and at the workspace.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "bench/handover_stress/cases.hpp"
#include "bench/handover_stress/inputs.hpp"
#include "device/device.hpp"
#include "runtime/loaded_config.hpp"

namespace redtune::bench {

/// Ends the program when a batch does not end: on a GPU a block that waits for what nobody stores
/// waits for ever, and so does the host.
class Watchdog {
 public:
  explicit Watchdog(std::chrono::seconds patience);

  /// From now on so long; what: for the last words.
  void expect(const std::string& what);
  /// It has ended.
  void calm();

 private:
  using Clock = std::chrono::steady_clock;
  void run(const std::stop_token& stop);

  std::chrono::seconds patience_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<Clock::time_point> end_;
  std::string what_;
  std::jthread thread_;  // the last: it uses the others
};

/// Launches whose results are looked at together.
inline constexpr std::int64_t batch_launches = 1000;

/// What became of launches.
struct Tally {
  std::int64_t launches = 0;
  std::int64_t wrong = 0;
  std::int64_t dirty = 0;   ///< batches after which a word of the workspace was not zero
  double seconds = 0;       ///< looking at results included
  std::string first_wrong;  ///< for people

  [[nodiscard]] bool is_right() const { return wrong == 0 && dirty == 0; }
};

/// What became of a workspace as a launch leaves it that was broken off.
struct BrokenOff {
  /// Results of launches in it as it was; of an index there are none, for they might lie anywhere.
  std::int64_t launches_before = 0;
  std::int64_t wrong_before = 0;
  Tally after;  ///< once it was cleared
};

/// How long a case goes on.
struct Endurance {
  std::int64_t launches = 0;
  std::chrono::duration<double> most_time{};  ///< 0: as long as it takes
};

/// Inputs in device memory.
class DeviceInputs {
 public:
  DeviceInputs(device::Device& device, const std::vector<ExactInput>& inputs);
  [[nodiscard]] const void* at(std::size_t i) const { return buffers_[i].data(); }

 private:
  std::vector<device::Buffer> buffers_;
};

/// A place for the results of a batch. All bytes are poisoned before it.
class BatchResults {
 public:
  BatchResults(device::Device& device, std::int64_t launches);

  void poison();
  [[nodiscard]] void* at(std::int64_t i) const;
  /// Adds what the first launches of a batch, on input i modulo their number, have left.
  void count_into(Tally& tally, const Problem& problem, const std::vector<ExactInput>& inputs,
                  std::int64_t launches);

 private:
  device::Device& device_;
  device::Buffer memory_;
  std::vector<std::byte> seen_;
};

/// One configuration with its inputs and its workspace, on the device's own stream.
class Stressed {
 public:
  /// The inputs must be of the config's problem. All outlive it.
  Stressed(device::Device& device, const runtime::LoadedConfig& config,
           const std::vector<ExactInput>& inputs, Watchdog& watchdog);

  /// Batches as replayed graphs and as launches queued one by one, in turn.
  [[nodiscard]] Tally run(const Endurance& endurance);
  /// A workspace as it might be left, what comes of it, and what comes once it is cleared.
  [[nodiscard]] BrokenOff run_in_broken_off(std::int64_t launches);

 private:
  enum class Way { replayed, one_by_one };
  [[nodiscard]] std::vector<device::Launch> launches(std::int64_t count) const;
  void run_batch(Way way, std::int64_t launches, Tally& tally);
  void leave_as_broken_off() const;
  [[nodiscard]] bool is_workspace_zero();

  device::Device& device_;
  const runtime::LoadedConfig& config_;
  const std::vector<ExactInput>& inputs_;
  Watchdog& watchdog_;
  DeviceInputs device_inputs_;
  runtime::Workspace workspace_;
  BatchResults results_;
  std::vector<device::Launch> whole_batch_;
  std::unique_ptr<device::Batch> replayed_;
  std::vector<std::byte> zeros_;
};

/// Two Reducers of one configuration at the same time, each on a stream and in a workspace of its
/// own, as an application has them. Of the device that a selection names, on inputs of different
/// seeds. scratch: a folder for made up results, by which the Reducers choose the configuration.
/// Throws DeviceError, and Error where they choose another.
[[nodiscard]] Tally run_pair(const StressCase& one, const std::string& device,
                             const std::filesystem::path& scratch, const Endurance& endurance,
                             std::chrono::seconds patience);

}  // namespace redtune::bench
