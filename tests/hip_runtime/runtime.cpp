// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime.hpp"

#include <cstdlib>
#include <fmt/format.h>

#include "call.hpp"
#include "faults.hpp"
#include "redtune/error.hpp"

namespace redtune::testing::hip {
namespace {

/// A name that is no device's is a mistake of the test.
std::vector<std::unique_ptr<RunningDevice>> chosen_devices() {
  std::vector<std::unique_ptr<RunningDevice>> chosen;
  const char* named = std::getenv("REDTUNE_TEST_HIP");
  std::string_view rest = named == nullptr ? "" : named;
  while (!rest.empty()) {
    const auto end = std::min(rest.find(','), rest.size());
    const FictionalDevice* device = find_device(rest.substr(0, end));
    if (device == nullptr) {
      fmt::print(stderr, "REDTUNE_TEST_HIP: there is no '{}'; there are:", rest.substr(0, end));
      for (const FictionalDevice& known : fictional_devices) fmt::print(stderr, " {}", known.key);
      fmt::print(stderr, "\n");
      std::abort();
    }
    chosen.push_back(std::make_unique<RunningDevice>(*device));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return chosen;
}

Stream& default_stream(int device) {
  auto& stream = runtime().default_streams[static_cast<std::size_t>(device)];
  if (!stream) stream = std::make_unique<Stream>(device);
  return *stream;
}

}  // namespace

std::size_t RunningDevice::memory_bytes() const {
  return faults().memory.value_or(static_cast<std::size_t>(facts_.memory_gib) << 30);
}

device::host::HostDevice& RunningDevice::machine() {
  if (!machine_) {
    device::host::HostOptions options;
    options.wave_size = facts_.wave_size;
    machine_ = std::make_unique<device::host::HostDevice>(options, "");
  }
  return *machine_;
}

std::unique_ptr<device::Module> RunningDevice::load(std::span<const std::byte> object) {
  const std::lock_guard lock(mutex_);
  return machine().load(object);
}

void RunningDevice::run(const device::Launch& launch) {
  const std::lock_guard lock(mutex_);
  try {
    machine().launch({&launch, 1}, {});
  } catch (const Error& error) {
    fmt::print(stderr, "{}: {}\n", facts_.name, error.what());
    set_sticky(hipErrorLaunchFailure);
  }
}

Runtime& runtime() {
  static Runtime& all = *[] {
    auto* made = new Runtime;
    made->devices = chosen_devices();
    made->default_streams.resize(made->devices.size());
    return made;
  }();
  return all;
}

int& current_device() {
  static thread_local int device = 0;
  return device;
}

Stream* find_stream(hipStream_t handle, std::shared_ptr<Stream>& keep) {
  if (runtime().devices.empty()) return nullptr;
  if (handle == nullptr) return &default_stream(current_device());
  keep = runtime().streams.find(handle);
  return keep.get();
}

hipError_t queue_on(hipStream_t handle, Work work) {
  const std::lock_guard lock(runtime().order_mutex);
  std::shared_ptr<Stream> keep;
  Stream* const stream = find_stream(handle, keep);
  if (stream == nullptr) return hipErrorInvalidHandle;
  if (stream->capture) {
    stream->capture->works.push_back(std::move(work));
    return hipSuccess;
  }
  std::vector<Done> before;
  if (handle == nullptr) {
    for (const auto& other : runtime().streams.all()) {
      if (other->device() == stream->device()) before.push_back(other->last());
    }
  } else if (runtime().default_streams[static_cast<std::size_t>(stream->device())]) {
    before.push_back(default_stream(stream->device()).last());
  }
  stream->queue(std::move(work), std::move(before));
  return hipSuccess;
}

void finish(int device) {
  std::vector<Done> last;
  {
    const std::lock_guard lock(runtime().order_mutex);
    for (const auto& stream : runtime().streams.all()) {
      if (stream->device() == device) last.push_back(stream->last());
    }
    const auto& legacy = runtime().default_streams[static_cast<std::size_t>(device)];
    if (legacy) last.push_back(legacy->last());
  }
  for (const Done& done : last) done.wait();
}

hipError_t refuse_while_capturing() {
  for (const auto& stream : runtime().streams.all()) {
    if (!stream->capture || stream->capture->thread != std::this_thread::get_id()) continue;
    stream->capture->broken = true;
    return hipErrorStreamCaptureUnsupported;
  }
  return hipSuccess;
}

}  // namespace redtune::testing::hip
