// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/serve/service.hpp"

#include <algorithm>
#include <exception>
#include <fmt/format.h>
#include <poll.h>
#include <spdlog/spdlog.h>
#include <utility>

#include "cli/exit_code.hpp"
#include "cli/names.hpp"
#include "redtune/error.hpp"
#include "tuner/compile/interrupted.hpp"
#include "tuner/text/counted.hpp"
#include "tuner/text/printable.hpp"

namespace redtune::cli {
namespace {

using namespace std::chrono_literals;
using Clock = IdleClock::Clock;

/// While a tune runs somebody who comes is seen within this, and gone from their way within a
/// second; else nobody waits.
constexpr auto between_looks_tuning = 300ms;
constexpr auto between_looks_waiting = 1s;
/// What is wanted changes with drivers and results as well as with its folder.
constexpr auto between_counts = 10min;
/// Processes ask all the time. Who has a device idle for a shorter time than this waits no longer
/// for what is new either.
constexpr auto most_between_marks = 30s;
/// A driver that hangs holds up nobody: it is looked later whether it has answered.
constexpr auto finds_within = 10s;
constexpr auto finds_once_within = 60s;
constexpr auto answer_while_tuning = 100ms;
constexpr auto answer_while_waiting = 500ms;
constexpr auto first_pause = 1min;
constexpr auto longest_pause = 1h;
/// Longer than it takes until a tune is seen on its device.
constexpr auto first_wait_more = 10s;
constexpr int most_doublings = 5;

std::string duration_text(Clock::duration time) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(time).count();
  return seconds < 60 ? fmt::format("{} s", seconds) : fmt::format("{} min", (seconds + 59) / 60);
}

}  // namespace

Service::Service(ServiceOrder order) : order_(std::move(order)) {
  for (const std::string& name : order_.devices) {
    served_.push_back(
        std::make_unique<ServedDevice>(name, order_.device_worker, stop_.now(), order_.idle));
  }
  std::exception_ptr first;
  const auto until = Clock::now() + (order_.is_once ? finds_once_within : finds_within);
  for (auto& served : std::exchange(served_, {})) {
    try {
      if (find(*served, until)) served_.push_back(std::move(served));
    } catch (const tuner::Busy&) {
      throw;
    } catch (const tuner::Interrupted&) {
      return;  // told to end: run() does at once
    } catch (const std::exception& error) {
      if (first == nullptr) first = std::current_exception();
      if (order_.devices.size() > 1) {
        spdlog::warn("{} is not served: {}", served->name(), printable(error.what()));
      }
    }
  }
  if (served_.empty() && first != nullptr) std::rethrow_exception(first);
}

/// False: it is part of another. Who starts a service waits for it, but not for a driver that
/// hangs.
bool Service::find(ServedDevice& served, Clock::time_point until) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
  if (served.is_found(std::max<std::chrono::milliseconds>(left, 0ms))) return admit(served);
  if (tuner::Stop::asked()) return true;
  if (order_.is_once)
    throw DeviceError(fmt::format("{} cannot be found: its driver does not answer", served.name()));
  look_at(served);
  return true;
}

/// Takes its lease. False: it is part of another, for partitions of one GPU have one lease.
bool Service::admit(ServedDevice& served) {
  const std::string lease = service_lease_of(served.found_identity());
  const bool is_part = std::ranges::any_of(served_, [&](const auto& other) {
    return other->is_served() && service_lease_of(other->identity()) == lease;
  });
  if (is_part) {
    spdlog::info("{} is part of a device that is served already: it is left out", served.name());
    return false;
  }
  served.serve();
  look_anew_for_wanted();
  return true;
}

void Service::say_who_cannot_tell() const {
  for (const auto& served : served_) {
    if (!served->is_silent()) continue;
    spdlog::info("who uses {} is not told: it is idle while no other redtune tunes there",
                 served->name());
  }
}

bool Service::is_tuned_on(const ServedDevice& served) const {
  return tuning_ != nullptr && std::ranges::count(tuned_on_, served.name()) > 0;
}

void Service::look_at(ServedDevice& served) {
  served.look(tuning_ ? tuning_->process() : 0, is_tuned_on(served),
              tuning_ ? answer_while_tuning : answer_while_waiting);
}

void Service::look_at_all() {
  std::set<const ServedDevice*> parts;
  for (const auto& served : served_) {
    look_at(*served);
    if (is_tuned_on(*served) && !served->users().empty()) step_aside(*served);
    try {
      const bool is_found_now = !served->is_served() && served->is_found(0ms);
      if (is_found_now && !admit(*served)) parts.insert(served.get());
    } catch (const std::exception& error) {
      served->fail(error.what());
    }
  }
  std::erase_if(served_, [&](const auto& served) { return parts.contains(served.get()); });
}

