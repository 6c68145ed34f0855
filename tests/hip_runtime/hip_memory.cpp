// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Device memory: between guard pages, and never what was in it before.
#include <cstring>

#include "call.hpp"
#include "device/host/guarded_memory.hpp"
#include "redtune/error.hpp"
#include "runtime.hpp"

using namespace redtune::testing::hip;
namespace host = redtune::device::host;

namespace {

constexpr int rubbish = 0xa5;
constexpr std::size_t rubbish_bytes = std::size_t{1} << 20;  // at both ends: all of it takes long

/// Of the current device. With the memory's mutex held.
std::size_t bytes_in_use() {
  std::size_t bytes = 0;
  for (const auto& [address, allocation] : runtime().memory) {
    if (allocation.device == current_device()) bytes += allocation.bytes;
  }
  return bytes;
}

/// Whether all of it lies in one allocation.
bool is_device_memory(const void* data, std::size_t bytes) {
  const auto* begin = static_cast<const std::byte*>(data);
  const std::lock_guard lock(runtime().memory_mutex);
  auto after = runtime().memory.upper_bound(const_cast<std::byte*>(begin));
  if (after == runtime().memory.begin()) return false;
  const auto& [address, allocation] = *std::prev(after);
  const auto offset = static_cast<std::size_t>(begin - address);
  return offset <= allocation.bytes && bytes <= allocation.bytes - offset;
}

int allocate(void** data, std::size_t bytes, Note& note) {
  if (const hipError_t refused = refuse_while_capturing(); refused != hipSuccess) return refused;
  if (data == nullptr) return hipErrorInvalidValue;
  *data = nullptr;
  if (bytes == 0) return hipSuccess;
  const std::lock_guard lock(runtime().memory_mutex);
  const std::size_t most =
      runtime().devices[static_cast<std::size_t>(current_device())]->memory_bytes();
  if (bytes > most - std::min(most, bytes_in_use())) return hipErrorOutOfMemory;
  try {
    *data = host::allocate_guarded(bytes);
  } catch (const redtune::OutOfMemory&) {
    return hipErrorOutOfMemory;
  }
  auto* begin = static_cast<std::byte*>(*data);
  const std::size_t part = std::min(bytes, rubbish_bytes);
  std::memset(begin, rubbish, part);
  std::memset(begin + bytes - part, rubbish, part);
  runtime().memory[begin] = {bytes, current_device()};
  note.made = *data;
  return hipSuccess;
}

}  // namespace

extern "C" {

hipError_t hipMalloc(void** data, std::size_t bytes) {
  return call<hipError_t>("hipMalloc", [&](Note& note) -> int {
    note.text = fmt::format("bytes={}", bytes);
    return runtime().devices.empty() ? hipErrorNoDevice : allocate(data, bytes, note);
  });
}

hipError_t hipFree(void* data) {
  return call<hipError_t>("hipFree", [&](Note& note) -> int {
    if (data == nullptr) return hipSuccess;
    if (const hipError_t refused = refuse_while_capturing(); refused != hipSuccess) return refused;
    std::unique_lock lock(runtime().memory_mutex);
    const auto found = runtime().memory.find(static_cast<std::byte*>(data));
    if (found == runtime().memory.end() || found->second.is_variable) return hipErrorInvalidValue;
    const Allocation allocation = found->second;
    runtime().memory.erase(found);
    lock.unlock();
    finish(allocation.device);  // as HIP does
    host::release_guarded(data, allocation.bytes);
    note.given_back = data;
    return hipSuccess;
  });
}

hipError_t hipMemcpyAsync(void* to, const void* from, std::size_t bytes, hipMemcpyKind kind,
                          hipStream_t stream) {
  return call<hipError_t>("hipMemcpyAsync", [&](Note& note) -> int {
    const bool is_within = kind == hipMemcpyDeviceToDevice;
    note.text = fmt::format("{} bytes={} stream={}",
                            is_within                       ? "within the device"
                            : kind == hipMemcpyHostToDevice ? "to device"
                                                            : "to host",
                            bytes, fmt::ptr(stream));
    if (!is_within && kind != hipMemcpyHostToDevice && kind != hipMemcpyDeviceToHost) {
      return hipErrorInvalidMemcpyDirection;
    }
    const bool reads_device = kind != hipMemcpyHostToDevice;
    const bool writes_device = kind != hipMemcpyDeviceToHost;
    if (to == nullptr || from == nullptr || (reads_device && !is_device_memory(from, bytes)) ||
        (writes_device && !is_device_memory(to, bytes))) {
      return hipErrorInvalidValue;
    }
    return queue_on(stream, [to, from, bytes] { std::memcpy(to, from, bytes); });
  });
}

hipError_t hipMemsetAsync(void* to, int value, std::size_t bytes, hipStream_t stream) {
  return call<hipError_t>("hipMemsetAsync", [&](Note& note) -> int {
    note.text = fmt::format("bytes={} stream={}", bytes, fmt::ptr(stream));
    if (!is_device_memory(to, bytes)) return hipErrorInvalidValue;
    return queue_on(stream, [to, value, bytes] { std::memset(to, value, bytes); });
  });
}
}
