// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The processor has caches of 1 MiB. A cold measurement keeps copies of its input that are together
// twice as large as the last-level cache: with the real one, half of a small tune would be the
// kernel's clearing of their pages. Linked into every test program, and preloaded into what it
// starts.
#include <dlfcn.h>
#include <unistd.h>

extern "C" __attribute__((visibility("default"))) long sysconf(int name) noexcept {
  if (name == _SC_LEVEL2_CACHE_SIZE || name == _SC_LEVEL3_CACHE_SIZE) return 1L << 20;
  static auto* const next = reinterpret_cast<long (*)(int)>(dlsym(RTLD_NEXT, "sysconf"));
  return next(name);
}
