// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Files of raw numbers: elements, offsets and keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace redtune::cli {

/// Bytes of a regular file. Throws UsageError that says what is wrong with it.
[[nodiscard]] std::size_t file_bytes(const std::string& path);
[[nodiscard]] std::vector<std::byte> read_file(const std::string& path, std::size_t bytes);

/// Keys of elements, of 32 or 64 bits, and what they make of them.
struct GroupedKeys {
  std::vector<std::byte> all;  ///< as the file has them
  std::int64_t bits = 32;
  std::vector<std::int64_t> offsets;    ///< where each group begins, and the last ends
  std::vector<std::int64_t> of_groups;  ///< the key of each

  [[nodiscard]] std::int64_t groups() const { return std::int64_t(of_groups.size()); }
  /// The key of each group, as the file has it.
  [[nodiscard]] std::vector<std::byte> raw_of_groups() const;
};
/// Throws UsageError where they are not as many as elements.
[[nodiscard]] GroupedKeys read_keys(const std::string& path, std::int64_t bits,
                                    std::int64_t elements);
/// Keys of so many bits one behind the other, as signed numbers.
[[nodiscard]] std::vector<std::int64_t> keys_in(const std::vector<std::byte>& raw,
                                                std::int64_t bits);

}  // namespace redtune::cli
