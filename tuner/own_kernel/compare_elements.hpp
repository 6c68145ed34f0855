// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Elements beside what they have to be.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "kernel_templates/description/kernel_description.hpp"

namespace redtune::tuner {

/// Memory before a kernel runs: an element that still is full of it was not written.
struct Poison {
  std::byte byte{};
};

/// Empty when all elements are near enough, else one line about the first that is not. Both have
/// the same size; NaN is near to NaN. poison: that was in the output before.
[[nodiscard]] std::string why_elements_differ(const kernels::ElementType& type,
                                              const kernels::Tolerance& tolerance,
                                              std::span<const std::byte> expected,
                                              std::span<const std::byte> got, Poison poison);

/// The first element that is full of one byte in one result and of the other in the other, which
/// nobody wrote; the number of elements where there is none.
[[nodiscard]] std::size_t first_unwritten(const kernels::ElementType& type,
                                          std::span<const std::byte> one, Poison poison_of_one,
                                          std::span<const std::byte> other, Poison poison_of_other);

}  // namespace redtune::tuner
