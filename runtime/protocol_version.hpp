// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// By which rules results are measured (docs/explanation/measurement.md).
#pragma once

namespace redtune {

/// Raised by one whenever results of different rules cannot be compared. It is part of a question:
/// what was measured by other rules is answered as `drift`. 1 timed rows of one reduction, 2 times
/// what it takes between other kernels.
inline constexpr int protocol_version = 2;

}  // namespace redtune
