// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/c_api/status.hpp"

#include <algorithm>
#include <array>

#include "redtune/error.hpp"

namespace redtune::c_api {
namespace {

template <class E>
bool is_of_type(const std::exception& error) {
  return dynamic_cast<const E*>(&error) != nullptr;
}

struct StatusOfType {
  bool (*matches)(const std::exception& error);
  redtune_status status;
};

/// The first that matches counts: a type stands above its base.
constexpr std::array statuses_of_types{
    StatusOfType{is_of_type<UsageError>, REDTUNE_USAGE},
    StatusOfType{is_of_type<NoSuchDevice>, REDTUNE_USAGE},
    StatusOfType{is_of_type<UnmetMatch>, REDTUNE_MISSED},
    StatusOfType{is_of_type<DeviceError>, REDTUNE_DEVICE},
    StatusOfType{is_of_type<IoError>, REDTUNE_IO},
};

}  // namespace

redtune_status status_of(const std::exception& error) noexcept {
  const auto row = std::ranges::find_if(
      statuses_of_types, [&](const StatusOfType& one) { return one.matches(error); });
  return row == statuses_of_types.end() ? REDTUNE_FAILED : row->status;
}

}  // namespace redtune::c_api
