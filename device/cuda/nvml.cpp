// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/cuda/nvml.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <limits>

#include "device/cuda/shared_library.hpp"

namespace redtune::device::cuda {
namespace {

constexpr int success = 0;
constexpr int insufficient_size = 7;

// Of nvmlClockType_t and nvmlTemperatureSensors_t.
constexpr int multiprocessor_clock = 1;
constexpr int memory_clock = 2;
constexpr int gpu_sensor = 0;

/// Binds the first of the names that the library has.
template <class Function>
void bind_first(const SharedLibrary& library, Function& function,
                std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (library.bind(function, name)) return;
  }
}

/// What a function writes through its last argument, in units of which `scale` make one of ours;
/// nothing where there is no such function, it fails, or it says "not available" (all bits set).
template <class Function, class... Arguments>
std::optional<double> value_of(double scale, Function function, Arguments... arguments) {
  unsigned value = std::numeric_limits<unsigned>::max();
  if (function == nullptr || function(arguments..., &value) != success) return std::nullopt;
  if (value == std::numeric_limits<unsigned>::max()) return std::nullopt;
  return value / scale;
}

// A record begins with the number of the process. How long records are has changed twice without a
// change of the function's name: 16 bytes (nvmlProcessInfo_v1_t), 24 (v2) and, in the first drivers
// of the 535 series, 32. So the buffer is made for the longest and what was written is measured.
constexpr std::array<std::size_t, 3> record_sizes = {16, 24, 32};
constexpr std::byte untouched{0xa5};

std::size_t record_size(std::span<const std::byte> buffer, std::size_t count) {
  const auto last = std::find_if(buffer.rbegin(), buffer.rend(),
                                 [](std::byte value) { return value != untouched; });
  const auto written = static_cast<std::size_t>(buffer.rend() - last);
  for (const std::size_t size : record_sizes) {
    if (written <= size * count) return size;
  }
  return record_sizes.back();
}

std::vector<unsigned> pids_of(std::span<const std::byte> buffer, std::size_t count) {
  const std::size_t size = record_size(buffer, count);
  std::vector<unsigned> pids(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(&pids[i], buffer.data() + i * size, sizeof(unsigned));
  }
  return pids;
}

}  // namespace

Nvml::Nvml(std::span<const std::string> names) {
  const SharedLibrary library(names);
  Functions& f = functions_;
  bind_first(library, f.init, {"nvmlInit_v2"});
  bind_first(library, f.handle_by_address, {"nvmlDeviceGetHandleByPciBusId_v2"});
  bind_first(library, f.clock, {"nvmlDeviceGetClockInfo"});
  bind_first(library, f.temperature, {"nvmlDeviceGetTemperature"});
  bind_first(library, f.power, {"nvmlDeviceGetPowerUsage"});
  bind_first(library, f.power_cap, {"nvmlDeviceGetEnforcedPowerLimit"});
  bind_first(
      library, f.throttle_reasons,
      {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
  bind_first(library, f.processes,
             {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2",
              "nvmlDeviceGetComputeRunningProcesses"});
  bind_first(library, f.process_name, {"nvmlSystemGetProcessName"});
  is_started_ = f.init != nullptr && f.handle_by_address != nullptr && f.init() == success;
}

Nvml::Handle Nvml::handle_of(const std::string& address) const {
  Handle handle = nullptr;
  if (!is_started_) return nullptr;
  return functions_.handle_by_address(address.c_str(), &handle) == success ? handle : nullptr;
}

Readings Nvml::readings(const std::string& address) const {
  const Handle handle = handle_of(address);
  if (handle == nullptr) return {};
  Readings readings;
  readings.clock_mhz = value_of(1, functions_.clock, handle, multiprocessor_clock);
  readings.memory_clock_mhz = value_of(1, functions_.clock, handle, memory_clock);
  readings.temperature_c = value_of(1, functions_.temperature, handle, gpu_sensor);
  readings.power_w = value_of(1e3, functions_.power, handle);
  readings.power_cap_w = value_of(1e3, functions_.power_cap, handle);
  unsigned long long bits = 0;
  if (functions_.throttle_reasons != nullptr &&
      functions_.throttle_reasons(handle, &bits) == success) {
    readings.throttled_by = throttle_words(bits);
  }
  return readings;
}

std::string Nvml::name_of(unsigned pid) const {
  std::array<char, 1024> text{};
  if (functions_.process_name == nullptr ||
      functions_.process_name(pid, text.data(), text.size() - 1) != success) {
    return {};
  }
  return text.data();
}

std::optional<std::vector<DeviceUser>> Nvml::users(const std::string& address) const {
  const Handle handle = handle_of(address);
  if (handle == nullptr || functions_.processes == nullptr) return std::nullopt;
  // More may come while it is asked: a few turns, with room to spare.
  std::size_t room = 64;
  for (int turn = 0; turn < 4; ++turn) {
    std::vector<std::byte> buffer(room * record_sizes.back(), untouched);
    auto count = static_cast<unsigned>(room);
    const Status status = functions_.processes(handle, &count, buffer.data());
    if (status == insufficient_size && count < 1'000'000) {
      room = std::max<std::size_t>(count, room) + 64;
      continue;
    }
    if (status != success || count > room) return std::nullopt;
    std::vector<DeviceUser> users;
    for (const unsigned pid : pids_of(buffer, count)) users.push_back({pid, name_of(pid)});
    return users;
  }
  return std::nullopt;
}

const Nvml& nvml() {
  static const std::array<std::string, 2> names = {"libnvidia-ml.so.1", "libnvidia-ml.so"};
  static const Nvml library(names);
  return library;
}

std::string throttle_words(unsigned long long bits) {
  // nvmlClocksEventReason*, by what a person can do something about. Bit 8, "hardware slowdown",
  // comes with 0x40 or 0x80, which say more.
  constexpr struct {
    unsigned long long bits;
    const char* word;
  } reasons[] = {{0x4, "power cap"},          {0x60, "temperature"}, {0x80, "power brake"},
                 {0x2, "application clocks"}, {0x10, "sync boost"},  {0x100, "display clocks"}};
  if ((bits & 0xc0) != 0) bits &= ~0x8ULL;
  std::string words;
  const auto add = [&words](const char* word) {
    words += (words.empty() ? "" : ", ") + std::string(word);
  };
  for (const auto& reason : reasons) {
    if ((bits & reason.bits) != 0) add(reason.word);
  }
  if ((bits & 0x8) != 0) add("hardware slowdown");
  return words;
}

}  // namespace redtune::device::cuda
