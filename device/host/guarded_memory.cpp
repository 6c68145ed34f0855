// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "device/host/guarded_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include "redtune/error.hpp"

namespace redtune::device::host {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t huge_page = std::size_t{2} << 20;

std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Bytes of the pages between the two guard pages.
std::size_t body_bytes(std::size_t bytes) {
  return round_up(bytes == 0 ? 1 : bytes, page);
}

/// Offset of the data behind the lower guard page.
std::size_t data_offset(std::size_t bytes) {
  return page + body_bytes(bytes) - round_up(bytes, memory_alignment);
}

}  // namespace

void* allocate_guarded(std::size_t bytes) {
  const std::size_t mapped = body_bytes(bytes) + 2 * page;
  void* memory = MAP_FAILED;
  if (bytes < mapped) {  // else the sum wrapped around
    memory = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  }
  if (memory == MAP_FAILED) {
    throw OutOfMemory(fmt::format("the host cannot allocate {} bytes of memory", bytes));
  }
  auto* base = static_cast<std::byte*>(memory);
  if (bytes >= huge_page) madvise(base, mapped, MADV_HUGEPAGE);
  mprotect(base, page, PROT_NONE);
  mprotect(base + mapped - page, page, PROT_NONE);
  return base + data_offset(bytes);
}

void release_guarded(void* data, std::size_t bytes) noexcept {
  munmap(static_cast<std::byte*>(data) - data_offset(bytes), body_bytes(bytes) + 2 * page);
}

}  // namespace redtune::device::host
