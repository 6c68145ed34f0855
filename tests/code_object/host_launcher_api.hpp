// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The launcher's calls, answered by the host device: its binaries can be launched as those of a GPU
// are.
#pragma once

#include "tests/code_object/launcher_api.hpp"

namespace redtune::code_object {

[[nodiscard]] LauncherApi host_launcher_api();

/// Allocations and modules that were not given back.
[[nodiscard]] int still_held();

}  // namespace redtune::code_object
