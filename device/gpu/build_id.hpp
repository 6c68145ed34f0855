// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The linker's fingerprint of a loaded library: tells builds apart that call themselves the same.
#pragma once

#include <string>

namespace redtune::device::gpu {

/// The first 12 hexadecimal digits of the GNU build id of the library that holds the address; empty
/// when it was linked without one.
[[nodiscard]] std::string build_id_of(const void* address);

}  // namespace redtune::device::gpu
