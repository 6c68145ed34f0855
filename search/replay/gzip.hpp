// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Text that may be packed by gzip.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace redtune::search {

/// As gzip packs it at its best, without name and time: the same text gives the same bytes.
[[nodiscard]] std::string packed(std::string_view text);

/// The bytes unpacked where they begin as gzip's do, else as they are. Throws UsageError for what
/// is damaged, cut short or more than `most` bytes; the text goes on after the name of a file.
[[nodiscard]] std::string unpacked(std::string bytes, std::size_t most);

}  // namespace redtune::search
