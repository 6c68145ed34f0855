// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/launch_overhead/bare_api.hpp"
#include "device/cuda/cuda_api.hpp"

namespace redtune::bench {

std::unique_ptr<BareDriver> bare_cuda(const Limits& limits) {
  int count = 0;  // counting starts the driver
  device::gpu::check<device::cuda::CudaApi>(device::cuda::CudaApi::device_count(&count), "count");
  return std::make_unique<BareApi<device::cuda::CudaApi>>(limits);
}

}  // namespace redtune::bench
