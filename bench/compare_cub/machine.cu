// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <cub/version.cuh>
#include <string>

#include "bench/compare_cub/measure.cuh"
#include "redtune/error.hpp"

namespace redtune::compare {
namespace {

/// 13000 is 13.0.
std::string cuda_version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

std::string cub_version() {
  return std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
         std::to_string(CUB_SUBMINOR_VERSION);
}

std::string compiler_version() {
  return "nvcc " + std::to_string(__CUDACC_VER_MAJOR__) + "." +
         std::to_string(__CUDACC_VER_MINOR__) + "." + std::to_string(__CUDACC_VER_BUILD__);
}

void require_device() {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status == cudaSuccess && devices > 0) return;
  throw NoSuchDevice("no CUDA device: " + std::string(cudaGetErrorString(status)) +
                     "; this needs an NVIDIA GPU and its driver");
}

}  // namespace

Machine open_machine() {
  require_device();
  check(cudaSetDevice(0), "use device 0");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "ask what device 0 is");
  int driver = 0;
  int runtime = 0;
  check(cudaDriverGetVersion(&driver), "ask for the driver's version");
  check(cudaRuntimeGetVersion(&runtime), "ask for the runtime's version");
  const Toolchain toolchain = identify_device(device_name).toolchain;
  return {.device = properties.name,
          .driver = cuda_version(driver),
          .runtime = cuda_version(runtime),
          .cub = cub_version(),
          .compiler = compiler_version(),
          .redtune = toolchain.compiler + " and driver " + toolchain.driver,
          .compute_units = properties.multiProcessorCount,
          .cache_bytes = properties.l2CacheSize,
          .memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem)};
}

void require_matches(const std::vector<Problem>& problems, const Options& options) {
  const DeviceIdentity device = identify_device(device_name);
  for (const Problem& problem : problems) (void)find_best(problem, device, options.lookup);
}

}  // namespace redtune::compare
