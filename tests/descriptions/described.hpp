// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A small description that tests change.
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "kernel_templates/description/read_description.hpp"
#include "redtune/error.hpp"

namespace redtune::kernels::testing {

inline constexpr std::string_view row_sum_comments = R"(// redtune: kernel  row_sum<float, BLOCK>
// redtune: tune    BLOCK = 64, 128, 256 default 128
// redtune: require BLOCK % WAVE == 0
// redtune: size    n = 1000
// redtune: launch  block = BLOCK grid = ceil(n / BLOCK)
// redtune: arg     float out[n] out
// redtune: arg     const float in[n] uniform(-1, 1)
// redtune: arg     int n
// redtune: check   out within 1e-5 of default
// redtune: traffic 8 * n
)";

/// That with one piece in the place of another, which is there once.
[[nodiscard]] inline std::string row_sum_with(std::string_view piece, std::string_view other) {
  std::string text(row_sum_comments);
  const std::size_t at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  EXPECT_EQ(text.find(piece, at + 1), std::string::npos) << piece;
  return text.replace(at, piece.size(), other);
}

/// What is refused in a text; empty: nothing.
template <class Read>
[[nodiscard]] std::string why_refused(const Read& read) {
  try {
    (void)read();
    return {};
  } catch (const UsageError& error) {
    return error.what();
  }
}

}  // namespace redtune::kernels::testing
