// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What redtune tune is asked for: tasks, the devices they are tuned on, and which are whose.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/names.hpp"
#include "cli/report/workload_list.hpp"
#include "cli/run_workload.hpp"
#include "tuner/tuner.hpp"

namespace redtune::cli {

[[nodiscard]] TuneTask task_of(const Options& options, const WorkloadItem& item);
[[nodiscard]] std::vector<TuneTask> tasks_of(const Options& options, const Workload& workload);

/// What is to be tuned, as far as the command line says so without a device.
struct Asked {
  std::string kernel;  ///< its file; empty: none
  std::optional<Workload> named;
};

/// All devices that are tuned on, each with its tuner.
class TunedDevices {
 public:
  /// Who watches the tuner of a device: its place among all, and its name.
  using Watching = std::function<TunerObserver(std::size_t place, const std::string& name)>;
  /// Throws as finding devices does.
  TunedDevices(const Options& options, const Watching& watching);

  [[nodiscard]] const std::vector<std::unique_ptr<Tuner>>& all() const { return tuners_; }
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  [[nodiscard]] bool is_part_of_another(const Tuner& tuner) const;

  std::vector<std::unique_ptr<Tuner>> tuners_;
  bool is_all_ = false;
};

/// The devices of each class and what is to be tuned on them, in the order of --device.
struct Plan {
  std::vector<DeviceGroup> groups;
  std::vector<Workload> workloads;  ///< of each group
};

[[nodiscard]] Plan plan_of(const Options& options, const Asked& asked, const TunedDevices& devices);

}  // namespace redtune::cli
