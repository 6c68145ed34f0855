// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a session must know before it begins: how fast the default is once the device is warm, how
// fine its clock is, and by how much the same thing differs from itself.
#pragma once

#include "tuner/measure/terms.hpp"

namespace redtune::tuner {

/// About a fifth of a second, at most 5 s unless a single execution takes long. Throws
/// UntrustworthySession, ImplausibleSample.
[[nodiscard]] Calibration calibrate(Sampler& sampler, const MeasureTask& task,
                                    CandidateId default_candidate);

}  // namespace redtune::tuner
