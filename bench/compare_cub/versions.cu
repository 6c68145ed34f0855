// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <cub/version.cuh>

#include "bench/compare/versions.hpp"

namespace redtune::compare {

std::string version_text(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

std::string library_version() {
  return std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
         std::to_string(CUB_SUBMINOR_VERSION);
}

std::string compiler_version() {
  return "nvcc " + std::to_string(__CUDACC_VER_MAJOR__) + "." +
         std::to_string(__CUDACC_VER_MINOR__) + "." + std::to_string(__CUDACC_VER_BUILD__);
}

}  // namespace redtune::compare
