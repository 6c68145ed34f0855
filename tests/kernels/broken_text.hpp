// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Kernels that are wrong in one place, on which a contract shows that it notices.
#pragma once

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <string>

namespace redtune::checks {

/// Whether any check of these fails.
template <class Check>
[[nodiscard]] bool is_noticed(const Check& check) {
  testing::TestPartResultArray results;
  {
    const testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ALL_THREADS, &results);
    check();
  }
  for (int i = 0; i < results.size(); ++i) {
    if (results.GetTestPartResult(i).failed()) return true;
  }
  return false;
}

/// A text with one place of it replaced.
[[nodiscard]] inline std::string broken_text(std::string text, const std::string& right,
                                             const std::string& wrong) {
  const auto at = text.find(right);
  EXPECT_NE(at, std::string::npos) << right;
  if (at != std::string::npos) text.replace(at, right.size(), wrong);
  return text;
}

}  // namespace redtune::checks
