// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/worker/remote_bench.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "tuner/verify/operator_watch.hpp"
#include "tuner/worker/device_frame.hpp"
#include "tuner/worker/frame.hpp"

namespace redtune::tuner {
namespace {

/// An answer of another shape than was asked for ends the bench.
template <class Decode>
auto decoded(const json& answer, const Decode& decode) {
  try {
    return decode(answer);
  } catch (const json::exception& error) {
    throw BenchMishap(Mishap::died, fmt::format("an answer cannot be read: {}", error.what()));
  } catch (const BadFrame& error) {
    throw BenchMishap(Mishap::died, error.what());
  }
}

std::string text_of(const json& answer) {
  return decoded(answer, [](const json& text) { return text.get<std::string>(); });
}

}  // namespace

RemoteBench::RemoteBench(std::shared_ptr<DeviceWorker> worker, const BenchOrder& order,
                         const Timeouts& timeouts, std::shared_ptr<DefaultTimes> took)
    : worker_(std::move(worker)), timeouts_(timeouts), took_us_(std::move(took)) {
  if (order.problem.op == Op::custom) {  // whoever lets one be slow lets its trials be
    timeouts_.most_step = std::max<std::chrono::milliseconds>(
        timeouts_.most_step, operator_timeout(elements_of(order.problem)));
  }
  worker_->set_up(order, set_up_timeout(timeouts, order.problem));
}

std::chrono::milliseconds RemoteBench::timeout_for(std::string_view request,
                                                   double expected_us) const {
  const auto known = took_us_->find(request);
  // Before the default has run nobody knows how long a step takes.
  if (known == took_us_->end()) return timeouts_.most_step;
  const double us = timeouts_.step_factor * std::max(known->second, expected_us);
  const auto wanted = std::chrono::milliseconds(static_cast<std::int64_t>(us / 1e3));
  return std::clamp(wanted, timeouts_.least_step, timeouts_.most_step);
}

json RemoteBench::step(std::string_view request, CandidateId id, json document,
                       double expected_us) {
  document["candidate"] = static_cast<std::size_t>(id);
  const auto begin = Clock::now();
  json answer;
  try {
    answer = worker_->ask(request, std::move(document), timeout_for(request, expected_us));
  } catch (const BenchMishap&) {
    worker_->mistrust();
    throw;
  }
  if (default_ == id) {
    const double us = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
    double& longest = (*took_us_)[std::string(request)];
    longest = std::max(longest, us);
  }
  return answer;
}

void RemoteBench::load(CandidateId id, const Candidate& candidate) {
  const auto& binary = *candidate.unit.binary;
  json document = encode(candidate);
  const auto [name, is_new] = sent_.try_emplace(candidate.unit.binary, sent_.size());
  document["binary_name"] = name->second;
  if (is_new) {
    const auto* data = reinterpret_cast<const std::uint8_t*>(binary.data());
    document["binary"] = json::binary({data, data + binary.size()});
  }
  if (candidate.is_default) default_ = id;
  (void)step("load", id, std::move(document));
}

void RemoteBench::unload(CandidateId id) {
  (void)step("unload", id, json::object());
}

std::string RemoteBench::verdict(std::string_view request, CandidateId id) {
  std::string why = text_of(step(request, id, json::object()));
  if (!why.empty()) worker_->mistrust();
  return why;
}

std::string RemoteBench::why_wrong(CandidateId id) {
  return verdict("why_wrong", id);
}

std::string RemoteBench::why_wrong_when_timed(CandidateId id) {
  return verdict("why_wrong_when_timed", id);
}

std::string RemoteBench::why_wrong_when_challenged(CandidateId id) {
  return verdict("why_wrong_when_challenged", id);
}

Sample RemoteBench::sample(const BatchOrder& order) {
  const auto known = execution_us_.find(order.candidate);
  const double expected_us =
      known == execution_us_.end() ? 0 : known->second * static_cast<double>(order.executions);
  const Sample sample = decoded(
      step("sample", order.candidate, {{"order", encode(order)}}, expected_us), decode_sample);
  double us = 0;
  for (const TimedBatch& batch : sample.batches) {
    // As long again for the other kernels alone.
    us += 2 * batch.time.host_us / static_cast<double>(order.executions);
  }
  if (std::isfinite(us)) execution_us_[order.candidate] = us;
  return sample;
}

device::BatchTime RemoteBench::empty_batch() {
  return decoded(worker_->ask("empty_batch", json::object(), timeouts_.most_step),
                 decode_batch_time);
}

Floor RemoteBench::floor(CandidateId like) {
  const json request{{"candidate", static_cast<std::size_t>(like)}};
  return decoded(worker_->ask("floor", request, timeouts_.most_step), decode_floor);
}

std::size_t RemoteBench::free_memory() {
  return decoded(worker_->ask("free_memory", json::object(), timeouts_.most_step),
                 [](const json& bytes) { return bytes.get<std::size_t>(); });
}

}  // namespace redtune::tuner
