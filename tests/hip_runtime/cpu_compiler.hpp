// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// HIP text to a shared object for this machine's processor, by clang.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "packed_program.hpp"

namespace redtune::testing::hip {

struct CpuRequest {
  std::string text;
  std::vector<std::string> names;    ///< of kernels, as C++ expressions
  std::vector<std::string> options;  ///< those of a compiler that clang takes as well
  int wave_size = 64;
};

struct CpuProgram {
  std::vector<std::byte> object;     ///< empty: see log
  std::vector<KernelShape> kernels;  ///< one for each name
  std::string log;
};

/// Objects are kept in the folder that REDTUNE_TEST_HIP_OBJECTS names: tests compile the same again
/// and again. REDTUNE_TEST_HIP_CXX is another clang than the one that CMake found.
[[nodiscard]] CpuProgram compile_for_cpu(const CpuRequest& request);

}  // namespace redtune::testing::hip
