// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is in a described buffer at first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernel_templates/description/kernel_description.hpp"

namespace redtune::tuner {

/// So many elements of a type, each a function of fill, seed and its index alone. none: zeros.
/// Throws UsageError for a file that cannot be read, or has another size.
[[nodiscard]] std::vector<std::byte> filled(const kernels::Fill& fill,
                                            const kernels::ElementType& type, std::int64_t elements,
                                            std::uint64_t seed);

/// A file with so many elements of a type. what: for errors, of what. Throws UsageError.
[[nodiscard]] std::vector<std::byte> elements_of_file(const std::string& path,
                                                      const kernels::ElementType& type,
                                                      std::int64_t elements);

}  // namespace redtune::tuner
