// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/serve/served_device.hpp"

#include <exception>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <utility>

#include "tuner/compile/interrupted.hpp"
#include "tuner/text/printable.hpp"

namespace redtune::cli {
namespace {

using namespace std::chrono_literals;

/// An answer comes in milliseconds, unless the driver is in trouble.
constexpr auto answers_within = 5s;
/// It may have forgotten a process that waits for it so long: another one asks.
constexpr auto gives_up_after = 60s;
constexpr auto watch_ends_within = 1s;
constexpr auto watch_again_after = 10s;

}  // namespace

std::string service_lease_of(const DeviceIdentity& device) {
  return "serve-" + tuner::leased_device(device.address);
}

ServedDevice::ServedDevice(std::string name, std::vector<std::string> device_worker, int stop,
                           Clock::duration idle)
    : name_(std::move(name)),
      device_worker_(std::move(device_worker)),
      stop_(stop),
      idle_(idle, Clock::now()) {
  start_watch();
}

void ServedDevice::start_watch() {
  watch_ = std::make_unique<tuner::DeviceWatch>(
      tuner::WorkerCommand{.words = device_worker_,
                           .device = name_,
                           .timeouts = {.reaping = watch_ends_within},
                           .stop = stop_});
  is_given_up_ = false;
}

bool ServedDevice::is_found(std::chrono::milliseconds patience) {
  return watch_ && !is_given_up_ && watch_->is_found(patience);
}

void ServedDevice::serve() {
  const std::string& text = watch_->device().selection;
  const std::string lease_name = service_lease_of(found_identity());
  try {
    served_ = std::make_unique<Known>(
        Known{found_identity(), tuner::Lease::take(lease_name, tuner::note_of_this_process())});
  } catch (const tuner::Busy&) {
    throw tuner::Busy(fmt::format("{} is served already by {}; one service is enough", text,
                                  printable(tuner::text_of(tuner::lease_of(lease_name).holder))));
  }
  if (!served_->lease.warning().empty()) spdlog::warn("{}", served_->lease.warning());
  name_ = text;
}

/// Other tuners of this user by their lease: some platforms do not tell who uses a device. Nothing:
/// its driver has not answered yet.
std::optional<std::string> ServedDevice::ask(pid_t tuner, bool is_tuned_on,
                                             std::chrono::milliseconds patience) {
  const auto wait = watch_->waits_since() ? 0ms : patience;
  if (!watch_->is_found(wait) || !is_served()) return std::nullopt;
  auto users = watch_->strangers(tuner, wait);
  if (!users || !users->empty() || is_tuned_on) return users;
  const auto lease = tuner::lease_of(served_->identity.address);
  return lease.is_held ? tuner::text_of(lease.holder) : users;
}

/// Of a driver that has not answered; empty: it may still. A process that hangs there is not left
/// behind for another one, which would hang as well.
std::string ServedDevice::trouble_of_waiting() {
  const auto since = watch_->waits_since();
  const std::string silence = "its driver does not answer";
  if (!since || Clock::now() - *since < answers_within) return {};
  if (Clock::now() - *since < gives_up_after) return silence;
  if (!std::exchange(is_given_up_, true)) watch_->give_up();
  if (!watch_->has_ended()) {
    return fmt::format("{}, and does not let process {} end", silence, watch_->process());
  }
  watch_.reset();
  watch_again_ = Clock::now() + watch_again_after;
  return silence;
}

void ServedDevice::look(pid_t tuner, bool is_tuned_on, std::chrono::milliseconds patience) {
  try {
    if (!watch_) {
      if (Clock::now() < watch_again_) return;
      start_watch();
    }
    std::optional<std::string> users;
    if (!is_given_up_) users = ask(tuner, is_tuned_on, patience);
    if (users) {
      users_ = *users;
      tell("");
      return idle_.see(!users_.empty(), Clock::now());
    }
    // Until something is known there is what was known.
    const std::string trouble = trouble_of_waiting();
    if (!trouble.empty()) tell(trouble);
  } catch (const tuner::Interrupted&) {
    watch_.reset();  // told to end
  } catch (const std::exception& error) {
    fail(error.what());
  }
}

void ServedDevice::fail(const std::string& why) {
  watch_.reset();
  watch_again_ = Clock::now() + watch_again_after;
  tell(why);
}

void ServedDevice::tell(const std::string& trouble) {
  if (!trouble.empty()) {
    users_.clear();
    see_somebody();
  }
  if (trouble_ == trouble) return;
  trouble_ = trouble;
  if (trouble.empty()) {
    spdlog::info("{} can be asked again who uses it", name_);
  } else {
    spdlog::warn("{} cannot be asked who uses it: {}", name_, printable(trouble));
  }
}

bool ServedDevice::is_silent() const {
  return watch_ && is_served() && !watch_->waits_since() && !watch_->can_tell();
}

bool ServedDevice::is_free(Clock::time_point now) const {
  return is_served() && watch_ && !watch_->waits_since() && trouble_.empty() && idle_.is_idle(now);
}

int ServedDevice::answers() const {
  return watch_ && watch_->waits_since() && !is_given_up_ ? watch_->answers() : -1;
}

void ServedDevice::let_end() {
  if (watch_) watch_->let_end();
}

}  // namespace redtune::cli
