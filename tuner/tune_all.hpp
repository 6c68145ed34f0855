// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Many problems in one run, on one device or on several of one class: each is published when it is
// decided, and one that fails does not keep the others from being tuned.
#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tuner/tuner.hpp"

namespace redtune::tuner {

/// A problem that could not be tuned.
struct NotTuned {
  std::exception_ptr error;
  std::string why;  ///< its text
};

/// Nobody came to this problem: the run ended before.
struct NotReached {};

/// What became of a task.
struct TaskEnd {
  std::variant<NotReached, cache::StoredBest, Tuned, NotTuned> what;
  std::chrono::duration<double> took{0};
  std::string device = {};  ///< that tuned it, "cuda:1"; empty: none was asked
};

/// What became of a border: where it is, or why that is not known.
struct BorderEnd {
  Contestants between;
  std::variant<NotReached, cache::StoredBorder, NotTuned> what;
  std::string device = {};  ///< likewise
};

/// What a device did.
struct DeviceEnd {
  std::string device;       ///< "cuda:1"
  std::size_t tuned = 0;    ///< problems
  std::size_t borders = 0;  ///< that it measured
  std::chrono::duration<double> busy{0};
  std::exception_ptr left_by;  ///< why it did no more, before all was done; null: it did
};

/// What all tasks came to, in their order.
struct TunedAll {
  std::vector<TaskEnd> ends;
  /// Between winners of tasks and their neighbours, as far as it was not known.
  std::vector<BorderEnd> borders;
  std::size_t known_borders = 0;
  std::size_t predicted = 0;  ///< configs of problems that are not tuned, new or other than before
  std::vector<DeviceEnd> devices;
  /// Why it ended before all were done: a person, devices that do not go on or that others use,
  /// a store that cannot be written any more; else null.
  std::exception_ptr ended_by;
};

/// Who watches a run over many problems. Each call comes from the thread of a device, which is told
/// by its place among the tuners; several may come at a time.
struct TaskObserver {
  std::function<void(std::size_t device, std::size_t index)> on_begin = [](auto, auto) {};
  std::function<void(std::size_t device, std::size_t index, const TaskEnd& end)> on_end =
      [](auto, auto, const auto&) {};
  std::function<void(std::size_t device, std::size_t index, std::size_t of,
                     const Contestants& between)>
      on_begin_border = [](auto, auto, auto, const auto&) {};
  std::function<void(std::size_t device, std::size_t index, std::size_t of, const BorderEnd& end)>
      on_end_border = [](auto, auto, auto, const auto&) {};
  std::function<void()> on_predict = [] {};
  /// One of several devices takes no more; the others have what it was at.
  std::function<void(std::size_t device, const std::exception_ptr& why)> on_leave =
      [](auto, const auto&) {};
  /// One of several devices is tuned on by others, and is waited for.
  std::function<void(std::size_t device, const std::string& why)> on_wait = [](auto, const auto&) {
  };
};

/// Tunes what is not known yet, each task by the device that comes first; then measures the borders
/// between them that are not known, and predicts what is not tuned. tuners: at least one; of
/// devices of one class, none twice. A device that fails costs no task where another can take it;
/// one that two devices failed at has failed. Throws what keeps the first task from being tried at
/// all: Busy when others use the devices, and what tells of the store. Later that ends the run, and
/// what was tuned before is told. After begin_until no task begins, nor a border.
[[nodiscard]] TunedAll tune_all(
    std::span<Tuner* const> tuners, std::span<const TuneTask> tasks, const TaskObserver& observer,
    std::optional<std::chrono::steady_clock::time_point> begin_until = {});

}  // namespace redtune::tuner
