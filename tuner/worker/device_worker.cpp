// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/worker/device_worker.hpp"

#include <array>
#include <cerrno>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <utility>

#include "tuner/compile/interrupted.hpp"
#include "tuner/verify/operator_watch.hpp"
#include "tuner/worker/frame.hpp"

namespace redtune::tuner {
namespace {

using namespace std::chrono_literals;
using device::host::Deadline;
using device::host::StandardStream;
using device::host::SteadyClock;

constexpr std::size_t most_output = 64 * 1024;
/// What a process that has closed its channel may still need to end.
constexpr auto ending = 2s;
/// What is asked fits into the channel of a process that hangs, too, and an answer that has begun
/// to come comes at once.
constexpr auto takes_a_request_within = 1s;
constexpr auto comes_whole_within = 1s;

}  // namespace

std::chrono::milliseconds set_up_timeout(const Timeouts& timeouts, const Problem& problem) {
  if (problem.op != Op::custom) return timeouts.set_up;
  constexpr int steps = 3;  // samples, and a reference of each of two inputs
  return timeouts.set_up + steps * operator_timeout(elements_of(problem));
}

DeviceWorker::DeviceWorker(Unasked, const WorkerCommand& command)
    : command_(command), child_(command.words, command.variables) {}

std::vector<std::string> devices_named(const WorkerCommand& command) {
  const bool is_list = command.device.find(',') != std::string::npos;
  if (!is_list && command.device != "all" && !command.device.ends_with(":all")) {
    return {command.device};
  }
  DeviceWorker worker(DeviceWorker::Unasked{}, command);
  return worker.ask("names", {{"devices", command.device}}, command.timeouts.open)
      .get<std::vector<std::string>>();
}

DeviceWorker::DeviceWorker(const WorkerCommand& command, WorkerLog log)
    : command_(command), log_(std::move(log)), child_(command.words, command.variables) {
  device_ = decode_device(ask("find", {{"device", command.device}}, command.timeouts.open));
}

DeviceWorker::DeviceWorker(Ahead, const WorkerCommand& command, WorkerLog log)
    : command_(command),
      log_(std::move(log)),
      child_(command.words, command.variables),
      is_finding_ahead_(true) {
  post("find", {{"device", command.device}}, command.timeouts.open);
}

void DeviceWorker::set_up_ahead(const BenchOrder& order, Beside beside) {
  if (ahead_) return;
  ahead_ = encode(order);
  beside_ = beside;
  post("set_up", *ahead_, command_.timeouts.set_up);
}

int DeviceWorker::times_asked(std::string_view request) const {
  const auto known = requests_.find(request);
  return known == requests_.end() ? 0 : known->second.count;
}

void DeviceWorker::open() {
  if (free_bytes_) return;
  const auto timeout = command_.timeouts.open;
  if (std::exchange(is_finding_ahead_, false)) device_ = decode_device(take("find", timeout));
  if (!is_opening_ahead_) open_ahead();
  is_opening_ahead_ = false;
  free_bytes_ = take("open", timeout).get<std::size_t>();
}

void DeviceWorker::open_ahead() {
  if (free_bytes_ || is_opening_ahead_) return;
  post("open", json::object(), command_.timeouts.open);
  is_opening_ahead_ = true;
}

void DeviceWorker::set_up(const BenchOrder& order, std::chrono::milliseconds timeout) {
  json wanted = encode(order);
  const bool is_ahead = ahead_ == wanted;
  if (await_ahead(timeout) && is_ahead) return;
  (void)ask("set_up", std::move(wanted), timeout);
}

bool DeviceWorker::await_ahead(std::chrono::milliseconds timeout) {
  if (!std::exchange(ahead_, std::nullopt)) return false;
  try {
    (void)take("set_up", timeout);
    return true;
  } catch (const Interrupted&) {
    throw;
  } catch (const BenchMishap&) {
    throw;
  } catch (const Error&) {
    if (beside_ == Beside::nobody) throw;
    return false;  // beside another bench there was no room, perhaps
  }
}

json DeviceWorker::ask(std::string_view request, json document, std::chrono::milliseconds timeout) {
  (void)await_ahead(command_.timeouts.set_up);
  post(request, std::move(document), timeout);
  return take(request, timeout);
}

void DeviceWorker::post(std::string_view request, json document,
                        std::chrono::milliseconds timeout) {
  document["do"] = request;
  timeout_ = timeout;
  send(frame_of(document), SteadyClock::now() + timeout);
}

json DeviceWorker::take(std::string_view request, std::chrono::milliseconds timeout) {
  timeout_ = timeout;
  const auto begin = SteadyClock::now();
  const auto tell = [&](json found) {
    Tally& tally = requests_[std::string(request)];
    ++tally.count;
    tally.seconds += std::chrono::duration<double>(SteadyClock::now() - begin).count();
    return found;
  };
  json answer;
  try {
    answer = read_frame([&](char* to, std::size_t bytes) { receive(to, bytes, begin + timeout); });
    if (answer.contains("ok")) return tell(std::move(answer["ok"]));
    if (answer.contains("error")) throw_decoded(answer["error"]);
  } catch (const json::exception& error) {
    end_by_force(Mishap::died, fmt::format("its message cannot be read: {}", error.what()));
  } catch (const BadFrame& error) {
    end_by_force(Mishap::died, error.what());
  }
  end_by_force(Mishap::died, "its message has neither a result nor an error");
}

void DeviceWorker::ask_later(std::string_view request, json document) {
  post(request, std::move(document), takes_a_request_within);
}

bool DeviceWorker::is_answered(std::chrono::milliseconds patience) {
  auto& errors = child_.channel(StandardStream::errors);
  const auto until = SteadyClock::now() + patience;
  while (true) {
    std::array<pollfd, 3> waiting{
        {{answers(), POLLIN, 0}, {errors.get(), POLLIN, 0}, {command_.stop, POLLIN, 0}}};
    const int ready = poll(waiting.data(), waiting.size(), device::host::milliseconds_left(until));
    if (ready == 0) return false;
    if (ready < 0) continue;  // a signal
    if (waiting[1].revents != 0) device::host::take_output(errors, output_, most_output);
    if (waiting[0].revents != 0) return true;
    if (waiting[2].revents != 0) return false;
  }
}

json DeviceWorker::take_answer(std::string_view request) {
  return take(request, comes_whole_within);
}

void DeviceWorker::give_up() {
  is_given_up_ = true;
  (void)child_.kill_group(0ms);
}

short DeviceWorker::await(int descriptor, short events, const Deadline& until) {
  auto& errors = child_.channel(StandardStream::errors);
  while (true) {
    std::array<pollfd, 3> waiting{
        {{descriptor, events, 0}, {errors.get(), POLLIN, 0}, {command_.stop, POLLIN, 0}}};
    const int ready = poll(waiting.data(), waiting.size(), device::host::milliseconds_left(until));
    if (ready == 0) {
      end_by_force(Mishap::hung, fmt::format("it did not answer within {:.3g} s",
                                             std::chrono::duration<double>(timeout_).count()));
    }
    if (ready < 0) continue;  // a signal
    if (waiting[1].revents != 0) device::host::take_output(errors, output_, most_output);
    if (waiting[2].revents != 0) {
      (void)child_.kill_group(command_.timeouts.reaping);
      throw Stopped("stopped while the device was at work");
    }
    if (waiting[0].revents != 0) return waiting[0].revents;
  }
}

void DeviceWorker::send(std::string_view bytes, const Deadline& until) {
  const int to = child_.channel(StandardStream::input).get();
  while (!bytes.empty()) {
    (void)await(to, POLLOUT, until);
    const ssize_t sent = ::send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (sent < 0) report_end();
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void DeviceWorker::receive(char* to, std::size_t bytes, const Deadline& until) {
  const int from = child_.channel(StandardStream::output).get();
  while (bytes > 0) {
    (void)await(from, POLLIN, until);
    const ssize_t got = recv(from, to, bytes, MSG_DONTWAIT);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) report_end();
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
}

/// The process has closed its channel: it has ended, or is about to.
void DeviceWorker::report_end() {
  const auto status = child_.wait(SteadyClock::now() + ending);
  if (!status) end_by_force(Mishap::died, "it closed its channel and did not end");
  auto& errors = child_.channel(StandardStream::errors);
  while (errors.is_open() && output_.size() < most_output) {
    pollfd waiting{errors.get(), POLLIN, 0};
    if (poll(&waiting, 1, 0) <= 0) break;
    device::host::take_output(errors, output_, most_output);
  }
  const std::string said = device::host::last_line(output_);
  throw BenchMishap(Mishap::died, fmt::format("the process that owned the device ended with {}{}{}",
                                              device::host::ending_text(*status),
                                              said.empty() ? "" : ": ", said));
}

void DeviceWorker::end_by_force(Mishap mishap, const std::string& why) {
  if (!child_.kill_group(command_.timeouts.reaping)) {
    throw BenchMishap(Mishap::unreapable,
                      fmt::format("the process that owns the device was killed ({}) and does not "
                                  "end: the device is stuck in its driver",
                                  why));
  }
  throw BenchMishap(mishap, fmt::format("the process that owned the device was killed: {}", why));
}

DeviceWorker::~DeviceWorker() {
  const auto begin = SteadyClock::now();
  // One that is well ends by itself, and gives the device back in order.
  child_.channel(StandardStream::input).reset();
  child_.channel(StandardStream::output).reset();
  if (!child_.status() && !is_given_up_) (void)child_.wait(begin + ending);
  if (!log_) return;
  nlohmann::ordered_json requests;
  for (const auto& [name, tally] : requests_) {
    requests[name] = {{"count", tally.count}, {"seconds", tally.seconds}};
  }
  const double seconds = std::chrono::duration<double>(SteadyClock::now() - begin).count();
  try {
    if (!output_.empty()) log_("worker_output", {{"text", output_}});
    log_("worker", {{"process", child_.id()}, {"requests", requests}, {"ending_seconds", seconds}});
  } catch (const std::exception&) {
    // A log that cannot be written must not end the program.
  }
}

}  // namespace redtune::tuner
