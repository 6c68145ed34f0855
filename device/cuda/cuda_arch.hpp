// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// NVIDIA architectures by name, e.g. "sm_90": their limits, which every build holds, so that
// looking up a result for such a device opens nothing of the vendor's. Which can be compiled for is
// NVRTC's to say.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "redtune/limits.hpp"

namespace redtune::device::cuda {

/// "sm_90" of compute capability 9.0.
[[nodiscard]] std::string arch_name(int major, int minor);

/// 90 of "sm_90". Throws UsageError for what is written in another way.
[[nodiscard]] int arch_number(std::string_view arch);

/// Before it memory is not ordered by acquire and release, and words of small integers are not
/// added by one instruction: the kernels use both.
inline constexpr int first_arch = 70;

/// Lanes of a wave (a warp), on every architecture.
inline constexpr int warp_size = 32;

/// What a block has of shared memory where its kernel does not ask for more.
inline constexpr int usual_shared_bytes = 48 * 1024;

/// Limits of any device of the architecture; nothing for what is not named like one.
[[nodiscard]] std::optional<Limits> architecture_limits(std::string_view arch);

/// Likewise. Throws UsageError like arch_number.
[[nodiscard]] Limits limits_of(std::string_view arch);

}  // namespace redtune::device::cuda
