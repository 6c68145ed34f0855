// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The arguments that a program hands over when it launches a described kernel, and what is wrong
// with some.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kernel_templates/description/kernel_description.hpp"
#include "redtune/kernel.hpp"

namespace redtune::runtime {

class CalledArguments {
 public:
  /// The description must outlive it.
  explicit CalledArguments(const kernels::KernelDescription& description);

  [[nodiscard]] std::size_t count() const { return expected_.size(); }
  /// Which of them an argument of the description is; nothing where redtune knows it.
  [[nodiscard]] std::optional<std::size_t> number_of(std::size_t argument) const {
    return numbers_[argument];
  }
  [[nodiscard]] std::vector<LaunchArgument> described() const;
  /// Of a value of the argument of that number.
  [[nodiscard]] std::size_t bytes(std::size_t number) const;

  /// Throw UsageError.
  void require_count(std::size_t given) const {
    if (given != expected_.size()) refuse_count(given);
  }
  void require_address(std::size_t number, const void* of_value) const {
    if (of_value == nullptr) refuse_null(number);
  }
  void require_types(const detail::GivenType* given) const {
    for (std::size_t i = 0; i < expected_.size(); ++i) {
      if (!is_right(expected_[i], given[i])) refuse_type(i, given[i]);
    }
  }

 private:
  struct Expected {
    DType dtype;
    bool is_pointer;
    bool is_written;
    std::size_t bytes;  // of an element, or of the number
    std::size_t argument;
  };

  [[nodiscard]] static bool is_right(const Expected& expected, const detail::GivenType& given) {
    if (given.is_pointer != expected.is_pointer || (given.is_const && expected.is_written)) {
      return false;
    }
    switch (given.what) {
      case detail::Given::number:
        return given.dtype == expected.dtype;
      case detail::Given::record:
        return given.bytes == expected.bytes;
      case detail::Given::nothing:
        return true;
      default:
        return false;
    }
  }
  [[noreturn]] void refuse_count(std::size_t given) const;
  [[noreturn]] void refuse_null(std::size_t number) const;
  [[noreturn]] void refuse_type(std::size_t number, const detail::GivenType& given) const;

  const kernels::KernelDescription& description_;
  std::vector<Expected> expected_;
  std::vector<std::optional<std::size_t>> numbers_;
};

}  // namespace redtune::runtime
