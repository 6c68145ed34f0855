// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <algorithm>
#include <string>

#include "bench/compare/measure.cuh"
#include "redtune/error.hpp"

namespace redtune::compare {
namespace {

void require_device() {
  int devices = 0;
  const gpuError_t status = gpuGetDeviceCount(&devices);
  if (status == gpuSuccess && devices > 0) return;
  throw NoSuchDevice("no " + std::string(contest().platform) +
                     " device: " + gpuGetErrorString(status) + "; this needs a GPU and its driver");
}

}  // namespace

Machine open_machine() {
  require_device();
  check(gpuSetDevice(0), "use device 0");
  gpuDeviceProp properties{};
  check(gpuGetDeviceProperties(&properties, 0), "ask what device 0 is");
  int driver = 0;
  int runtime = 0;
  check(gpuDriverGetVersion(&driver), "ask for the driver's version");
  check(gpuRuntimeGetVersion(&runtime), "ask for the runtime's version");
  const DeviceIdentity device = identify_device(contest().device);
  return {.device = properties.name,
          .driver = version_text(driver),
          .runtime = version_text(runtime),
          .library = library_version(),
          .compiler = compiler_version(),
          .redtune = device.toolchain.compiler + " and driver " + device.toolchain.driver,
          .compute_units = properties.multiProcessorCount,
          // What is to be colder than: behind an L2 there may be a larger cache.
          .cache_bytes = std::max<std::int64_t>(device.device_class.last_level_cache_bytes,
                                                properties.l2CacheSize),
          .memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem)};
}

void require_matches(const std::vector<Problem>& problems, const Options& options) {
  const DeviceIdentity device = identify_device(contest().device);
  for (const Problem& problem : problems) (void)find_best(problem, device, options.lookup);
}

}  // namespace redtune::compare
