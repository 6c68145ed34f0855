// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/exit_code.hpp"

#include <algorithm>
#include <array>

#include "cache/store/sqlite_error.hpp"
#include "redtune/error.hpp"
#include "tuner/compile/interrupted.hpp"
#include "tuner/lease/lease.hpp"
#include "tuner/measure/untrustworthy.hpp"
#include "tuner/session/lost_workers.hpp"
#include "tuner/session/tune.hpp"

namespace redtune::cli {
namespace {

template <class E>
bool is_a(const std::exception& error) {
  return dynamic_cast<const E*>(&error) != nullptr;
}

struct CodeOfType {
  bool (*matches)(const std::exception& error);
  ExitCode code;
};

/// The first that matches counts: a type stands above its base.
constexpr std::array codes_of_types{
    CodeOfType{is_a<UsageError>, ExitCode::usage},
    CodeOfType{is_a<NoSuchDevice>, ExitCode::usage},
    CodeOfType{is_a<tuner::NothingValid>, ExitCode::nothing_valid},
    CodeOfType{is_a<UnmetMatch>, ExitCode::missed},
    CodeOfType{is_a<tuner::UntrustworthyMeasurement>, ExitCode::untrustworthy},
    CodeOfType{is_a<tuner::DeviceUnhealthy>, ExitCode::device_unhealthy},
    CodeOfType{is_a<DeviceError>, ExitCode::device_unhealthy},
    CodeOfType{is_a<tuner::Busy>, ExitCode::busy},
    CodeOfType{is_a<cache::StoreBusy>, ExitCode::busy},
    CodeOfType{is_a<IoError>, ExitCode::io},
    CodeOfType{is_a<tuner::Interrupted>, ExitCode::interrupted},
};

}  // namespace

ExitCode exit_code_of(const std::exception& error) {
  const auto row = std::ranges::find_if(codes_of_types,
                                        [&](const CodeOfType& one) { return one.matches(error); });
  return row == codes_of_types.end() ? ExitCode::failed : row->code;
}

}  // namespace redtune::cli
