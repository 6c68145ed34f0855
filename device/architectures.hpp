// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What this build knows of architectures by itself: limits of devices that need not be here.
#pragma once

#include <optional>
#include <string_view>

#include "redtune/limits.hpp"

namespace redtune::device {

/// Limits of any device of a platform's architecture; nothing where either is not known. Opens no
/// module, no driver and no file, and takes no memory.
[[nodiscard]] std::optional<Limits> architecture_limits(std::string_view platform,
                                                        std::string_view arch);

}  // namespace redtune::device
