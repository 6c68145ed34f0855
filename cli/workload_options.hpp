// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a command line wants tuned; see docs/reference/workloads.md.
#pragma once

#include <optional>
#include <string>

#include "cli/command.hpp"
#include "cli/names.hpp"
#include "redtune/device_identity.hpp"
#include "tuner/workload/workload.hpp"

namespace redtune::cli {

/// The problems that --op, --op-source, --type, and --count, --shape or --row-lengths name, or the
/// file of --workload; nothing where none of them is given. Throws UsageError, also for options
/// that say the same twice.
[[nodiscard]] std::optional<Workload> named_workload(const Options& options);

/// Of what is named, else the standard set: what is tuned on a device, in order. A --budget holds
/// for every problem.
[[nodiscard]] Workload workload_on(const DeviceClass& device_class, const Options& options,
                                   const std::optional<Workload>& named);

/// --budget, or what it is where it is not given: of problems that have none of their own.
[[nodiscard]] std::string budget_of(const Options& options);

}  // namespace redtune::cli
