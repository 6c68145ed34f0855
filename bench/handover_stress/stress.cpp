// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/handover_stress/stress.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>

#include "search/rng.hpp"

namespace redtune::bench {

Watchdog::Watchdog(std::chrono::seconds patience)
    : patience_(patience), thread_([this](const std::stop_token& stop) { run(stop); }) {}

void Watchdog::expect(const std::string& what) {
  const std::lock_guard lock(mutex_);
  end_ = Clock::now() + patience_;
  what_ = what;
  changed_.notify_all();
}

void Watchdog::calm() {
  const std::lock_guard lock(mutex_);
  end_.reset();
  changed_.notify_all();
}

void Watchdog::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (!end_) {
      changed_.wait(lock, stop, [this] { return end_.has_value(); });
      continue;
    }
    const auto end = *end_;
    changed_.wait_until(lock, stop, end, [&] { return end_ != end; });
    if (stop.stop_requested() || end_ != end) continue;
    fmt::print(stderr, "handover_stress: not over after {} s, so a block waits for ever: {}\n",
               patience_.count(), what_);
    std::fflush(nullptr);
    std::_Exit(1);  // the device would be waited for otherwise
  }
}

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::byte poison{0xa5};
/// Launches in a workspace that was not cleared: enough to see that it matters.
constexpr std::int64_t launches_before_clearing = 1;

std::string hex_of(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes) text += fmt::format("{:02x}", static_cast<int>(byte));
  return text;
}

}  // namespace

DeviceInputs::DeviceInputs(device::Device& device, const std::vector<ExactInput>& inputs) {
  for (const ExactInput& input : inputs) {
    device::Buffer& buffer = buffers_.emplace_back(device.allocate(input.elements.size()));
    device.copy_to_device(buffer.data(), input.elements.data(), buffer.bytes());
  }
}

BatchResults::BatchResults(device::Device& device, std::int64_t launches)
    : device_(device),
      memory_(device.allocate(static_cast<std::size_t>(launches) * result_stride)),
      seen_(memory_.bytes()) {}

void BatchResults::poison() {
  device_.fill(memory_.data(), bench::poison, memory_.bytes());
}

void* BatchResults::at(std::int64_t i) const {
  return static_cast<std::byte*>(memory_.data()) + static_cast<std::size_t>(i) * result_stride;
}

void BatchResults::count_into(Tally& tally, const Problem& problem,
                              const std::vector<ExactInput>& inputs, std::int64_t launches) {
  device_.copy_to_host(seen_.data(), memory_.data(),
                       static_cast<std::size_t>(launches) * result_stride);
  for (std::size_t i = 0; i < static_cast<std::size_t>(launches); ++i) {
    const ExactResult& right = inputs[i % inputs.size()].result;
    const auto output = std::span(seen_).subspan(i * result_stride, result_stride);
    if (is_result(problem, output, right)) continue;
    if (tally.wrong++ > 0) continue;
    tally.first_wrong =
        fmt::format("launch {}: {} instead of {}", tally.launches + static_cast<std::int64_t>(i),
                    hex_of(output), hex_of(right));
  }
  tally.launches += launches;
}

Stressed::Stressed(device::Device& device, const runtime::LoadedConfig& config,
                   const std::vector<ExactInput>& inputs, Watchdog& watchdog)
    : device_(device),
      config_(config),
      inputs_(inputs),
      watchdog_(watchdog),
      device_inputs_(device, inputs),
      workspace_(config.make_workspace(device)),
      results_(device, batch_launches),
      whole_batch_(launches(batch_launches)),
      zeros_(workspace_.zero_bytes()) {}

std::vector<device::Launch> Stressed::launches(std::int64_t count) const {
  std::vector<device::Launch> all;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::size_t turn = static_cast<std::size_t>(i) % inputs_.size();
    const auto one = config_.launches(
        {device_inputs_.at(turn), {.count = inputs_[turn].count}, results_.at(i)}, workspace_);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

void Stressed::run_batch(Way way, std::int64_t count, Tally& tally) {
  results_.poison();
  watchdog_.expect(fmt::format("{}, {}", describe(config_.choice().problem),
                               to_string(config_.choice().settings)));
  if (way == Way::replayed) {
    if (!replayed_) replayed_ = device_.prepare(whole_batch_);
    (void)replayed_->time();
  } else {
    device_.launch(launches(count), {});
    device_.synchronize({});
  }
  watchdog_.calm();
  results_.count_into(tally, config_.choice().problem, inputs_, count);
  if (!is_workspace_zero()) ++tally.dirty;
}

bool Stressed::is_workspace_zero() {
  device_.copy_to_host(zeros_.data(), workspace_.counter(), zeros_.size());
  return std::ranges::all_of(zeros_, [](std::byte byte) { return byte == std::byte{0}; });
}

Tally Stressed::run(const Endurance& endurance) {
  Tally tally;
  const auto begin = Clock::now();
  const auto elapsed = [&] { return Seconds(Clock::now() - begin); };
  const bool is_timed = endurance.most_time.count() > 0;
  for (bool is_even = true; tally.launches < endurance.launches; is_even = !is_even) {
    if (is_timed && tally.launches > 0 && elapsed() >= endurance.most_time) break;
    const std::int64_t count = std::min(batch_launches, endurance.launches - tally.launches);
    const bool is_whole = count == batch_launches;
    run_batch(is_whole && is_even ? Way::replayed : Way::one_by_one, count, tally);
  }
  tally.seconds = elapsed().count();
  return tally;
}

/// Some blocks had stored and nobody had read: in every other word anything with a flag, and a
/// ticket that was taken.
void Stressed::leave_as_broken_off() const {
  const std::size_t words = workspace_.zero_bytes() / sizeof(std::uint64_t);
  constexpr std::size_t first_slot = runtime::Workspace::counter_bytes / sizeof(std::uint64_t);
  constexpr std::uint64_t flag = std::uint64_t{1} << 63;
  search::Rng random(7);
  std::vector<std::uint64_t> left(words);
  left.front() = 1;
  for (std::size_t i = first_slot; i < words; i += 2) left[i] = flag | random.next();
  device_.copy_to_device(workspace_.counter(), left.data(), words * sizeof(std::uint64_t));
}

BrokenOff Stressed::run_in_broken_off(std::int64_t launches) {
  BrokenOff found;
  leave_as_broken_off();
  const Problem& problem = config_.choice().problem;
  if (info(problem.op).shape != ResultShape::indexed) {
    Tally before;
    run_batch(Way::one_by_one, launches_before_clearing, before);
    found.launches_before = before.launches;
    found.wrong_before = before.wrong;
  }
  workspace_.clear(device_);
  if (!is_workspace_zero()) ++found.after.dirty;
  run_batch(Way::one_by_one, std::min(launches, batch_launches), found.after);
  return found;
}

}  // namespace redtune::bench
