// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Counts how often each thread takes memory from the heap, in programs that link
// count_allocations.cpp.
#pragma once

namespace redtune::testing_runtime {

/// By this thread, since it began.
[[nodiscard]] long allocations_so_far();

/// By this thread, while an action runs.
template <class Action>
[[nodiscard]] long allocations_of(const Action& action) {
  const long before = allocations_so_far();
  action();
  return allocations_so_far() - before;
}

}  // namespace redtune::testing_runtime
