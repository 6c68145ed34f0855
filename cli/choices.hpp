// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What may be written for an option, as far as registries know: shells offer it.
#pragma once

#include <string>
#include <vector>

#include "redtune/dtype.hpp"

namespace redtune::cli {

using Choices = std::vector<std::string>;

/// The names in the rows of a registry.
template <class Rows>
[[nodiscard]] Choices names_in(const Rows& rows) {
  Choices names;
  for (const auto& row : rows) names.emplace_back(row.name);
  return names;
}

[[nodiscard]] Choices names_in(const std::vector<DType>& types);
[[nodiscard]] Choices match_names();
/// The first device of each platform, the wave sizes of the host, and auto.
[[nodiscard]] Choices device_names();
[[nodiscard]] Choices family_names();
/// NAME=VALUE of every tunable.
[[nodiscard]] Choices every_setting();

}  // namespace redtune::cli
