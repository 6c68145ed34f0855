// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The few things of a GPU's runtime that a comparison owns, and the one way it reports errors.
#pragma once

#include <cstddef>
#include <source_location>
#include <string_view>
#include <utility>

#include "bench/compare/gpu_names.cuh"

namespace redtune::compare {

/// Throws OutOfMemory or DeviceError unless the call succeeded. doing completes "cannot ...".
void check(gpuError_t status, std::string_view doing,
           std::source_location where = std::source_location::current());

/// Owner of a handle. Nobody is told when giving back fails: the device is lost then.
template <class Handle, gpuError_t (*give_back)(Handle)>
class Owned {
 public:
  explicit Owned(Handle handle) : handle_(handle) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, Handle{})) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Owned() {
    if (handle_ != Handle{}) (void)give_back(handle_);
  }

  [[nodiscard]] Handle get() const { return handle_; }

 private:
  Handle handle_;
};

using Stream = Owned<gpuStream_t, gpuStreamDestroy>;
using Event = Owned<gpuEvent_t, gpuEventDestroy>;
using Graph = Owned<gpuGraph_t, gpuGraphDestroy>;
using Executable = Owned<gpuGraphExec_t, gpuGraphExecDestroy>;
using Memory = Owned<void*, gpuFree>;

[[nodiscard]] Stream make_stream();
[[nodiscard]] Event make_event();
[[nodiscard]] Memory allocate(std::size_t bytes);
[[nodiscard]] std::size_t free_memory();

}  // namespace redtune::compare
