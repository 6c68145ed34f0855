// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The platform that is always there: this machine's processor.
#pragma once

#include <memory>

#include "device/host/host_identity.hpp"
#include "device/platform.hpp"

namespace redtune::device::host {

[[nodiscard]] std::unique_ptr<Platform> make_host_platform();

/// A host device for tests and embedders, with any lane order.
[[nodiscard]] std::unique_ptr<Device> make_host_device(const HostOptions& options);

/// Words joined by commas: wave1, wave32, wave64; forward, reverse, random, random=SEED. Throws
/// UsageError.
[[nodiscard]] HostOptions parse_host_variant(std::string_view variant);

}  // namespace redtune::device::host
