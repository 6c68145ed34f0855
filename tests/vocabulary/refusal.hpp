// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is said of input that cannot be used.
#pragma once

#include <string>

#include "redtune/error.hpp"

namespace redtune::checks {

/// The text of the UsageError of an action, or what it did instead.
template <class Action>
std::string refusal(Action&& action) {
  try {
    static_cast<void>(action());
  } catch (const UsageError& error) {
    return error.what();
  }
  return "not refused";
}

}  // namespace redtune::checks
