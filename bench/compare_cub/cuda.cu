// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <string>

#include "bench/compare_cub/cuda.cuh"
#include "redtune/error.hpp"

namespace redtune::compare {

void check(cudaError_t status, std::string_view doing, std::source_location where) {
  if (status == cudaSuccess) return;
  const std::string_view path = where.file_name();
  const std::string text = "cannot " + std::string(doing) + ": " + cudaGetErrorName(status) + " (" +
                           cudaGetErrorString(status) + ") [" +
                           std::string(path.substr(path.rfind('/') + 1)) + ":" +
                           std::to_string(where.line()) + "]";
  if (status == cudaErrorMemoryAllocation) throw OutOfMemory(text);
  throw DeviceError(text);
}

Stream make_stream() {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "create the measuring stream");
  return Stream(stream);
}

Event make_event() {
  cudaEvent_t event = nullptr;
  check(cudaEventCreate(&event), "create a timing event");
  return Event(event);
}

Memory allocate(std::size_t bytes) {
  void* data = nullptr;
  check(cudaMalloc(&data, bytes), "allocate " + std::to_string(bytes) + " bytes on the device");
  return Memory(data);
}

std::size_t free_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "ask how much device memory is free");
  return free;
}

void Output::poison(cudaStream_t stream) const {
  check(cudaMemsetAsync(memory_.get(), 0xff, sizeof(Bytes), stream), "poison the result");
}

Bytes Output::read(cudaStream_t stream) const {
  Bytes value{};
  check(cudaMemcpyAsync(value.data(), memory_.get(), sizeof value, cudaMemcpyDefault, stream),
        "copy a result to the host");
  check(cudaStreamSynchronize(stream), "finish what was queued");
  return value;
}

}  // namespace redtune::compare
