// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// From a count to its class, a part of every launch: a step by the count's bit width, then past the
// borders that lie within it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace redtune::runtime {

class ClassTable {
 public:
  /// firsts: the smallest count of each class, ascending, the first of them 0.
  explicit ClassTable(std::vector<std::int64_t> firsts) : firsts_(std::move(firsts)) {
    std::size_t at = 0;
    for (std::size_t width = 0; width < start_.size(); ++width) {
      const std::int64_t smallest = width == 0 ? 0 : std::int64_t{1} << (width - 1);
      while (at + 1 < firsts_.size() && firsts_[at + 1] <= smallest) ++at;
      start_[width] = at;
    }
  }

  /// count >= 0.
  [[nodiscard]] std::size_t class_of(std::int64_t count) const noexcept {
    std::size_t at =
        start_[static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(count)))];
    while (at + 1 < firsts_.size() && firsts_[at + 1] <= count) ++at;
    return at;
  }

 private:
  std::vector<std::int64_t> firsts_;
  std::array<std::size_t, 64> start_{};
};

}  // namespace redtune::runtime
