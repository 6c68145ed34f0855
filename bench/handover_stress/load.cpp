// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/handover_stress/load.hpp"

#include <chrono>
#include <vector>

#include "kernel_templates/probe/pace.hpp"
#include "kernel_templates/probe/surroundings.hpp"
#include "redtune/error.hpp"
#include "runtime/kernel_loader.hpp"
#include "search/rng.hpp"

namespace redtune::bench {
namespace {

using kernels::SurroundingKernel;

/// More than the last-level cache of any GPU, so that memory is busy as well; a host has less to
/// give.
constexpr std::size_t gpu_bytes = std::size_t{256} << 20;
constexpr std::size_t host_bytes = std::size_t{1} << 20;
/// Blocks of one wave that a compute unit is given at most: more than it has places for, so that
/// others must wait for theirs at times.
constexpr std::size_t most_waves_per_unit = 40;
/// Steps of arithmetic: up to some 20 microseconds.
constexpr std::size_t most_gpu_turns = 5'000;
constexpr std::size_t most_host_turns = 500;
constexpr std::size_t most_in_a_row = 6;
constexpr std::size_t longest_pause_us = 100;

std::pair<std::shared_ptr<const device::Module>, device::Kernel> load_kernel(
    const device::Platform& platform, device::Device& device, const std::string& text,
    const std::string& name) {
  runtime::KernelLoader loader(platform, device, text);
  const runtime::CompileUnit unit{name};
  auto result = std::move(loader.load({&unit, 1}).front());
  if (const auto* failure = std::get_if<device::CompileFailure>(&result)) {
    throw DeviceError(name + " does not compile: " + failure->log);
  }
  const auto& loaded = std::get<runtime::LoadedUnit>(result);
  return {loaded.module, loaded.kernels.front()};
}

}  // namespace

/// Launches of random kinds and sizes.
class Load::Kernels {
 public:
  Kernels(const device::Platform& platform, device::Device& device)
      : limits_(device.limits()),
        is_host_(platform.name() == "host"),
        memory_(device.allocate(is_host_ ? host_bytes : gpu_bytes)),
        words_(static_cast<std::int64_t>(memory_.bytes() / sizeof(std::uint32_t))) {
    device.fill(memory_.data(), std::byte{0}, memory_.bytes());
    pace_ = load_kernel(platform, device, kernels::pace_text(), kernels::pace_name(limits_));
    renew_ = load_kernel(platform, device, kernels::surroundings_text(),
                         kernels::surrounding_name(SurroundingKernel::renew, limits_));
  }

  [[nodiscard]] std::vector<device::Launch> next() {
    std::vector<device::Launch> launches;
    for (std::size_t left = 1 + random_.below(most_in_a_row); left > 0; --left) {
      launches.push_back(random_.below(2) == 0 ? arithmetic() : memory());
    }
    return launches;
  }
  /// How long to leave the device alone: often not at all.
  [[nodiscard]] std::chrono::microseconds pause() {
    const bool is_some = random_.below(3) == 0;
    return std::chrono::microseconds(is_some ? random_.below(longest_pause_us) : 0);
  }

 private:
  [[nodiscard]] std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(random_.below(static_cast<std::size_t>(bound)));
  }
  [[nodiscard]] device::Launch arithmetic() {
    const std::size_t units = static_cast<std::size_t>(limits_.compute_units);
    device::Launch launch{
        .kernel = pace_.second,
        .grid = static_cast<std::int64_t>(1 + random_.below(most_waves_per_unit * units)),
        .block = limits_.min_block_size};
    launch.arguments.append(memory_.data());
    launch.arguments.append(
        static_cast<std::int32_t>(1 + random_.below(is_host_ ? most_host_turns : most_gpu_turns)));
    return launch;
  }
  /// Of a part of the memory, from some 64 KiB up to all; it stays as it is.
  [[nodiscard]] device::Launch memory() {
    const std::int64_t some = 1 + (words_ >> random_.below(12));
    const std::int64_t first = below(words_ - some + 2);
    const std::int64_t count = std::min(some, words_ - first);
    device::Launch launch{
        .kernel = renew_.second,
        .grid = kernels::surrounding_grid(SurroundingKernel::renew, count, limits_),
        .block = kernels::surrounding_block(SurroundingKernel::renew, limits_)};
    launch.arguments.append(
        static_cast<void*>(static_cast<std::uint32_t*>(memory_.data()) + first));
    launch.arguments.append(count);
    launch.arguments.append(std::int32_t{0});
    return launch;
  }

  Limits limits_;
  bool is_host_;
  device::Buffer memory_;
  std::int64_t words_;
  std::pair<std::shared_ptr<const device::Module>, device::Kernel> pace_;
  std::pair<std::shared_ptr<const device::Module>, device::Kernel> renew_;
  search::Rng random_{1};
};

Load::Load(const device::Selection& selection)
    : device_(device::open(selection)),
      kernels_(std::make_unique<Kernels>(*selection.platform, *device_)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

Load::~Load() {
  thread_.request_stop();
  thread_.join();
}

void Load::run(const std::stop_token& stop) {
  try {
    while (!stop.stop_requested()) {
      const auto launches = kernels_->next();
      device_->launch(launches, {});
      device_->synchronize({});
      launches_ += static_cast<std::int64_t>(launches.size());
      std::this_thread::sleep_for(kernels_->pause());
    }
  } catch (...) {
    failure_ = std::current_exception();
    has_failed_ = true;
  }
}

void Load::require_running() const {
  if (has_failed_) std::rethrow_exception(failure_);
}

}  // namespace redtune::bench
