// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Behind the kernel text: what the runtime asks of a kernel. The table redtune_test_kernels is
// written by cpu_compiler.cpp, one row for each name expression.
#pragma once

template <int... i>
struct redtune_indices {};
template <int n, int... i>
struct redtune_count : redtune_count<n - 1, n - 1, i...> {};
template <int... i>
struct redtune_count<0, i...> {
  typedef redtune_indices<i...> type;
};

template <class... A, int... i>
inline void redtune_spread(void (*kernel)(A...), void* const* arguments, redtune_indices<i...>) {
  kernel(*static_cast<A*>(arguments[i])...);
}

template <class... A>
inline void redtune_call(void (*kernel)(A...), void* const* arguments) {
  static_assert(sizeof...(A) <= 14 && ((sizeof(A) <= 8) && ... && true),
                "the HIP runtime for tests takes up to 14 parameters of up to 8 bytes");
  redtune_spread(kernel, arguments, typename redtune_count<int(sizeof...(A))>::type());
}

template <class... A>
redtune_test_kernel redtune_describe(void (*kernel)(A...), void (*entry)(void* const*)) {
  return {
      entry, reinterpret_cast<void*>(kernel), int(sizeof...(A)), {sizeof(A)...}, {alignof(A)...}};
}
