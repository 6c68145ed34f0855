// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/tune_all.hpp"

#include <utility>

#include "redtune/error.hpp"
#include "tuner/measure/untrustworthy.hpp"
#include "tuner/session/lost_workers.hpp"

namespace redtune::tuner {
namespace {

using Clock = std::chrono::steady_clock;

NotTuned not_tuned(const std::exception& error) {
  return {std::current_exception(), error.what()};
}

/// It was there, and does not go on.
bool is_of_device(const std::exception& error) {
  return dynamic_cast<const DeviceUnhealthy*>(&error) != nullptr ||
         dynamic_cast<const DeviceLost*>(&error) != nullptr;
}

/// Throws what ends the whole run.
std::variant<NotReached, cache::StoredBest, Tuned, NotTuned> outcome_of(Tuner& tuner,
                                                                        const TuneTask& task) {
  try {
    if (auto known = tuner.known(task)) return std::move(*known);
    return tuner.tune(task);
  } catch (const UsageError& error) {  // its input does not fit into the memory, for one
    return not_tuned(error);
  } catch (const NothingValid& error) {
    return not_tuned(error);
  } catch (const UntrustworthyMeasurement& error) {
    return not_tuned(error);
  } catch (const OutOfMemory& error) {
    return not_tuned(error);
  }
}

/// Why there is none after it; null where there may be.
std::exception_ptr why_last(const Tuned& tuned, const OpenStore& opened, bool is_last) {
  if (tuned.result.interrupted) return std::make_exception_ptr(Interrupted("interrupted"));
  // What could be kept until now: later results would be lost as well.
  const bool is_lost = opened.problem.empty() && !tuned.why_not_kept.empty();
  if (!is_lost || is_last) return nullptr;
  return std::make_exception_ptr(
      IoError("results cannot be stored any more: " + tuned.why_not_kept));
}

}  // namespace

TunedAll tune_all(Tuner& tuner, std::span<const TuneTask> tasks, const TaskObserver& observer) {
  TunedAll all{.ends = std::vector<TaskEnd>(tasks.size()), .ended_by = nullptr};
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    observer.on_begin(i);
    TaskEnd& end = all.ends[i];
    const Clock::time_point begin = Clock::now();
    try {
      end.what = outcome_of(tuner, tasks[i]);
    } catch (const Interrupted&) {
      all.ended_by = std::current_exception();
    } catch (const Busy&) {  // nothing is wrong with the problem
      if (i == 0) throw;
      all.ended_by = std::current_exception();
    } catch (const std::exception& error) {  // the device failed
      if (i == 0 && !is_of_device(error)) throw;
      end.what = not_tuned(error);
      all.ended_by = std::current_exception();
    }
    end.took = Clock::now() - begin;
    observer.on_end(i, end);
    const auto* tuned = std::get_if<Tuned>(&end.what);
    if (all.ended_by == nullptr && tuned != nullptr) {
      all.ended_by = why_last(*tuned, tuner.store(), i + 1 == tasks.size());
    }
    if (all.ended_by != nullptr) break;
  }
  return all;
}

}  // namespace redtune::tuner
