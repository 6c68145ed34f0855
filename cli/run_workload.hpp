// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune tune, where there is more than one problem to tune, or more than one device.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/names.hpp"
#include "cli/report/time_left.hpp"
#include "cli/report/workload_list.hpp"
#include "cli/terminal.hpp"
#include "tuner/tuner.hpp"

namespace redtune::cli {

/// How far a run over many problems is; a run of one problem is as far as its search. Devices are
/// told by their places; where there is one, nothing is said of it.
class RunProgress {
 public:
  /// From now on the run has these problems.
  void begin(std::vector<ListedItem> items, std::vector<std::string> devices = {""});
  /// One of them begins.
  void begin_problem(std::size_t index, std::size_t device = 0);
  /// Behind all problems, something between two of them: "border 3/16 sum f32 2^12 cold to 8192".
  void begin_border(std::string name, std::size_t device = 0);
  void end_border(std::size_t device = 0);
  /// It came to an end, or back to the list.
  void end_problem(std::size_t index, std::size_t device, bool is_done);
  /// It was tuned, and was not known before: it is done.
  void end_tuned(std::chrono::duration<double> took, std::size_t device = 0);

  [[nodiscard]] bool has_many() const { return items_.size() > 1 || has_devices(); }
  [[nodiscard]] bool has_devices() const { return at_.size() > 1; }
  /// Of what the run is to tune, where this share of the problem's search is done.
  [[nodiscard]] double share(double of_problem, std::size_t device = 0);
  /// Which problem it is, or border: "3/16 sum f32 2^20 cold: "; empty for a run of one.
  [[nodiscard]] std::string name(std::size_t device = 0) const;
  /// Likewise, with how long it and those behind it are likely to take.
  [[nodiscard]] std::string name_and_time_left() const;
  /// Of several devices: how many problems are done, the time left, what each device is at.
  [[nodiscard]] std::string all_devices() const;

 private:
  struct At {
    std::string device;
    std::optional<std::size_t> index;
    double share = 0;
    std::string border = {};  ///< instead of a problem
  };
  [[nodiscard]] std::string text(std::size_t device, const std::string& more) const;
  [[nodiscard]] double share_of_all() const;

  std::vector<ListedItem> items_;
  std::vector<At> at_{{"", 0, 0}};
  std::vector<bool> is_done_;
  TimeLeft left_;
};

/// What a person sees of a run. Whoever writes there holds the mutex.
struct Screen {
  ProgressLine line{};
  RunProgress run{};
  std::mutex mutex{};
};

/// Devices of one class, and what is to be tuned on them.
struct DeviceGroup {
  std::vector<Tuner*> tuners;
  std::vector<std::size_t> places;  ///< of these devices among all
  std::vector<TuneTask> tasks;
};

/// Tunes what there is for each group, all groups at a time, and says what was found: the exit
/// code. The run on the screen has begun, with the problems of all groups one after the other.
/// seconds: after which no problem begins.
int run_workload(const Options& options, std::vector<DeviceGroup>& groups, Screen& screen,
                 std::optional<double> seconds = {});

}  // namespace redtune::cli
