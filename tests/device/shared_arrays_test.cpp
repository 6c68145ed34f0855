// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Declarations of dynamic shared memory become pointers, and nothing else changes.
#include "device/host/shared_arrays.hpp"

#include <gtest/gtest.h>

namespace redtune::device::host {
namespace {

TEST(SharedArrays, BecomePointersToTheMemoryOfTheBlock) {
  EXPECT_EQ(with_shared_arrays("{ extern __shared__ float tile[]; x(); }"),
            "{ float* const tile = static_cast<float*>(redtune_host_shared()); x(); }");
  EXPECT_EQ(with_shared_arrays("extern  __shared__ unsigned char raw [ ] ;"),
            "unsigned char* const raw = static_cast<unsigned char*>(redtune_host_shared());");
  EXPECT_EQ(with_shared_arrays("extern __shared__ __align__(16) ns::pair pairs[];"),
            "ns::pair* const pairs = static_cast<ns::pair*>(redtune_host_shared());");
  EXPECT_EQ(
      with_shared_arrays("extern __shared__ alignas(16) int a[];\nextern __shared__ int b[];"),
      "int* const a = static_cast<int*>(redtune_host_shared());\n"
      "int* const b = static_cast<int*>(redtune_host_shared());");
}

TEST(SharedArrays, OfAKnownSizeStayAsTheyAre) {
  for (const char* text : {"__shared__ float tile[256];", "extern float tile[];", "int x;", ""}) {
    EXPECT_EQ(with_shared_arrays(text), text);
  }
}

}  // namespace
}  // namespace redtune::device::host
