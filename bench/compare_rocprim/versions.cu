// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <rocprim/rocprim_version.hpp>

#include "bench/compare/versions.hpp"

namespace redtune::compare {

// HIP_VERSION of hip_version.h: major * 10^7 + minor * 10^5 + patch.
std::string version_text(int number) {
  return std::to_string(number / 10'000'000) + "." + std::to_string(number / 100'000 % 100) + "." +
         std::to_string(number % 100'000);
}

std::string library_version() {
  return std::to_string(ROCPRIM_VERSION_MAJOR) + "." + std::to_string(ROCPRIM_VERSION_MINOR) + "." +
         std::to_string(ROCPRIM_VERSION_PATCH);
}

std::string compiler_version() {
  return "clang " __clang_version__;
}

}  // namespace redtune::compare
