// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Names of users.
#pragma once

#include <string>
#include <sys/types.h>

namespace redtune::tuner {

/// "ann", or "user 1000" where the system knows no name.
[[nodiscard]] std::string user_name(uid_t user);

}  // namespace redtune::tuner
