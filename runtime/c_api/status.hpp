// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a function of the C API returns for an error; docs/reference/c_api.md has the same table.
#pragma once

#include <exception>

#include "redtune.h"

namespace redtune::c_api {

/// By the error's type; REDTUNE_FAILED for one that has no row.
[[nodiscard]] redtune_status status_of(const std::exception& error) noexcept;

}  // namespace redtune::c_api
