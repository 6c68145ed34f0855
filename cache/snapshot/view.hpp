// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A snapshot file as rows. Entries that differ in their counts only are a group; indexes find the
// groups of a question. All functions throw SnapshotDamage (bytes.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cache/keys/records.hpp"
#include "cache/snapshot/bytes.hpp"
#include "cache/snapshot/format.hpp"
#include "vocabulary/described.hpp"

namespace redtune::cache {

constexpr auto kind_rows = [](const auto& row) { return is_of_kind(row); };
constexpr auto text_rows = [](const auto& row) { return !is_number(row); };
constexpr auto number_rows = [](const auto& row) { return is_number(row); };

/// A problem without its shape, by its names: they outlive the enumerators of a version.
struct KindRow {
  static constexpr std::size_t name_of_operator = rows_before<Problem>("op_name", kind_rows);
  static constexpr std::size_t program_of_operator = rows_before<Problem>("op_source", kind_rows);
  /// In the order of the rows of Problem.
  std::array<std::string_view, rows_before<Problem>("", kind_rows)> texts;
};
/// Likewise of what is asked; the texts are those of the problem.
[[nodiscard]] KindRow kind_of(const Problem& problem);
/// What tells kinds apart: all but the name that an operator was given.
[[nodiscard]] bool operator==(const KindRow& a, const KindRow& b);

/// Of a record of texts and integers: each in the order of its rows.
template <class Record>
struct RecordRow {
  std::array<std::string_view, rows_before<Record>("", text_rows)> texts;
  std::array<std::int64_t, rows_before<Record>("", number_rows)> numbers;

  bool operator==(const RecordRow&) const = default;
};

[[nodiscard]] consteval std::size_t text_number(std::string_view name) {
  return rows_before<DeviceClass>(name, text_rows);
}

struct ClassRow : RecordRow<DeviceClass> {
  static constexpr std::size_t unit_number = rows_before<DeviceClass>("compute_units", number_rows);

  [[nodiscard]] std::string_view platform() const { return texts[text_number("platform")]; }
  [[nodiscard]] std::string_view isa() const { return texts[text_number("isa")]; }
  [[nodiscard]] std::string_view model() const { return texts[text_number("model")]; }
  [[nodiscard]] std::string_view partition() const { return texts[text_number("partition")]; }
  [[nodiscard]] std::int64_t compute_units() const { return numbers[unit_number]; }

  bool operator==(const ClassRow&) const = default;
};
[[nodiscard]] ClassRow row_of(const DeviceClass& device_class);

using ToolchainRow = RecordRow<Toolchain>;
[[nodiscard]] ToolchainRow row_of(const Toolchain& toolchain);

/// A question without its shape.
struct QuestionRow {
  std::string_view family;
  std::string_view space;
  KindRow kind;
  ClassRow device_class;
  ToolchainRow toolchain;
};

/// Under which the indexes have a question: whole; with any space and toolchain; and likewise, on
/// any device whose platform, ISA, partition and compute units are the same.
struct IndexHashes {
  std::uint64_t exact;
  std::uint64_t same_class;
  std::uint64_t sibling;
};
[[nodiscard]] IndexHashes index_hashes(const QuestionRow& question);

struct GroupRow {
  std::string_view family;
  std::string_view space;
  std::uint32_t kind;
  std::uint32_t device_class;
  std::uint32_t toolchain;
  std::uint32_t first;  ///< of its entries, which lie together: by count, then by generation
  std::uint32_t count;
  std::uint32_t shape;  ///< of a row of extents beside the count, from 1 on; 0: there are none
  std::int64_t newest;  ///< generation
};

/// Behind an entry: the border between its count and the next of its group.
struct BorderRow {
  std::int64_t first = 0;
  std::int64_t still_below = 0;
  std::int64_t first_above = 0;
  std::string_view at;
};

class SnapshotView {
 public:
  explicit SnapshotView(const std::filesystem::path& file, Reading reading = Reading::whole)
      : bytes_(file, reading) {}
  explicit SnapshotView(std::string_view content) : bytes_(content) {}

  [[nodiscard]] const SnapshotBytes& bytes() const { return bytes_; }
  [[nodiscard]] std::int64_t generation() const { return bytes_.generation(); }
  [[nodiscard]] std::size_t entry_count() const;
  [[nodiscard]] std::size_t group_count() const;
  [[nodiscard]] std::size_t border_count() const;
  [[nodiscard]] std::size_t prediction_count() const;
  [[nodiscard]] std::size_t predicted_group_count() const;
  [[nodiscard]] GroupRow predicted_group(std::size_t index) const;
  [[nodiscard]] std::int64_t predicted_count(std::size_t row) const;
  /// As entry(), of a predicted group.
  [[nodiscard]] std::optional<StoredPrediction> prediction(const GroupRow& group,
                                                           std::size_t row) const;
  [[nodiscard]] GroupRow group(std::size_t index) const;
  [[nodiscard]] std::size_t kind_count() const;
  [[nodiscard]] KindRow kind(std::size_t index) const;
  [[nodiscard]] std::size_t class_count() const;
  [[nodiscard]] ClassRow device_class(std::size_t index) const;
  [[nodiscard]] std::size_t toolchain_count() const;
  [[nodiscard]] ToolchainRow toolchain(std::size_t index) const;

  /// Groups that an index (exact, same_class, sibling or predicted) has under a hash: some may be
  /// others'.
  [[nodiscard]] std::vector<std::uint32_t> groups(format::Section index, std::uint64_t hash) const;
  /// The first entry of a group whose count is not below this one; the group's end if there is
  /// none.
  [[nodiscard]] std::size_t lower_bound(const GroupRow& group, std::int64_t count) const;
  [[nodiscard]] std::int64_t count_of(std::size_t entry) const;
  /// Of its group the entry behind all that have this one's count; the group's end if there is
  /// none.
  [[nodiscard]] std::size_t next_count(const GroupRow& group, std::size_t entry) const;
  /// Nothing where none was measured, and for one that lies elsewhere. The entry is the newest of
  /// its count.
  [[nodiscard]] std::optional<BorderRow> border_behind(const GroupRow& group,
                                                       std::size_t entry) const;
  /// That its entries have, whatever their counts; nothing for a spread of lengths that only
  /// another version knows.
  [[nodiscard]] std::optional<Shape> extents(const GroupRow& group) const;

  /// Nothing for names that only another version knows, for numbers that are no measurement, and
  /// for more text than limits.hpp allows.
  [[nodiscard]] std::optional<StoredBest> entry(const GroupRow& group, std::size_t entry) const;

 private:
  [[nodiscard]] std::string_view text(std::uint32_t place) const;
  template <std::size_t count>
  [[nodiscard]] std::array<std::string_view, count> texts(std::string_view row) const;
  template <class Row, class Record>
  [[nodiscard]] Row record(std::string_view row) const;
  [[nodiscard]] GroupRow group_in(format::Section section, std::size_t index) const;
  /// Of a group with a count; nothing for names that only another version knows.
  [[nodiscard]] std::optional<Question> question(const GroupRow& group, std::int64_t count) const;
  [[nodiscard]] std::optional<Settings> settings(std::uint32_t place) const;
  [[nodiscard]] std::optional<Best> best(std::string_view row) const;

  SnapshotBytes bytes_;
};

}  // namespace redtune::cache
