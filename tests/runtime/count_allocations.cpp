// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Apart from the tests: a compiler that sees into these takes them for a mismatch of new and free.
#include "tests/runtime/count_allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local long allocations = 0;
thread_local long blocks = 0;
thread_local long failing = 0;  // counts down to the allocation that fails

void* taken(void* memory) {
  ++allocations;
  const bool fails = failing > 0 && --failing == 0;
  if (memory != nullptr && !fails) {
    ++blocks;
    return memory;
  }
  std::free(memory);
  throw std::bad_alloc();
}

void give_back(void* memory) {
  if (memory != nullptr) --blocks;
  std::free(memory);
}

}  // namespace

// The array and sized forms of the library all end in these.
void* operator new(std::size_t bytes) {
  return taken(std::malloc(bytes == 0 ? 1 : bytes));
}
// The library's ends in the one above; a sanitizer's would end in its own.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  try {
    return operator new(bytes);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  return taken(std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit));
}
void operator delete(void* memory) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  give_back(memory);
}

namespace redtune::testing_runtime {

long allocations_so_far() {
  return allocations;
}

long blocks_now() {
  return blocks;
}

void fail_allocation(long nth) {
  failing = nth;
}

bool is_failure_pending() {
  return failing > 0;
}

}  // namespace redtune::testing_runtime
