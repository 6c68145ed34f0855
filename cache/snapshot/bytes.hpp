// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The bytes of a snapshot file: read at once or as they are needed, and checked block by block
// before anybody sees them. Private to this folder.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cache/files/files.hpp"
#include "cache/snapshot/format.hpp"
#include "cache/snapshot/snapshot.hpp"

namespace redtune::cache {

/// Why bytes cannot be had; thrown, as it may come to light in the middle of a look-up.
struct SnapshotDamage {
  SnapshotFault fault = SnapshotFault::garbage;
  std::string why{};  ///< as it follows the name of the file
};

/// A file that was read whole is closed again: it can be replaced and removed meanwhile, and
/// nothing is lost on a program that closes every descriptor there is, as services do when they
/// start. Such bytes may be asked for from any thread; of a file that is read as needed, by one at
/// a time.
class SnapshotBytes {
 public:
  /// Both read and check the head. Throw SnapshotDamage.
  SnapshotBytes(const std::filesystem::path& file, Reading reading);
  explicit SnapshotBytes(std::string_view content);

  /// A part of a section, rows first to first + count, checked. Throws SnapshotDamage.
  [[nodiscard]] std::string_view rows(format::Section section, std::size_t first,
                                      std::size_t count = 1) const;
  [[nodiscard]] std::size_t row_count(format::Section section) const;
  /// The publication number.
  [[nodiscard]] std::int64_t generation() const { return generation_; }
  /// Of the whole file.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Throws SnapshotDamage when anything is wrong anywhere.
  void check_all() const;
  /// Of the file as it was read; nothing for bytes of no file.
  [[nodiscard]] const std::optional<FileMark>& mark() const { return mark_; }

 private:
  struct Table {
    std::size_t offset;
    std::size_t count;
  };

  void allocate(std::size_t bytes);
  void check_head(std::size_t bytes);
  void read_sizes();
  void read_tables();
  [[nodiscard]] Table checked(Table table, format::Section section) const;
  [[nodiscard]] Table table(format::Section section) const;
  void check_block(std::size_t block) const;

  std::optional<FileMark> mark_;
  std::optional<Descriptor> file_;  ///< while there is more to read
  std::size_t size_ = 0;
  std::uint32_t version_ = 0;
  std::size_t head_bytes_ = 0;
  std::int64_t generation_ = 0;
  std::array<Table, format::head_section_count> tables_{};
  std::unique_ptr<char[]> bytes_;
  std::unique_ptr<std::atomic<bool>[]> checked_;  ///< by block behind the head
};

}  // namespace redtune::cache
