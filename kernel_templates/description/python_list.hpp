// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Lists of values as T1 files have them, in Python: [1, 2], list(range(1, 9)), [2 ** i for i in
// range(5)], and sums of those. Private to this folder.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel_templates/description/place.hpp"

namespace redtune::kernels {

/// Each value as 'tune' takes it. Throws UsageError.
[[nodiscard]] std::vector<std::string> values_of_python_list(std::string_view text,
                                                             const Place& place);

/// A value as 'tune' takes it that is a text.
[[nodiscard]] std::string quoted_value(std::string_view text, const Place& place);

}  // namespace redtune::kernels
