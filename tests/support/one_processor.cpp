// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Test programs have one processor each: the host device's threads would only wait for each other
// where several tests run.
#include "tests/support/one_processor.hpp"

namespace redtune {
namespace {

/// Of all builds of a user, which may be tested at the same time.
std::filesystem::path folder_of_user() {
  std::error_code none;
  const auto folder = std::filesystem::temp_directory_path(none);
  return folder / ("redtune_test_processors." + std::to_string(getuid()));
}

// Before main, so before there are threads.
[[maybe_unused]] const bool taken = checks::take_processor(folder_of_user());

}  // namespace
}  // namespace redtune
