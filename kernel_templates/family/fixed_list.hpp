// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A few values in place: what a launch needs, without the heap. Copied as plain memory when its
// values are; a span can be made of it.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <initializer_list>

namespace redtune::kernels {

template <class T, std::size_t most>
class FixedList {
 public:
  constexpr FixedList() = default;
  constexpr FixedList(std::initializer_list<T> values) {
    for (const T& value : values) push_back(value);
  }

  /// At most `most` values.
  constexpr T& emplace_back() {
    assert(size_ < most);
    return values_[size_++];
  }
  constexpr void push_back(const T& value) { emplace_back() = value; }

  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr T& operator[](std::size_t i) { return values_[i]; }
  [[nodiscard]] constexpr const T& operator[](std::size_t i) const { return values_[i]; }
  [[nodiscard]] constexpr const T* begin() const { return values_.data(); }
  [[nodiscard]] constexpr const T* end() const { return values_.data() + size_; }

 private:
  std::array<T, most> values_{};
  std::size_t size_ = 0;
};

}  // namespace redtune::kernels
