// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/tune_all.hpp"

#include <algorithm>
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

/// What an action comes to; throws what ends the whole run.
template <class Outcome, class Action>
Outcome outcome_of(const Action& action) {
  try {
    return action();
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

std::variant<NotReached, cache::StoredBest, Tuned, NotTuned> outcome_of(
    Tuner& tuner, std::span<const TuneTask> from_here) {
  const TuneTask& task = from_here.front();
  const TuneTask* const next = from_here.size() > 1 ? &from_here[1] : nullptr;
  using Outcome = decltype(TaskEnd::what);
  return outcome_of<Outcome>([&]() -> Outcome {
    if (auto known = tuner.known(task)) return std::move(*known);
    return tuner.tune(task, next);
  });
}

/// Others on the device end the run, unless they were accepted: then nothing more can be kept.
void measure_borders(Tuner& tuner, std::span<const TuneTask> tasks, const TaskObserver& observer,
                     TunedAll& all) {
  BordersToMeasure found = tuner.borders_to_measure(tasks);
  all.known_borders = found.known;
  for (Contestants& two : found.missing) all.borders.push_back({std::move(two), NotReached{}});
  const TuneTask& how = tasks.front();
  for (std::size_t i = 0; i < all.borders.size(); ++i) {
    BorderEnd& end = all.borders[i];
    observer.on_begin_border(i, all.borders.size(), end.between);
    try {
      using Outcome = decltype(BorderEnd::what);
      end.what =
          outcome_of<Outcome>([&]() -> Outcome { return tuner.measure_border(end.between, how); });
    } catch (const Interrupted&) {
      all.ended_by = std::current_exception();
      return;
    } catch (const Busy& busy) {
      end.what = not_tuned(busy);
      if (how.accepts_others) return;
      all.ended_by = std::current_exception();
    } catch (const std::exception& error) {
      end.what = not_tuned(error);
      all.ended_by = std::current_exception();
    }
    observer.on_end_border(i, all.borders.size(), end);
    if (all.ended_by != nullptr) return;
  }
}

/// Whether anything was told of the device that predictions do not know yet. A run that was broken
/// off before them leaves it to the next that tunes.
bool is_anything_new(const Tuner& tuner, const TunedAll& all) {
  const auto was_tuned = [](const TaskEnd& end) { return std::holds_alternative<Tuned>(end.what); };
  return std::ranges::any_of(all.ends, was_tuned) || !tuner.has_predictions();
}

/// What cannot be kept does not undo what was tuned.
void predict(Tuner& tuner, std::span<const TuneTask> tasks, const TaskObserver& observer,
             TunedAll& all) {
  observer.on_predict();
  try {
    all.predicted = tuner.predict(tasks);
  } catch (const std::exception&) {
    all.ended_by = std::current_exception();
  }
}

}  // namespace

TunedAll tune_all(Tuner& tuner, std::span<const TuneTask> tasks, const TaskObserver& observer) {
  TunedAll all;
  all.ends.resize(tasks.size());
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    observer.on_begin(i);
    TaskEnd& end = all.ends[i];
    const Clock::time_point begin = Clock::now();
    try {
      end.what = outcome_of(tuner, tasks.subspan(i));
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
  const bool is_published = !tasks.empty() && tasks.front().only.empty();
  if (all.ended_by == nullptr && is_published) measure_borders(tuner, tasks, observer, all);
  if (all.ended_by == nullptr && is_published && is_anything_new(tuner, all)) {
    predict(tuner, tasks, observer, all);
  }
  return all;
}

}  // namespace redtune::tuner
