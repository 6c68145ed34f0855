// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What most commands ask: a problem on a device.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cli/command.hpp"
#include "device/registry.hpp"
#include "redtune/problem.hpp"

namespace redtune::cli {

/// What --op is where it is not given.
inline constexpr std::string_view default_op = "sum";

/// From --op or --op-source, --type, --acc, --out, --order and --cache-mode, as far as the command
/// has them; out_option: what it calls --out. Throws UsageError.
[[nodiscard]] Problem problem_of(const Options& options, std::int64_t count,
                                 std::string_view out_option = "out");
/// Likewise, with the count of --count.
[[nodiscard]] Problem problem_of(const Options& options);

struct OpenDevice {
  device::Selection selection;
  std::unique_ptr<device::Device> device;
};

/// From --device.
[[nodiscard]] OpenDevice open_device(const Options& options);

/// From --jobs; 0 means one for each processor.
[[nodiscard]] int jobs_of(const Options& options);

/// The command of a compile worker, and of one that owns a device: this program.
[[nodiscard]] std::vector<std::string> worker_command();
[[nodiscard]] std::vector<std::string> device_worker_command();

}  // namespace redtune::cli
