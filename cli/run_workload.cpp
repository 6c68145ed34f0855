// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/run_workload.hpp"

#include <fmt/format.h>

#include "redtune/error.hpp"

namespace redtune::cli {

int run_workload(const Options&, Tuner&, const Workload& workload) {
  throw UsageError(
      fmt::format("more than one problem: {} has {}; name one by --op, --type and --count",
                  workload.name, workload.items.size()));
}

}  // namespace redtune::cli
