// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/launch_overhead/bare_driver.hpp"

#include "bench/launch_overhead/bare_api.hpp"
#include "bench/null_api.hpp"

namespace redtune::bench {

std::unique_ptr<BareDriver> bare_driver(std::string_view platform, const Limits& limits) {
  if (platform == "null") return std::make_unique<BareApi<NullApi>>(limits);
#if defined(REDTUNE_BENCH_CUDA)
  if (platform == "cuda") return bare_cuda(limits);
#endif
#if defined(REDTUNE_BENCH_HIP)
  if (platform == "hip") return bare_hip(limits);
#endif
  return nullptr;
}

}  // namespace redtune::bench
