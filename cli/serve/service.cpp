// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/serve/service.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <fmt/format.h>
#include <poll.h>
#include <spdlog/spdlog.h>
#include <utility>

#include "cli/exit_code.hpp"
#include "cli/names.hpp"
#include "redtune/error.hpp"
#include "tuner/session/stop.hpp"
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
constexpr auto watch_again_after = 10s;
constexpr auto first_pause = 1min;
constexpr auto longest_pause = 1h;

std::string duration_text(Clock::duration time) {
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(time).count();
  return seconds < 60 ? fmt::format("{} s", seconds) : fmt::format("{} min", (seconds + 59) / 60);
}

}  // namespace

std::string service_lease_of(const DeviceIdentity& device) {
  return "serve-" + tuner::leased_device(device.address);
}

Service::Service(ServiceOrder order) : order_(std::move(order)) {
  std::exception_ptr first;
  for (const std::string& name : order_.devices) {
    try {
      serve(name);
    } catch (const tuner::Busy&) {
      throw;
    } catch (const std::exception& error) {
      if (first == nullptr) first = std::current_exception();
      if (order_.devices.size() > 1) {
        spdlog::warn("{} is not served: {}", name, printable(error.what()));
      }
    }
  }
  if (served_.empty() && first != nullptr) std::rethrow_exception(first);
}

void Service::serve(const std::string& name) {
  auto watch = std::make_unique<tuner::DeviceWatch>(
      tuner::WorkerCommand{.words = order_.device_worker, .device = name});
  DeviceIdentity identity = watch->device().identity;
  const std::string text = watch->device().selection;
  const std::string lease_name = service_lease_of(identity);
  // Partitions of one GPU have one lease.
  const bool is_part = std::ranges::any_of(
      served_, [&](const Served& other) { return service_lease_of(other.identity) == lease_name; });
  if (is_part) {
    spdlog::info("{} is part of a device that is served already: it is left out", text);
    return;
  }
  try {
    tuner::Lease lease = tuner::Lease::take(lease_name, tuner::note_of_this_process());
    if (!lease.warning().empty()) spdlog::warn("{}", lease.warning());
    served_.push_back({.name = text,
                       .identity = std::move(identity),
                       .lease = std::move(lease),
                       .watch = std::move(watch),
                       .idle = IdleClock(order_.idle, Clock::now())});
  } catch (const tuner::Busy&) {
    throw tuner::Busy(fmt::format("{} is served already by {}; one service is enough", text,
                                  printable(tuner::text_of(tuner::lease_of(lease_name).holder))));
  }
}

void Service::say_who_cannot_tell() const {
  for (const Served& served : served_) {
    if (!served.watch || served.watch->can_tell()) continue;
    spdlog::info("who uses {} is not told: it is idle while no other redtune tunes there",
                 served.name);
  }
}

bool Service::is_tuned_on(const Served& served) const {
  return tuning_ != nullptr && std::ranges::count(tuned_on_, served.name) > 0;
}

/// Other tuners of this user by their lease: some platforms do not tell who uses a device.
std::string Service::users_of(Served& served) {
  std::string users = served.watch->strangers(tuning_ ? tuning_->process() : 0);
  if (!users.empty() || is_tuned_on(served)) return users;
  const auto lease = tuner::lease_of(served.identity.address);
  return lease.is_held ? tuner::text_of(lease.holder) : users;
}

void Service::look_at(Served& served) {
  const auto now = Clock::now();
  try {
    if (!served.watch) {
      if (now < served.watch_again) return;
      served.watch = std::make_unique<tuner::DeviceWatch>(
          tuner::WorkerCommand{.words = order_.device_worker, .device = served.name});
    }
    served.users = users_of(served);
  } catch (const std::exception& error) {
    // A tune that is under way knows better what its device does.
    served.watch.reset();
    served.watch_again = now + watch_again_after;
    served.users = is_tuned_on(served) ? "" : fmt::format("it cannot be asked: {}", error.what());
  }
  served.idle.see(!served.users.empty(), now);
}

std::size_t Service::all_wanted() const {
  std::size_t most = 0;  // devices of one class are asked for the same
  for (const Served& served : served_) most = std::max(most, served.wanted.size());
  return most;
}

/// What was asked meanwhile does not hide it.
bool Service::is_anything_done(const std::vector<std::set<std::string>>& before) const {
  for (std::size_t i = 0; i < served_.size(); ++i) {
    if (!std::ranges::includes(served_[i].wanted, before[i])) return true;
  }
  return false;
}

