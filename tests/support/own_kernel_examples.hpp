// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernels of examples/own_kernels, whatever lies there: each is a test on every platform.
#pragma once

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace redtune::checks {

inline const std::string own_kernel_folder = REDTUNE_SOURCE_DIR "/examples/own_kernels/";

/// The files' names.
[[nodiscard]] inline std::vector<std::string> own_kernel_examples() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(own_kernel_folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

[[nodiscard]] inline std::string own_kernel_name(
    const ::testing::TestParamInfo<std::string>& test) {
  return test.param.substr(0, test.param.find('.'));
}

}  // namespace redtune::checks
