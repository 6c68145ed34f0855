// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Times all configs of a problem by the tuner's scores and in a program, in rounds.
#pragma once

#include "bench/in_context/contestants.hpp"
#include "bench/in_context/findings.hpp"

namespace redtune::bench {

/// Throws DeviceError, OutOfMemory, UntrustworthySession.
[[nodiscard]] ProblemFindings measure(const Ground& ground, const Options& options);

}  // namespace redtune::bench
