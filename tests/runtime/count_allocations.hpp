// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Counts how often each thread takes memory from the heap, in programs that link
// count_allocations.cpp.
#pragma once

namespace redtune::testing_runtime {

/// By this thread, since it began.
[[nodiscard]] long allocations_so_far();

/// Taken and not given back by this thread, less what it gave back for others.
[[nodiscard]] long blocks_now();

/// Makes the Nth allocation of this thread from now on fail, once; 0: none.
void fail_allocation(long nth);
/// Whether it is still to come.
[[nodiscard]] bool is_failure_pending();

/// By this thread, while an action runs.
template <class Action>
[[nodiscard]] long allocations_of(const Action& action) {
  const long before = allocations_so_far();
  action();
  return allocations_so_far() - before;
}

}  // namespace redtune::testing_runtime
