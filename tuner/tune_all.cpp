// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/tune_all.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "redtune/error.hpp"
#include "tuner/claims.hpp"
#include "tuner/measure/untrustworthy.hpp"
#include "tuner/session/lost_workers.hpp"

namespace redtune::tuner {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto between_looks = std::chrono::seconds(1);

std::string text_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& known) {
    return known.what();
  }
}

NotTuned not_tuned(const std::exception_ptr& error) {
  return {error, text_of(error)};
}

/// What ends more than the problem.
struct Failure {
  enum class Of { a_person, users_of_the_device, the_device, all };
  Of of;
  std::exception_ptr error;
  bool was_at_work = false;  ///< the device was there, and does not go on
};

/// Does an action. Its outcome is written; what it could not help is returned.
template <class What, class Action>
std::optional<Failure> attempt(What& what, const Action& action) {
  using Of = Failure::Of;
  try {
    what = action();
    return std::nullopt;
  } catch (const UsageError&) {  // its input does not fit into the memory, for one
    what = not_tuned(std::current_exception());
  } catch (const NothingValid&) {
    what = not_tuned(std::current_exception());
  } catch (const UntrustworthyMeasurement&) {
    what = not_tuned(std::current_exception());
  } catch (const OutOfMemory&) {
    what = not_tuned(std::current_exception());
  } catch (const Interrupted&) {
    return Failure{Of::a_person, std::current_exception()};
  } catch (const Busy&) {  // nothing is wrong with the problem
    return Failure{Of::users_of_the_device, std::current_exception()};
  } catch (const DeviceUnhealthy&) {
    return Failure{Of::the_device, std::current_exception(), true};
  } catch (const DeviceLost&) {
    return Failure{Of::the_device, std::current_exception(), true};
  } catch (const IoError&) {  // another device would fare no better
    return Failure{Of::all, std::current_exception()};
  } catch (const Error&) {
    return Failure{Of::the_device, std::current_exception()};
  } catch (const std::exception&) {
    return Failure{Of::all, std::current_exception()};
  }
  return std::nullopt;
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

/// The devices of a run at their common list, each in a thread of its own.
class Crew {
 public:
  Crew(std::span<Tuner* const> tuners, std::span<const TuneTask> tasks,
       const TaskObserver& observer, std::optional<Clock::time_point> begin_until)
      : tuners_(tuners),
        tasks_(tasks),
        observer_(observer),
        begin_until_(begin_until),
        open_tasks_(tasks.size(), tuners.size()) {
    all_.ends.resize(tasks.size());
    for (const Tuner* tuner : tuners_) {
      all_.devices.push_back({.device = tuner->device().selection});
    }
  }

  TunedAll run() {
    if (tuners_.size() == 1) {
      work(0);
    } else {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < tuners_.size(); ++i) threads.emplace_back([this, i] { work(i); });
    }
    if (all_.ended_by != nullptr && !was_anything_reached() && !is_by_a_person_) {
      std::rethrow_exception(all_.ended_by);
    }
    return std::move(all_);
  }

 private:
  void work(std::size_t device) {
    try {
      if (take_tasks(device) && take_borders(device)) predict(device);
    } catch (...) {  // a store that cannot be read, for one
      end(std::current_exception());
    }
    tuners_[device]->leave_device();
  }

  /// Nobody takes anything any more.
  void end(const std::exception_ptr& why) {
    const std::lock_guard lock(mutex_);
    if (all_.ended_by == nullptr) all_.ended_by = why;
    open_tasks_.end();
    if (open_borders_) open_borders_->end();
  }
  bool is_ended() {
    const std::lock_guard lock(mutex_);
    return all_.ended_by != nullptr;
  }
  bool was_anything_reached() {
    const std::lock_guard lock(mutex_);
    return is_anything_reached_;
  }
  void reached() {
    const std::lock_guard lock(mutex_);
    is_anything_reached_ = true;
  }
  [[nodiscard]] bool is_alone() const { return tuners_.size() == 1; }

  /// As far as the device itself waits: beside others none keeps a task to itself meanwhile.
  [[nodiscard]] TuneTask asked(std::size_t index) const {
    TuneTask task = tasks_[index];
    task.waits = task.waits && is_alone();
    return task;
  }

  /// What happens when a device could not come to an end with something. False: it takes no more.
  template <class What>
  bool settle(Claims& claims, std::size_t device, std::size_t index, What& what,
              const Failure& failure) {
    using Of = Failure::Of;
    if (failure.of == Of::a_person) is_by_a_person_ = true;
    if (failure.of == Of::a_person || failure.of == Of::all) {
      if (failure.of == Of::all && was_anything_reached()) what = not_tuned(failure.error);
      end(failure.error);
      return false;
    }
    const bool is_busy = failure.of == Of::users_of_the_device;
    if (is_busy && !is_alone() && tasks_.front().waits && !tuners_[device]->holds_device()) {
      claims.give_back(index);
      if (waiting_.insert_once(device)) observer_.on_wait(device, text_of(failure.error));
      claims.pause(between_looks);
      if (Stop::asked()) {
        is_by_a_person_ = true;
        end(std::make_exception_ptr(Interrupted("interrupted while it waited for a device")));
      }
      return true;
    }
    using Heir = Claims::Heir;
    const Heir heir =
        claims.leave(index, is_busy ? Claims::Blame::taker : Claims::Blame::perhaps_the_thing);
    all_.devices[device].left_by = failure.error;
    if (heir == Heir::nobody) {
      if (!is_busy && (failure.was_at_work || was_anything_reached())) {
        what = not_tuned(failure.error);
        reached();
      }
      end(failure.error);
      return false;
    }
    if (heir == Heir::none_as_two_failed) {
      what = not_tuned(failure.error);
      reached();
    }
    observer_.on_leave(device, failure.error);
    return false;
  }

  /// False: the device takes no more.
  bool take_tasks(std::size_t device) {
    while (const auto index = open_tasks_.take(device)) {
      if (is_late()) {
        open_tasks_.give_back(*index);
        open_tasks_.end();
        return false;
      }
      observer_.on_begin(device, *index);
      const Clock::time_point begin = Clock::now();
      TaskEnd end;
      const auto failure = tune(device, *index, end);
      end.took = Clock::now() - begin;
      bool goes_on = true;
      if (failure) {
        goes_on = settle(open_tasks_, device, *index, end.what, *failure);
        if (std::holds_alternative<NotReached>(end.what)) {
          observer_.on_end(device, *index, end);
          if (goes_on) continue;
          return false;
        }
      }
      keep(device, *index, std::move(end));
      if (!goes_on) return false;
      if (!failure) open_tasks_.done();
    }
    return !is_ended() && !is_late();
  }
  [[nodiscard]] bool is_late() const { return begin_until_ && Clock::now() > *begin_until_; }

  std::optional<Failure> tune(std::size_t device, std::size_t index, TaskEnd& end) {
    Tuner& tuner = *tuners_[device];
    const TuneTask task = asked(index);
    return attempt(end.what, [&]() -> decltype(end.what) {
      if (auto known = tuner.known(task)) return std::move(*known);
      end.device = tuner.device().selection;
      const auto next = open_tasks_.next(device);
      return tuner.tune(task, next ? &tasks_[*next] : nullptr);
    });
  }

  /// What a task came to; ends the run where that says so.
  void keep(std::size_t device, std::size_t index, TaskEnd end) {
    reached();
    std::exception_ptr why;
    if (const auto* tuned = std::get_if<Tuned>(&end.what)) {
      ++all_.devices[device].tuned;
      all_.devices[device].busy += end.took;
      why = why_last(*tuned, tuners_[device]->store(), open_tasks_.are_all_taken());
      if (tuned->result.interrupted) is_by_a_person_ = true;
    }
    {
      const std::lock_guard lock(mutex_);
      all_.ends[index] = std::move(end);
    }
    observer_.on_end(device, index, all_.ends[index]);
    if (why != nullptr) this->end(why);
  }

  /// Those of all tasks, found by the first that comes when these are done.
  Claims& borders_of(std::size_t device) {
    const std::lock_guard lock(mutex_);
    if (!open_borders_) {
      BordersToMeasure found = tuners_[device]->borders_to_measure(tasks_);
      all_.known_borders = found.known;
      for (Contestants& two : found.missing) all_.borders.push_back({std::move(two), NotReached{}});
      open_borders_.emplace(all_.borders.size(), open_tasks_.takers());
    }
    return *open_borders_;
  }

  /// Whose budget a border has: of the task of one of its counts, else of the first.
  [[nodiscard]] std::size_t task_of(const Contestants& two) const {
    for (const cache::StoredBest* one : {&two.above, &two.below}) {
      const auto found = std::ranges::find(tasks_, one->question.problem, &TuneTask::problem);
      if (found != tasks_.end()) return static_cast<std::size_t>(found - tasks_.begin());
    }
    return 0;
  }

  void keep_border(std::size_t device, std::size_t index, BorderEnd end) {
    {
      const std::lock_guard lock(mutex_);
      all_.borders[index] = std::move(end);
    }
    observer_.on_end_border(device, index, all_.borders.size(), all_.borders[index]);
  }

  /// Others on the devices end the run, unless they were accepted: then nothing more can be kept.
  bool take_borders(std::size_t device) {
    const bool is_published = !tasks_.empty() && tasks_.front().only.empty();
    if (!is_published) return false;
    Claims& borders = borders_of(device);
    while (const auto index = borders.take(device)) {
      if (is_late()) {
        borders.give_back(*index);
        borders.end();
        return false;
      }
      BorderEnd end = all_.borders[*index];
      observer_.on_begin_border(device, *index, all_.borders.size(), end.between);
      const Clock::time_point begin = Clock::now();
      end.device = tuners_[device]->device().selection;
      TuneTask how = asked(task_of(end.between));
      const auto failure = attempt(end.what, [&]() -> decltype(end.what) {
        try {
          return tuners_[device]->measure_border(end.between, how);
        } catch (const UntrustworthyMeasurement&) {  // what disturbed it may be over
          how.is_fresh = false;                      // a count that was tuned for it is there
          return tuners_[device]->measure_border(end.between, how);
        }
      });
      all_.devices[device].busy += Clock::now() - begin;
      bool goes_on = true;
      if (failure) {
        const bool are_accepted =
            failure->of == Failure::Of::users_of_the_device && how.accepts_others;
        if (are_accepted) {
          end.what = not_tuned(failure->error);
          keep_border(device, *index, std::move(end));
          borders.done();
          return true;
        }
        goes_on = settle(borders, device, *index, end.what, *failure);
        if (failure->of != Failure::Of::a_person && is_ended()) {
          end.what = not_tuned(failure->error);
        }
        if (std::holds_alternative<NotReached>(end.what)) {
          observer_.on_end_border(device, *index, all_.borders.size(), end);
          if (goes_on) continue;
          return false;
        }
      }
      keep_border(device, *index, std::move(end));
      if (!failure) {
        ++all_.devices[device].borders;
        borders.done();
      }
      if (!goes_on) return false;
    }
    return !is_ended();
  }

  /// Whether anything was told of the devices that predictions do not know yet. Where a border was
  /// missing a run was broken off before them, or has tuned one problem alone.
  [[nodiscard]] bool is_anything_new(const Tuner& tuner) {
    const std::lock_guard lock(mutex_);
    const auto was_tuned = [](const TaskEnd& end) {
      return std::holds_alternative<Tuned>(end.what);
    };
    const auto was_measured = [](const BorderEnd& end) {
      return !std::holds_alternative<NotReached>(end.what);
    };
    return std::ranges::any_of(all_.ends, was_tuned) ||
           std::ranges::any_of(all_.borders, was_measured) || !tuner.has_predictions();
  }

  /// By the first that comes. What cannot be kept does not undo what was tuned.
  void predict(std::size_t device) {
    {
      const std::lock_guard lock(mutex_);
      if (std::exchange(is_predicted_, true)) return;
    }
    if (!is_anything_new(*tuners_[device])) return;
    observer_.on_predict();
    all_.predicted = tuners_[device]->predict(tasks_);
  }

  /// Devices that were told of once.
  class Told {
   public:
    bool insert_once(std::size_t device) {
      const std::lock_guard lock(mutex_);
      return devices_.insert(device).second;
    }

   private:
    std::mutex mutex_;
    std::set<std::size_t> devices_;
  };

  std::span<Tuner* const> tuners_;
  std::span<const TuneTask> tasks_;
  const TaskObserver& observer_;
  std::optional<Clock::time_point> begin_until_;
  Claims open_tasks_;
  std::mutex mutex_;  // of what follows; a device's own rows and what it has taken are its alone
  std::optional<Claims> open_borders_;
  TunedAll all_;
  bool is_anything_reached_ = false;
  bool is_predicted_ = false;
  std::atomic<bool> is_by_a_person_ = false;
  Told waiting_;
};

}  // namespace

TunedAll tune_all(std::span<Tuner* const> tuners, std::span<const TuneTask> tasks,
                  const TaskObserver& observer, std::optional<Clock::time_point> begin_until) {
  return Crew(tuners, tasks, observer, begin_until).run();
}

}  // namespace redtune::tuner
