// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Raw numbers from files, pipes and standard input: elements, offsets and keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace redtune::cli {

/// Of what comes through a pipe, which may never end: a quarter of this machine's memory, since it
/// is read and then copied to where it is reduced.
[[nodiscard]] std::size_t most_piped_bytes();

/// Throws UsageError where one pipe is named twice: it gives what it has once. "-" is standard
/// input.
void require_read_once(const std::vector<std::string>& paths);

/// A file, whose size is known before it is read, or what a pipe gave until its end.
class RawFile {
 public:
  /// path: "-" is standard input. Throws UsageError that says what is wrong with it.
  explicit RawFile(const std::string& path, std::size_t most_piped = most_piped_bytes());

  /// For people.
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// The first so many; there must be. Throws UsageError.
  [[nodiscard]] std::vector<std::byte> read(std::size_t bytes) const;
  [[nodiscard]] std::vector<std::byte> read() const { return read(bytes_); }

 private:
  std::string name_;
  std::size_t bytes_ = 0;
  std::optional<std::vector<std::byte>> piped_;
};

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
[[nodiscard]] GroupedKeys read_keys(const RawFile& file, std::int64_t bits, std::int64_t elements);
/// Keys of so many bits one behind the other, as signed numbers.
[[nodiscard]] std::vector<std::int64_t> keys_in(const std::vector<std::byte>& raw,
                                                std::int64_t bits);

}  // namespace redtune::cli
