// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The one symbol of libredtune_cuda.so.
#include "device/cuda/cuda_vendor.hpp"
#include "device/platform.hpp"

namespace {

std::unique_ptr<redtune::device::Platform> open_cuda() {
  return std::make_unique<redtune::device::cuda::CudaPlatform>();
}

}  // namespace

extern "C" {
extern const redtune::device::ModuleEntry redtune_device_module
    __attribute__((visibility("default")));
const redtune::device::ModuleEntry redtune_device_module{redtune::device::module_abi, &open_cuda};
}
