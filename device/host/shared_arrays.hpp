// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Dynamic shared memory in a kernel's text. C++ knows no such arrays, so their declarations become
// pointers to what the device has for the block.
#pragma once

#include <string>

namespace redtune::device::host {

/// A text in which "extern __shared__ float tile[];" in a kernel is
/// "float* const tile = ... redtune_host_shared();". Lines stay where they are.
[[nodiscard]] std::string with_shared_arrays(const std::string& text);

}  // namespace redtune::device::host
