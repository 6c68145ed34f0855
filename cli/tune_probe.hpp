// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a device can do at best, measured before it is tuned.
#pragma once

#include "cli/names.hpp"
#include "cli/tune_job.hpp"
#include "tuner/session/device_site.hpp"
#include "tuner/session/journal.hpp"

namespace redtune::cli {

/// How fast the device can read, into the journal too; nothing for an input of less than 1 MiB, and
/// with a warning where it cannot be told: such a device can still be tuned. Throws DeviceUnhealthy
/// for one that cannot even be read.
[[nodiscard]] Probe probe_for(const Job& job, DeviceSite& site, Journal& journal);

}  // namespace redtune::cli
