// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Many problems in one run: each is published when it is decided, and one that fails does not keep
// the others from being tuned.
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
};

/// What became of a border: where it is, or why that is not known.
struct BorderEnd {
  Contestants between;
  std::variant<NotReached, cache::StoredBorder, NotTuned> what;
};

/// What all tasks came to, in their order.
struct TunedAll {
  std::vector<TaskEnd> ends;
  /// Between winners of tasks and their neighbours, as far as it was not known.
  std::vector<BorderEnd> borders;
  std::size_t known_borders = 0;
  std::size_t predicted = 0;  ///< configs of problems that are not tuned, new or other than before
  /// Why it ended before all were done: a person, a device that does not go on or that others use,
  /// a store that cannot be written any more; else null.
  std::exception_ptr ended_by;
};

/// Who watches a run over many problems.
struct TaskObserver {
  std::function<void(std::size_t index)> on_begin = [](std::size_t) {};
  std::function<void(std::size_t index, const TaskEnd& end)> on_end = [](std::size_t,
                                                                         const TaskEnd&) {};
  std::function<void(std::size_t index, std::size_t of, const Contestants& between)>
      on_begin_border = [](std::size_t, std::size_t, const Contestants&) {};
  std::function<void(std::size_t index, std::size_t of, const BorderEnd& end)> on_end_border =
      [](std::size_t, std::size_t, const BorderEnd&) {};
  std::function<void()> on_predict = [] {};
};

/// Tunes what is not known yet, one task after the other; then measures the borders between them
/// that are not known, and predicts what is not tuned. Throws what keeps the first from being
/// tried at all: Busy when others use the device, and what tells of the store. Later that ends the
/// run, and what was tuned before is told.
[[nodiscard]] TunedAll tune_all(Tuner& tuner, std::span<const TuneTask> tasks,
                                const TaskObserver& observer);

}  // namespace redtune::tuner