void Service::look_for_wanted() {
  const auto now = Clock::now();
  const std::string mark = order_.mark_of_wanted();
  if (has_looked_ && mark == mark_ && now < look_again_) return;
  mark_ = mark;
  look_again_ = now + between_counts;
  try {
    for (Served& served : served_) served.wanted = order_.wanted(served.identity);
  } catch (const std::exception& error) {
    for (Served& served : served_) served.wanted.clear();
    fail(static_cast<int>(exit_code_of(error)),
         fmt::format("what is wanted cannot be found out: {}", error.what()));
  }
  end_.left = all_wanted();
  if (!std::exchange(has_looked_, true)) end_.wanted = end_.left;
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
  for (const Served& served : served_) {
    if (!served.wanted.empty() && served.idle.is_idle(now)) devices.push_back(served.name);
  }
  if (devices.empty()) return;
  spdlog::info("{} to tune; {} idle", counted(all_wanted(), "question"),
               fmt::format("{} {}", fmt::join(devices, ", "), devices.size() == 1 ? "is" : "are"));
  tuning_ = std::make_unique<Tuning>(order_.tune(devices));
  tuned_on_ = std::move(devices);
  ++end_.tunes;
}

void Service::step_aside(const Served& from) {
  spdlog::info("{} steps aside for {}; what was tried is kept", from.name, printable(from.users));
  tuning_->stop();
  tuning_.reset();
  ++end_.stepped_aside;
  look_again_ = {};
}

void Service::end_tuning() {
  const int code = tuning_->code();
  tuning_.reset();
  look_again_ = {};
  std::vector<std::set<std::string>> before;
  for (const Served& served : served_) before.push_back(served.wanted);
  look_for_wanted();
  const bool was_busy =
      code == static_cast<int>(ExitCode::busy) || code == static_cast<int>(ExitCode::untrustworthy);
  if (was_busy) {  // somebody came whom the tune saw first
    for (Served& served : served_) served.idle.see(true, Clock::now());
    end_.text = "others use the device";
    ++end_.stepped_aside;
  } else if (code != 0) {
    fail(code, code < 0 ? fmt::format("the tune was ended by signal {}", -code)
                        : fmt::format("the tune ended with exit code {}", code));
  } else if (!is_anything_done(before)) {
    fail(static_cast<int>(ExitCode::failed), "the tune has left all that was wanted as it was");
  } else {
    failures_ = 0;
    end_.code = 0;
  }
}

void Service::watch_tuning() {
  for (const Served& served : served_) {
    if (is_tuned_on(served) && !served.users.empty()) return step_aside(served);
  }
  if (tuning_->has_ended()) end_tuning();
}

std::string Service::state() const {
  const auto now = Clock::now();
  if (tuning_) {
    return fmt::format("tuning on {}: {} wanted", fmt::join(tuned_on_, ", "),
                       counted(all_wanted(), "question"));
  }
  if (now < paused_until_) return fmt::format("paused: {}", end_.text);
  if (all_wanted() == 0) return "nothing is wanted";
  std::string text = fmt::format("{} wanted", counted(all_wanted(), "question"));
  for (const Served& served : served_) {
    if (served.wanted.empty()) continue;
    text += served.users.empty() ? fmt::format("; waiting until {} has been idle", served.name)
                                 : fmt::format("; {} is used: {}", served.name, served.users);
  }
  return printable(text);
}

void Service::tell_state() {
  manager_.alive();
  const std::string now = state();
  if (now == told_) return;
  told_ = now;
  manager_.status(now);
  spdlog::debug("{}", now);
}

/// Of the first reason there is to end.
std::optional<ServiceEnd::Why> Service::why_once_ends() const {
  using Why = ServiceEnd::Why;
  if (end_.code != 0) return Why::failed;
  if (end_.stepped_aside > 0) return Why::in_use;
  if (end_.tunes > 0) return Why::tuned;
  if (all_wanted() == 0) return Why::nothing_wanted;
  const auto is_free = [](const Served& one) { return !one.wanted.empty() && one.users.empty(); };
  if (std::ranges::none_of(served_, is_free)) return Why::in_use;
  return std::nullopt;
}

ServiceEnd Service::run() {
  tuner::Stop stop;
  for (Served& served : served_) look_at(served);
  say_who_cannot_tell();
  manager_.ready();
  while (!tuner::Stop::asked()) {
    for (Served& served : served_) look_at(served);
    if (tuning_) watch_tuning();
    if (!tuning_) {
      look_for_wanted();
      if (order_.is_once) {
        if (const auto why = why_once_ends()) {
          end_.why = *why;
          break;
        }
      }
      begin_tuning();
    }
    tell_state();
    std::array<pollfd, 3> waiting{{{stop.now(), POLLIN, 0},
                                   {tuning_ ? tuning_->errors() : -1, POLLIN, 0},
                                   {tuning_ ? tuning_->output() : -1, POLLIN, 0}}};
    const auto pause = tuning_ ? between_looks_tuning : between_looks_waiting;
    (void)poll(waiting.data(), waiting.size(),
               static_cast<int>(std::chrono::milliseconds(pause).count()));
  }
  manager_.stopping();
  if (tuning_) {
    spdlog::info("told to end; what was tried is kept");
    tuning_->stop();
    tuning_.reset();
  }
  for (const Served& served : served_) {
    if (end_.why == ServiceEnd::Why::in_use && end_.text.empty()) end_.text = served.users;
  }
  return end_;
}

}  // namespace redtune::cli
