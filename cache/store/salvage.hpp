// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What can still be read of a damaged store: rows are copied one by one, and what a row refers to
// must have come through as well. Private to this folder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "cache/store/sqlite.hpp"

namespace redtune::cache {

struct Salvaged {
  std::size_t runs = 0;
  std::size_t trials = 0;
  std::size_t results = 0;
  std::string how{};  ///< for people: "row by row", "with a new header", or why nothing was read
};

/// Copies what it can into an empty store. Of the damaged file not a byte changes. Throws IoError
/// for what goes wrong with the new store only.
[[nodiscard]] Salvaged salvage(const std::filesystem::path& damaged, Database& into);

/// "saved from it row by row: 3 results, 2 runs, 120 trials".
[[nodiscard]] std::string describe(const Salvaged& saved);

}  // namespace redtune::cache
