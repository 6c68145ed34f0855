// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A row of the table of kernels in a compiled object: read by the runtime, and by the object's
// text.
#pragma once

#define REDTUNE_TEST_KERNEL                \
  struct redtune_test_kernel {             \
    void (*entry)(void* const*);           \
    void* address; /* 0 behind the last */ \
    int parameters;                        \
    unsigned sizes[14];                    \
    unsigned alignments[14];               \
  };

REDTUNE_TEST_KERNEL

namespace redtune::testing::hip {

inline constexpr const char* kernel_table = "redtune_test_kernels";

}  // namespace redtune::testing::hip
