// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/device_site.hpp"

#include <fmt/format.h>
#include <utility>

#include "redtune/error.hpp"
#include "tuner/compile/interrupted.hpp"
#include "tuner/session/lost_workers.hpp"

namespace redtune::tuner {
namespace {

/// Candidates that a worker has met when it is let go: what leaks slowly shows late.
constexpr int most_loads = 200;

}  // namespace

DeviceSite::DeviceSite(WorkerCommand command, WorkerLog log)
    : command_(std::move(command)), log_(std::move(log)) {
  unused_ = std::make_shared<DeviceWorker>(command_, log_);
  current_ = unused_;
  device_ = unused_->device();
  if (device_.alone.empty()) return;
  // Those that come later need not look at the others; where they are many, that takes a second.
  command_.variables = {device_.alone};
  command_.device = device_.platform + ":0";
}

void DeviceSite::take_over(std::shared_ptr<DeviceWorker> worker) {
  try {
    worker->open();
  } catch (const NoSuchDevice& error) {
    // It may be alone by now, and speaks of all that it sees.
    throw DeviceUnhealthy(
        fmt::format("{} is not found any more: {}", device_.selection, error.what()));
  }
  const DeviceIdentity& found = worker->device().identity;
  if (found.device_class != device_.identity.device_class || found.uuid != device_.identity.uuid) {
    throw DeviceUnhealthy(
        "the device is another one than before: it was reset or reconfigured while it was tuned");
  }
  unused_ = std::move(worker);
  current_ = unused_;
}

void DeviceSite::start_worker() {
  if (std::shared_ptr<DeviceWorker> ahead = std::move(ahead_)) {
    try {
      return take_over(std::move(ahead));
    } catch (const Interrupted&) {
      throw;
    } catch (const Error&) {
      // Two at a time may be one too many. One that is started now says what is wrong.
    }
  }
  take_over(std::make_shared<DeviceWorker>(command_, log_));
}

void DeviceSite::find_ahead() {
  if (resting_ && resting_->has_ended()) resting_.reset();
  if (unused_ || ahead_ || resting_) return;
  try {
    ahead_ = std::make_shared<DeviceWorker>(DeviceWorker::Ahead{}, command_, log_);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {
    // Likewise: it is started when it is needed.
  }
}

void DeviceSite::start_ahead(const BenchOrder* bench) {
  if (unused_) return;
  find_ahead();
  if (!ahead_) ahead_ = std::exchange(resting_, nullptr);
  if (!ahead_) return;
  try {
    ahead_->open_ahead();
    if (bench != nullptr) ahead_->set_up_ahead(*bench);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {
    ahead_.reset();  // likewise
  }
}

std::shared_ptr<DeviceWorker> DeviceSite::next_worker() {
  make_ready();
  return std::exchange(unused_, nullptr);
}

void DeviceSite::open_ahead() {
  let_it_leave();  // a problem that failed has not taken its bench back
  if (!unused_ || unused_->has_ended()) return;
  try {
    unused_->open_ahead();
  } catch (const BenchMishap&) {
    unused_.reset();
  }
}

void DeviceSite::make_ready() {
  if (unused_ && unused_->has_ended()) unused_.reset();
  if (!unused_) start_worker();
  unused_->open();
  ahead_.reset();  // nobody has needed it
  if (free_bytes_ == 0) free_bytes_ = unused_->free_bytes();
}

DeviceWorker& DeviceSite::unused() {
  if (!unused_) throw Error("the device is at work; that is to be asked before");
  return *unused_;
}

void DeviceSite::check_operator(const BenchOrder& order) {
  auto worker = next_worker();
  worker->set_up(order, set_up_timeout(command_.timeouts, order.problem));
  unused_ = std::move(worker);  // one that refuses an operator may end of it: it serves no other
}

Probe DeviceSite::probe() {
  return decode_probe(unused().ask("probe", json::object(), command_.timeouts.set_up));
}

void DeviceSite::set_up_ahead(const BenchOrder& order) {
  if (unused_) unused_->set_up_ahead(order, DeviceWorker::Beside::nobody);
}

std::unique_ptr<Bench> DeviceSite::open(const BenchOrder& order) {
  if (leaving_.is_told) leaving_ = {};  // whoever is timed next is alone
  json asked = encode(order);
  if (!took_us_ || asked != last_order_) {
    took_us_ = std::make_shared<DefaultTimes>();
    last_order_ = std::move(asked);
  }
  may_rest_ = !order.described && order.problem.op != Op::custom;  // what people wrote may do harm
  return std::make_unique<RemoteBench>(next_worker(), order, command_.timeouts, took_us_);
}

void DeviceSite::rest(std::unique_ptr<Bench> bench) {
  const auto worker = current_.lock();
  bench.reset();
  if (!worker || !may_rest_ || !worker->is_trusted()) return;
  if (worker->times_asked("load") < most_loads) {
    resting_ = worker;
    return;
  }
  try {
    leaving_ = {worker, worker->ask("ours", json::object(), command_.timeouts.most_step)};
  } catch (const Interrupted&) {
    throw;
  } catch (const Error&) {
    // It ends now.
  }
}

void DeviceSite::leave() {
  for (const auto& worker : {ahead_, resting_, unused_, leaving_.worker}) {
    if (worker) worker->let_end();  // all of them at a time
  }
  leaving_ = {};
  ahead_.reset();
  resting_.reset();
  unused_.reset();
}

json DeviceSite::numbers_of_resting() {
  if (!resting_) return json::array();
  try {
    return resting_->ask("ours", json::object(), command_.timeouts.most_step);
  } catch (const BenchMishap&) {
    resting_.reset();
    return json::array();
  }
}

json DeviceSite::numbers_of_leaving() {
  if (leaving_.worker && leaving_.worker->has_ended()) leaving_ = {};
  return leaving_.worker ? leaving_.numbers : json::array();
}

void DeviceSite::let_it_leave() {
  if (!leaving_.worker) return;
  leaving_.worker->let_end();
  leaving_.is_told = true;
}

void DeviceSite::take_back(std::unique_ptr<Bench> bench) {
  if (bench) unused_ = current_.lock();
  let_it_leave();
}

std::string DeviceSite::others() {
  const auto worker = current_.lock();
  if (!worker) return {};
  ahead_.reset();  // the worker would take it for somebody else
  json siblings = numbers_of_resting();
  for (json& number : numbers_of_leaving()) siblings.push_back(std::move(number));
  return worker->ask("others", {{"siblings", std::move(siblings)}}, command_.timeouts.most_step)
      .get<std::string>();
}

json DeviceSite::readings() {
  const auto worker = current_.lock();
  if (!worker) return json::object();
  try {
    return worker->ask("readings", json::object(), command_.timeouts.most_step);
  } catch (const BenchMishap&) {
    return json::object();  // they are worth no result
  }
}

}  // namespace redtune::tuner
