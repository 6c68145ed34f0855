// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/launch_overhead/bare_api.hpp"
#include "bench/null_api.hpp"

namespace redtune::bench {

std::unique_ptr<BareDriver> bare_null(const Limits& limits) {
  return std::make_unique<BareApi<NullApi>>(limits);
}

}  // namespace redtune::bench
