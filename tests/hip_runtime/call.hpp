// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What all calls have in common: each is counted, may be made to fail, and is recorded.
#pragma once

#include <fmt/format.h>
#include <functional>
#include <string>

#include "names.hpp"

namespace redtune::testing::hip {

/// What the body of a call adds to the record.
struct Note {
  const void* made = nullptr;
  const void* given_back = nullptr;
  std::string text = {};
  bool is_to_fail = false;  ///< something is given back, and yet nothing must be made
};

using Body = std::function<int(Note&)>;

/// Its status. A call that is to fail does nothing, but what gives something back.
[[nodiscard]] int run_call(std::string_view name, const Body& body);

/// From now on every call of HIP fails with the error.
void set_sticky(int error);

template <class Status>
[[nodiscard]] Status call(std::string_view name, const Body& body) {
  return static_cast<Status>(run_call(name, body));
}

}  // namespace redtune::testing::hip
