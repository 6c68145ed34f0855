// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Apart from the tests: a compiler that sees into these takes them for a mismatch of new and free.
#include "tests/runtime/count_allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local long allocations = 0;

}  // namespace

// The array, sized and nothrow forms of the library all end in these.
void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes); memory != nullptr) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  ++allocations;
  const auto unit = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
      memory != nullptr) {
    return memory;
  }
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace redtune::testing_runtime {

long allocations_so_far() {
  return allocations;
}

}  // namespace redtune::testing_runtime
