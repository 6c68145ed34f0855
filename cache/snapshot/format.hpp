// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The layout of a snapshot file; docs/reference/files.md has it in words. Numbers are
// little-endian. Private to cache/, and to tests that make files on purpose.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "cache/keys/described_best.hpp"

namespace redtune::cache::format {

inline constexpr std::string_view magic{"\x89RTBEST\n", 8};
/// What is written: 2 where some result is of a shape with more than a count, so that programs
/// which know version 1 alone refuse the file instead of taking its results for those of whole
/// arrays; likewise 3 where some is of a batch, and 4 where some is of segments.
inline constexpr std::uint32_t version = 4;
inline constexpr std::uint32_t version_of_batches = 3;
inline constexpr std::uint32_t version_of_arrays = 2;
inline constexpr std::uint32_t version_of_counts = 1;

/// What is read and checked at once. The head is a whole number of blocks too.
inline constexpr std::size_t block_bytes = 4096;
/// Of a block's SHA-256, the first bytes.
inline constexpr std::size_t block_hash_bytes = 16;
/// Of the SHA-256 over all of the head before it; the head's last bytes.
inline constexpr std::size_t head_hash_bytes = 32;

/// Offsets in the head.
inline constexpr std::size_t at_version = 8;
inline constexpr std::size_t at_block_bytes = 12;
inline constexpr std::size_t at_file_bytes = 16;
inline constexpr std::size_t at_generation = 24;  ///< publication number
inline constexpr std::size_t at_head_bytes = 32;
inline constexpr std::size_t at_sections = 40;
inline constexpr std::size_t at_block_hashes = 128;

/// Tables of rows of one size each; a section is where they begin (u32) and how many they are
/// (u32).
enum class Section {
  texts,
  classes,
  toolchains,
  kinds,
  groups,
  entries,
  exact,
  same_class,
  sibling,
  shapes,  ///< since version 2
  more,    ///< where the sections below begin, and how many rows they have: as in the head
  // Of any version: programs that do not know them pass them over.
  borders,
  predicted_groups,  ///< rows as of groups
  predictions,
  predicted,  ///< an index of predicted groups, by the hash that same_class has
  batches,    ///< of each row of shapes, since version 3
  segments,   ///< likewise, since version 4
};
/// Those that the head tells of.
inline constexpr std::size_t head_section_count = 11;
inline constexpr std::size_t section_count = 17;
/// texts: bytes. A text is a u32 for its length and its bytes; others refer to it by its place.
inline constexpr std::array<std::size_t, section_count> row_bytes{
    1, 40, 12, 32, 40, 136, 16, 16, 16, 32, 8, 32, 40, 24, 16, 16, 24};
static_assert(at_sections + 8 * head_section_count <= at_block_hashes);

/// Offsets in a row; where none is given, the row is made of u32 places of texts and then of
/// integers, in the order of the rows of the record it stands for (vocabulary/described.hpp).
inline constexpr std::size_t group_at_shape = 28;  ///< behind seven u32, see GroupRow
inline constexpr std::size_t group_at_newest = 32;
inline constexpr std::size_t entry_at_count = 0;
inline constexpr std::size_t entry_at_generation = 8;
inline constexpr std::size_t entry_at_run = 16;
inline constexpr std::size_t entry_at_texts = 24;    ///< settings, device name, date, reason
inline constexpr std::size_t entry_at_numbers = 40;  ///< doubles, then i32; see described_best.hpp
inline constexpr std::size_t index_at_group = 8;     ///< behind the hash
inline constexpr std::size_t border_at_entry =
    0;                                            ///< of the smaller count; the next has the larger
inline constexpr std::size_t border_at_date = 4;  ///< a text
inline constexpr std::size_t border_at_first = 8;  ///< and still_below and first_above

inline constexpr std::size_t prediction_at_count = 0;
inline constexpr std::size_t prediction_at_texts = 8;  ///< settings, date
inline constexpr std::size_t prediction_at_trials = 16;

/// Bytes of a head for so many blocks behind it.
[[nodiscard]] constexpr std::size_t head_bytes_for(std::size_t blocks) {
  const std::size_t used = at_block_hashes + blocks * block_hash_bytes + head_hash_bytes;
  return (used + block_bytes - 1) / block_bytes * block_bytes;
}

template <class Integer>
[[nodiscard]] Integer get(const char* from) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(Integer); ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(from[i])} << (8 * i);
  }
  return static_cast<Integer>(value);
}

template <class Integer>
void put(char* to, Integer value) {
  for (std::size_t i = 0; i < sizeof(Integer); ++i) {
    to[i] = static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xff);
  }
}

/// What finds groups: FNV-1a, 64 bits, over texts with their lengths. What it finds is compared, so
/// two questions with one hash cost time and nothing else.
class IndexHash {
 public:
  IndexHash& add(std::string_view text) {
    add(static_cast<std::int64_t>(text.size()));
    for (const char c : text) mix(static_cast<unsigned char>(c));
    return *this;
  }
  IndexHash& add(std::int64_t number) {
    for (int shift = 0; shift < 64; shift += 8) {
      mix(static_cast<unsigned char>(static_cast<std::uint64_t>(number) >> shift));
    }
    return *this;
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  void mix(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3; }

  std::uint64_t value_ = 0xcbf29ce484222325;
};

/// The numbers of a best result in the order of the file: first those that are measured, then
/// those that are counted. Calls visit(number) for each.
template <class Result, class Visit>
void for_each_measured(Result& best, const Visit& visit) {
  for_each_member(best, [&]<class Value>(const auto& row, Value& value) {
    if (row.kept != Kept::everywhere) return;
    if constexpr (std::is_same_v<std::remove_const_t<Value>, Interval>) {
      visit(value.low);
      visit(value.median);
      visit(value.high);
    } else if constexpr (std::is_floating_point_v<Value>) {
      visit(value);
    }
  });
}
template <class Result, class Visit>
void for_each_counted(Result& best, const Visit& visit) {
  for_each_member(best, [&]<class Value>(const auto& row, Value& value) {
    if constexpr (std::is_integral_v<Value>) {
      if (row.kept == Kept::everywhere) visit(value);
    }
  });
}

/// Writes the hashes of the blocks and of the head: the last step of making a file. The sizes in
/// the head must be right.
void seal(std::string& file);

}  // namespace redtune::cache::format
