// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <string>

#include "bench/compare/gpu.cuh"
#include "redtune/error.hpp"

namespace redtune::compare {

void check(gpuError_t status, std::string_view doing, std::source_location where) {
  if (status == gpuSuccess) return;
  const std::string_view path = where.file_name();
  const std::string text = "cannot " + std::string(doing) + ": " + gpuGetErrorName(status) + " (" +
                           gpuGetErrorString(status) + ") [" +
                           std::string(path.substr(path.rfind('/') + 1)) + ":" +
                           std::to_string(where.line()) + "]";
  if (status == gpuErrorMemoryAllocation) throw OutOfMemory(text);
  throw DeviceError(text);
}

Stream make_stream() {
  gpuStream_t stream = nullptr;
  check(gpuStreamCreateWithFlags(&stream, gpuStreamNonBlocking), "create the measuring stream");
  return Stream(stream);
}

Event make_event() {
  gpuEvent_t event = nullptr;
  check(gpuEventCreate(&event), "create a timing event");
  return Event(event);
}

Memory allocate(std::size_t bytes) {
  void* data = nullptr;
  check(gpuMalloc(&data, bytes), "allocate " + std::to_string(bytes) + " bytes on the device");
  return Memory(data);
}

std::size_t free_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  check(gpuMemGetInfo(&free, &total), "ask how much device memory is free");
  return free;
}

}  // namespace redtune::compare
