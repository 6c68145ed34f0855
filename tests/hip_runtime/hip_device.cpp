// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a device says of itself.
#include <cstring>
#include <fstream>

#include "call.hpp"
#include "faults.hpp"
#include "runtime.hpp"

using namespace redtune::testing::hip;

namespace {

RunningDevice* device_of(int ordinal) {
  const auto& devices = runtime().devices;
  const bool is_there = ordinal >= 0 && static_cast<std::size_t>(ordinal) < devices.size();
  return is_there ? devices[static_cast<std::size_t>(ordinal)].get() : nullptr;
}

template <std::size_t n>
void copy_text(char (&to)[n], std::string_view from) {
  const std::size_t length = std::min(from.size(), n - 1);
  std::memcpy(to, from.data(), length);
  to[length] = '\0';
}

hipDeviceProp_t properties_of(const RunningDevice& device) {
  const FictionalDevice& facts = device.facts();
  hipDeviceProp_t properties{};
  copy_text(properties.name, facts.name);
  copy_text(properties.gcnArchName, facts.isa);
  properties.totalGlobalMem = device.memory_bytes();
  properties.sharedMemPerBlock = shared_bytes_of_block;
  properties.regsPerBlock = 64 << 10;
  properties.warpSize = facts.wave_size;
  properties.maxThreadsPerBlock = 1024;
  properties.maxThreadsDim[0] = 1024;
  properties.maxGridSize[0] = 0x7fffffff;
  properties.clockRate = 1'700'000;
  properties.memoryClockRate = 1'600'000;
  properties.memoryBusWidth = 4096;
  properties.multiProcessorCount = faults().units.value_or(facts.compute_units);
  properties.l2CacheSize = facts.l2_mib << 20;
  properties.pciBusID = std::stoi(std::string(facts.address.substr(5, 2)), nullptr, 16);
  return properties;
}

/// What this machine can give now.
std::size_t available_bytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string key; file >> key;) {
    std::size_t kilobytes = 0;
    file >> kilobytes;
    if (key == "MemAvailable:") return kilobytes * 1024;
    file.ignore(64, '\n');
  }
  return 0;
}

}  // namespace

extern "C" {

hipError_t hipRuntimeGetVersion(int* version) {
  return call<hipError_t>("hipRuntimeGetVersion", [&](Note&) {
    *version = HIP_VERSION;
    return hipSuccess;
  });
}

hipError_t hipDriverGetVersion(int* version) {
  return call<hipError_t>("hipDriverGetVersion", [&](Note&) {
    *version = HIP_VERSION;
    return hipSuccess;
  });
}

hipError_t hipGetDeviceCount(int* count) {
  return call<hipError_t>("hipGetDeviceCount", [&](Note& note) {
    *count = static_cast<int>(runtime().devices.size());
    note.text = fmt::format("{}", *count);
    return *count == 0 ? hipErrorNoDevice : hipSuccess;
  });
}

hipError_t hipGetDeviceProperties(hipDeviceProp_t* properties, int ordinal) {
  return call<hipError_t>("hipGetDeviceProperties", [&](Note&) {
    const RunningDevice* device = device_of(ordinal);
    if (properties == nullptr || device == nullptr) return hipErrorInvalidDevice;
    *properties = properties_of(*device);
    return hipSuccess;
  });
}

hipError_t hipDeviceGetPCIBusId(char* text, int bytes, int ordinal) {
  return call<hipError_t>("hipDeviceGetPCIBusId", [&](Note&) {
    const RunningDevice* device = device_of(ordinal);
    if (device == nullptr) return hipErrorInvalidDevice;
    const std::string_view address = device->facts().address;
    if (text == nullptr || bytes <= static_cast<int>(address.size())) return hipErrorInvalidValue;
    for (const char c : address) *text++ = static_cast<char>(std::toupper(c));
    *text = '\0';
    return hipSuccess;
  });
}

hipError_t hipGetDevice(int* ordinal) {
  return call<hipError_t>("hipGetDevice", [&](Note&) {
    *ordinal = current_device();
    return runtime().devices.empty() ? hipErrorNoDevice : hipSuccess;
  });
}

hipError_t hipSetDevice(int ordinal) {
  return call<hipError_t>("hipSetDevice", [&](Note&) {
    if (device_of(ordinal) == nullptr) return hipErrorInvalidDevice;
    current_device() = ordinal;
    return hipSuccess;
  });
}

hipError_t hipMemGetInfo(std::size_t* free, std::size_t* total) {
  return call<hipError_t>("hipMemGetInfo", [&](Note& note) {
    const RunningDevice* device = device_of(current_device());
    if (device == nullptr) return hipErrorNoDevice;
    *total = device->memory_bytes();
    *free = *total;
    const std::lock_guard lock(runtime().memory_mutex);
    for (const auto& [address, allocation] : runtime().memory) {
      if (allocation.device == current_device()) *free -= std::min(*free, allocation.bytes);
    }
    *free = std::min(*free, available_bytes());
    note.text = fmt::format("free={}", *free);
    return hipSuccess;
  });
}

const char* hipGetErrorName(hipError_t error) {
  const ErrorRow* row = find_error(Library::hip, error);
  if (error == hipSuccess) return "hipSuccess";
  return row == nullptr ? "hipErrorUnknown" : row->name.data();
}

const char* hipGetErrorString(hipError_t error) {
  const ErrorRow* row = find_error(Library::hip, error);
  if (error == hipSuccess) return "no error";
  return row == nullptr ? "unknown error" : row->description;
}
}
