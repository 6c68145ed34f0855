// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Memory whose end meets a page nobody may touch: an access out of bounds is a crash, not luck.
#pragma once

#include <cstddef>

namespace redtune::device::host {

/// Alignment of the first byte. A size that is no multiple of it leaves a gap before the guard
/// page.
inline constexpr std::size_t memory_alignment = 256;

/// Throws OutOfMemory. The memory ends at most memory_alignment - 1 bytes before a guard page and
/// has another guard page below it.
[[nodiscard]] void* allocate_guarded(std::size_t bytes);
void release_guarded(void* data, std::size_t bytes) noexcept;

}  // namespace redtune::device::host
