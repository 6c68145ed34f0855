// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Findings and verdicts as text for people, and all of them as JSON.
#pragma once

#include <string>
#include <vector>

#include "bench/in_context/findings.hpp"
#include "bench/in_context/verdict.hpp"
#include "redtune/device_identity.hpp"

namespace redtune::bench {

[[nodiscard]] std::string text_of(const ProblemFindings& findings, const ProblemVerdict& verdict);

/// Of so many counts together.
[[nodiscard]] std::string text_of(const std::vector<PatternSummary>& summaries, std::size_t counts);

/// findings[i] belongs to verdicts[i].
[[nodiscard]] std::string json_of(const DeviceIdentity& device,
                                  const std::vector<ProblemFindings>& findings,
                                  const std::vector<ProblemVerdict>& verdicts);

}  // namespace redtune::bench