std::size_t Service::all_wanted() const {
  std::size_t most = 0;  // devices of one class are asked for the same
  for (const auto& served : served_) most = std::max(most, served->wanted.size());
  return most;
}

/// What was asked meanwhile does not hide it.
bool Service::is_anything_done(const std::vector<std::set<std::string>>& before) const {
  for (std::size_t i = 0; i < served_.size(); ++i) {
    if (!std::ranges::includes(served_[i]->wanted, before[i])) return true;
  }
  return false;
}

/// What is wanted is of no use while nothing can be tuned.
bool Service::is_time_for_wanted() const {
  if (!has_looked_) return true;
  const auto now = Clock::now();
  if (now < mark_again_ || now < paused_until_) return false;
  return std::ranges::any_of(served_, [&](const auto& served) { return served->is_free(now); });
}

void Service::look_anew_for_wanted() {
  mark_again_ = look_again_ = {};
}

bool Service::look_for_wanted() {
  const auto now = Clock::now();
  mark_again_ =
      now + std::clamp<Clock::duration>(order_.idle, between_looks_waiting / 2, most_between_marks);
  try {
    const std::string mark = order_.mark_of_wanted();
    if (has_looked_ && mark == mark_ && now < look_again_) return true;
    mark_ = mark;
    look_again_ = now + between_counts;
    for (const auto& served : served_) {
      if (served->is_served()) served->wanted = order_.wanted(served->name(), served->identity());
    }
  } catch (const std::exception& error) {
    for (const auto& served : served_) served->wanted.clear();
    fail(static_cast<int>(exit_code_of(error)),
         fmt::format("what is wanted cannot be found out: {}", error.what()));
    return false;
  }
  end_.left = all_wanted();
  if (!std::exchange(has_looked_, true)) end_.wanted = end_.left;
  return true;
}

/// Nobody is disturbed by a pause, and what fails at once would else fail all day.
void Service::fail(int code, const std::string& why) {
  const auto pause = std::min<Clock::duration>(
      longest_pause, first_pause * (1 << std::min<std::size_t>(failures_, 6)));
  ++failures_;
  paused_until_ = Clock::now() + pause;
  look_again_ = paused_until_;
  end_.code = code;
  end_.text = why;
  if (!order_.is_once) spdlog::error("{}; the next try is in {}", why, duration_text(pause));
}

void Service::begin_tuning() {
  const auto now = Clock::now();
  if (now < paused_until_) return;
  std::vector<std::string> devices;
  for (const auto& served : served_) {
    if (!served->wanted.empty() && served->is_free(now)) devices.push_back(served->name());
  }
  if (devices.empty()) return;
  spdlog::log(order_.tune_finds_out ? spdlog::level::debug : spdlog::level::info,
              "{} to tune; {} idle", counted(all_wanted(), "question"),
              fmt::format("{} {}", fmt::join(devices, ", "), devices.size() == 1 ? "is" : "are"));
  end_.text.clear();
  end_.code = 0;
  try {
    tuning_ = std::make_unique<Tuning>(order_.tune(devices));
  } catch (const std::exception& error) {
    return fail(static_cast<int>(exit_code_of(error)),
                fmt::format("no tune can be started: {}", error.what()));
  }
  tuned_on_ = std::move(devices);
  ++end_.tunes;
}

void Service::step_aside(const ServedDevice& from) {
  spdlog::info("{} steps aside for {}; what was tried is kept", from.name(),
               printable(from.users()));
  tuning_->stop();
  tuning_.reset();
  wait_longer();
  look_anew_for_wanted();
}

/// Of two services that begin together each sees the other and leaves. So that they do not for
/// ever, each waits for a time of its own beyond what was asked for.
void Service::wait_longer() {
  ++end_.stepped_aside;
  const auto doublings = std::min<std::size_t>(asides_++, most_doublings);
  const std::chrono::milliseconds most = first_wait_more * (1 << doublings);
  const std::chrono::milliseconds more(
      std::uniform_int_distribution<std::int64_t>(0, most.count())(random_));
  for (const auto& served : served_) served->need_more(more);
}

