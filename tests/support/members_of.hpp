// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// How many members an aggregate has, so that a table of them can be compared with it.
#pragma once

#include <cstddef>

namespace redtune::checks {

/// Converts to anything: a record can be made of as many of them as it has members.
struct Anything {
  template <class T>
  operator T() const;
};

template <class Record, class... Values>
[[nodiscard]] consteval std::size_t members_of() {
  if constexpr (requires { Record{Values{}..., Anything{}}; }) {
    return members_of<Record, Values..., Anything>();
  } else {
    return sizeof...(Values);
  }
}

}  // namespace redtune::checks