void Service::end_tuning() {
  const int code = tuning_->code();
  tuning_.reset();
  look_anew_for_wanted();
  std::vector<std::set<std::string>> before;
  for (const auto& served : served_) before.push_back(served->wanted);
  if (!look_for_wanted()) return;
  bool was_busy = code == static_cast<int>(ExitCode::busy);
  // Times that cannot be believed are those of a device that is shared, or not quiet by itself.
  if (code == static_cast<int>(ExitCode::untrustworthy)) {
    for (const auto& served : served_) look_at(*served);
    was_busy = std::ranges::any_of(served_, [&](const auto& served) {
      return !served->users().empty() && std::ranges::count(tuned_on_, served->name()) > 0;
    });
  }
  if (was_busy) {  // somebody came whom the tune saw first
    for (const auto& served : served_) served->see_somebody();
    end_.text = "others use the device";
    wait_longer();
  } else if (code != 0) {
    fail(code, code < 0 ? fmt::format("the tune was ended by signal {}", -code)
                        : fmt::format("the tune ended with exit code {}", code));
  } else if (!is_anything_done(before)) {
    fail(static_cast<int>(ExitCode::failed), "the tune has left all that was wanted as it was");
  } else {
    failures_ = asides_ = 0;
    for (const auto& served : served_) served->need_more({});
  }
}

void Service::watch_tuning() {
  if (tuning_->has_ended()) end_tuning();
}

std::string Service::state() const {
  const auto now = Clock::now();
  if (tuning_) {
    return fmt::format("tuning on {}: {} wanted", fmt::join(tuned_on_, ", "),
                       counted(all_wanted(), "question"));
  }
  if (now < paused_until_) return fmt::format("paused: {}", end_.text);
  std::string text = all_wanted() == 0
                         ? "nothing is wanted"
                         : fmt::format("{} wanted", counted(all_wanted(), "question"));
  for (const auto& served : served_) {
    if (!served->trouble().empty()) {
      text +=
          fmt::format("; {} cannot be asked who uses it: {}", served->name(), served->trouble());
    } else if (served->wanted.empty()) {
      continue;
    } else if (!served->users().empty()) {
      text += fmt::format("; {} is used: {}", served->name(), served->users());
    } else {
      const auto left = std::chrono::ceil<std::chrono::minutes>(served->left(now));
      text += fmt::format("; waiting until {} has been idle, {} min more", served->name(),
                          left.count());
    }
  }
  return printable(text);
}

void Service::tell_state() {
  manager_.alive();
  const std::string now = state();
  manager_.status(now);
  if (now == told_) return;
  told_ = now;
  if (order_.tell) order_.tell(now);
  spdlog::debug("{}", now);
}

/// Of the first reason there is to end.
std::optional<ServiceEnd::Why> Service::why_once_ends() {
  using Why = ServiceEnd::Why;
  if (end_.code != 0) return Why::failed;
  if (end_.stepped_aside > 0) return Why::in_use;
  if (end_.tunes > 0) return Why::tuned;
  if (all_wanted() == 0) return Why::nothing_wanted;
  const ServedDevice* in_trouble = nullptr;
  bool is_used = false;
  for (const auto& served : served_) {
    if (served->wanted.empty()) continue;
    if (served->users().empty() && served->trouble().empty()) return std::nullopt;
    is_used = is_used || !served->users().empty();
    if (!served->trouble().empty()) in_trouble = served.get();
  }
  if (is_used || in_trouble == nullptr) return Why::in_use;
  end_.code = static_cast<int>(ExitCode::device_unhealthy);
  end_.text =
      fmt::format("{} cannot be asked who uses it: {}", in_trouble->name(), in_trouble->trouble());
  return Why::failed;
}

void Service::wait_for_news() {
  std::vector<pollfd> waiting{{stop_.now(), POLLIN, 0}};
  if (tuning_) {
    waiting.push_back({tuning_->errors(), POLLIN, 0});
    waiting.push_back({tuning_->output(), POLLIN, 0});
  }
  for (const auto& served : served_) waiting.push_back({served->answers(), POLLIN, 0});
  const auto pause = tuning_ ? between_looks_tuning : between_looks_waiting;
  (void)poll(waiting.data(), waiting.size(),
             static_cast<int>(std::chrono::milliseconds(pause).count()));
}

ServiceEnd Service::run() {
  look_at_all();
  say_who_cannot_tell();
  manager_.ready();
  while (!tuner::Stop::asked()) {
    if (tuning_) watch_tuning();
    look_at_all();
    if (!tuning_) {
      if (is_time_for_wanted()) (void)look_for_wanted();
      if (order_.is_once) {
        if (const auto why = why_once_ends()) {
          end_.why = *why;
          break;
        }
      }
      begin_tuning();
    }
    tell_state();
    wait_for_news();
  }
  manager_.stopping();
  for (const auto& served : served_) served->let_end();
  if (tuning_) {
    spdlog::info("told to end; what was tried is kept");
    tuning_->stop();
    tuning_.reset();
  }
  for (const auto& served : served_) {
    if (end_.why == ServiceEnd::Why::in_use && end_.text.empty()) end_.text = served->users();
  }
  return end_;
}

}  // namespace redtune::cli
