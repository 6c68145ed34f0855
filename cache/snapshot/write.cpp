// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Makes the content of a snapshot file; see format.hpp.
#include <algorithm>
#include <bit>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "cache/keys/sha256.hpp"
#include "cache/snapshot/format.hpp"
#include "cache/snapshot/snapshot.hpp"
#include "cache/snapshot/view.hpp"
#include "redtune/error.hpp"

namespace redtune::cache {

using namespace format;

namespace {

constexpr std::string_view too_much = "the results are more than the 64 MiB of a snapshot";

/// A section while it grows.
class Rows {
 public:
  explicit Rows(Section section) : row_(row_bytes[static_cast<std::size_t>(section)]) {}
  /// The begin of a new row of zeros.
  char* append() {
    bytes_.resize(bytes_.size() + row_, '\0');
    return bytes_.data() + bytes_.size() - row_;
  }
  [[nodiscard]] std::uint32_t count() const {
    return static_cast<std::uint32_t>(bytes_.size() / row_);
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::size_t row_;
  std::string bytes_;
};

/// Each text once.
class Texts {
 public:
  std::uint32_t place_of(std::string_view text) {
    const auto [known, is_new] =
        places_.try_emplace(std::string(text), static_cast<std::uint32_t>(bytes_.size()));
    if (!is_new) return known->second;
    char size[4];
    put(size, static_cast<std::uint32_t>(text.size()));
    bytes_.append(size, sizeof size).append(text);
    if (bytes_.size() > max_snapshot_bytes) {
      throw UsageError(std::string(too_much));
    }
    return known->second;
  }
  std::uint32_t place_of(const Settings& settings) {
    std::string pairs(8 * settings.size(), '\0');
    for (std::size_t i = 0; i < settings.size(); ++i) {
      put(pairs.data() + 8 * i, place_of(settings[i].name));
      put(pairs.data() + 8 * i + 4, place_of(settings[i].value));
    }
    return place_of(pairs);
  }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::map<std::string, std::uint32_t, std::less<>> places_;
  std::string bytes_;
};

/// Each row once, told apart by its bytes.
class Table {
 public:
  explicit Table(Section section) : rows_(section) {}
  std::uint32_t index_of(const std::string& row) {
    const auto [known, is_new] = indices_.try_emplace(row, rows_.count());
    if (is_new) std::ranges::copy(row, rows_.append());
    return known->second;
  }
  [[nodiscard]] const Rows& rows() const { return rows_; }

 private:
  Rows rows_;
  std::map<std::string, std::uint32_t> indices_;
};

/// What is equal within a group, of results as of predictions.
template <class Stored>
auto group_key(const Stored& entry) {
  const Question& q = entry.question;
  const Problem& p = q.problem;
  return std::tie(q.family, q.space_key, p.op, p.in, p.acc, p.out, p.cache_mode, p.order, p.custom,
                  p.outer, p.inner, p.outer_pitch, p.count_pitch, p.batch, p.batch_pitch,
                  p.segment_count, p.offset_bits, p.skew, q.device_class, q.toolchain);
}

auto order_of(const StoredBest& entry) {
  return std::tuple(group_key(entry), entry.question.problem.count, entry.generation);
}

class Writer {
 public:
  std::string write(const Snapshot& snapshot);

 private:
  /// By hash, then by group.
  using Index = std::vector<std::pair<std::uint64_t, std::uint32_t>>;

  /// A row that begins with the places of texts.
  template <std::size_t count>
  std::string places(Section section, const std::array<std::string_view, count>& texts) {
    std::string row(row_bytes[static_cast<std::size_t>(section)], '\0');
    for (std::size_t i = 0; i < count; ++i) put(row.data() + 4 * i, texts_.place_of(texts[i]));
    return row;
  }
  std::uint32_t class_index(const DeviceClass& device_class);
  std::uint32_t shape_number(const Shape& shape);
  void put_group(char* row, const Question& question, std::size_t first, std::size_t count);
  void add_group(std::span<const StoredBest* const> members, std::size_t first);
  void add_predictions(std::span<const StoredPrediction> predictions);
  void add_entry(const StoredBest& entry);
  void add_borders(std::span<const StoredBest* const> entries,
                   std::span<const StoredBorder> borders);
  static Rows index_rows(Section section, Index& index);
  std::string file(std::int64_t generation);

  Texts texts_;
  Table classes_{Section::classes};
  Table toolchains_{Section::toolchains};
  Table kinds_{Section::kinds};
  std::map<Shape, std::uint32_t> shape_numbers_;
  Rows shapes_{Section::shapes};
  Rows batches_{Section::batches};
  bool has_batches_ = false;
  Rows segments_{Section::segments};
  bool has_segments_ = false;
  Rows groups_{Section::groups};
  Rows entries_{Section::entries};
  Rows borders_{Section::borders};
  Rows predicted_groups_{Section::predicted_groups};
  Rows predictions_{Section::predictions};
  Index predicted_;
  std::array<Index, 3> indexes_;  ///< exact, same_class, sibling
};

std::uint32_t Writer::class_index(const DeviceClass& device_class) {
  const ClassRow row = row_of(device_class);
  std::string bytes = places(Section::classes, row.texts);
  char* to = bytes.data() + 4 * row.texts.size();
  for_each_member(device_class, [&]<class Value>(const auto&, const Value& value) {
    if constexpr (std::is_arithmetic_v<Value>) {
      put(to, value);
      to += sizeof value;
    }
  });
  return classes_.index_of(bytes);
}

std::uint32_t Writer::shape_number(const Shape& shape) {
  Shape extents = shape;
  extents.count = 0;
  if (extents == Shape{}) return 0;
  const auto [known, is_new] = shape_numbers_.try_emplace(extents, shapes_.count() + 1);
  if (is_new) {
    char* const row = shapes_.append();
    put(row, shape.outer);
    put(row + 8, shape.inner);
    put(row + 16, shape.outer_pitch);
    put(row + 24, shape.count_pitch);
    char* const batch = batches_.append();
    put(batch, shape.batch);
    put(batch + 8, shape.batch_pitch);
    has_batches_ = has_batches_ || shape.batch != 1;
    char* const segments = segments_.append();
    put(segments, shape.segment_count);
    put(segments + 8, shape.offset_bits);
    put(segments + 16, static_cast<std::int64_t>(shape.skew));
    has_segments_ = has_segments_ || is_segmented(shape);
  }
  return known->second;
}

void Writer::put_group(char* row, const Question& question, std::size_t first, std::size_t count) {
  const KindRow kind = kind_of(question.problem);
  const ToolchainRow toolchain = row_of(question.toolchain);
  const std::uint32_t numbers[] = {
      texts_.place_of(question.family),
      texts_.place_of(question.space_key),
      kinds_.index_of(places(Section::kinds, kind.texts)),
      class_index(question.device_class),
      toolchains_.index_of(places(Section::toolchains, toolchain.texts)),
      static_cast<std::uint32_t>(first),
      static_cast<std::uint32_t>(count),
      shape_number(question.problem)};
  for (std::size_t i = 0; i < std::size(numbers); ++i) put(row + 4 * i, numbers[i]);
}

IndexHashes hashes_of(const Question& question) {
  return index_hashes({question.family, question.space_key, kind_of(question.problem),
                       row_of(question.device_class), row_of(question.toolchain)});
}

void Writer::add_group(std::span<const StoredBest* const> members, std::size_t first) {
  const Question& question = members.front()->question;
  const IndexHashes hashes = hashes_of(question);
  const std::uint32_t index = groups_.count();
  indexes_[0].emplace_back(hashes.exact, index);
  indexes_[1].emplace_back(hashes.same_class, index);
  indexes_[2].emplace_back(hashes.sibling, index);
  char* const row = groups_.append();
  put_group(row, question, first, members.size());
  const auto newest = std::ranges::max_element(members, {}, &StoredBest::generation);
  put(row + group_at_newest, (*newest)->generation);
}

void Writer::add_predictions(std::span<const StoredPrediction> predictions) {
  std::vector<const StoredPrediction*> sorted;
  for (const StoredPrediction& one : predictions) sorted.push_back(&one);
  std::ranges::stable_sort(sorted, {}, [](const StoredPrediction* one) {
    return std::tuple(group_key(*one), one->question.problem.count);
  });
  std::size_t first = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const StoredPrediction& one = *sorted[i];
    char* const row = predictions_.append();
    put(row + prediction_at_count, one.question.problem.count);
    put(row + prediction_at_texts, texts_.place_of(one.settings));
    put(row + prediction_at_texts + 4, texts_.place_of(one.at));
    put(row + prediction_at_trials, one.trials);
    const bool is_last = i + 1 == sorted.size() || group_key(one) != group_key(*sorted[i + 1]);
    if (!is_last) continue;
    predicted_.emplace_back(hashes_of(one.question).same_class, predicted_groups_.count());
    put_group(predicted_groups_.append(), one.question, first, i + 1 - first);
    first = i + 1;
  }
}

void Writer::add_entry(const StoredBest& entry) {
  const Best& best = entry.best;
  const std::uint32_t texts[] = {texts_.place_of(best.settings), texts_.place_of(entry.device_name),
                                 texts_.place_of(entry.at), texts_.place_of(best.reason)};
  char* const row = entries_.append();
  put(row + entry_at_count, entry.question.problem.count);
  put(row + entry_at_generation, entry.generation);
  put(row + entry_at_run, static_cast<std::int64_t>(entry.run));
  for (std::size_t i = 0; i < std::size(texts); ++i) put(row + entry_at_texts + 4 * i, texts[i]);
  char* to = row + entry_at_numbers;
  for_each_measured(best, [&](double number) {
    put(to, std::bit_cast<std::uint64_t>(number));
    to += sizeof number;
  });
  for_each_counted(best, [&](int number) {
    put(to, number);
    to += sizeof number;
  });
}

/// Those that hold between the entries; each stands at the newest entry of its smaller count.
void Writer::add_borders(std::span<const StoredBest* const> entries,
                         std::span<const StoredBorder> borders) {
  if (borders.empty()) return;
  std::map<std::pair<Question, std::int64_t>, const StoredBorder*> by_counts;
  for (const StoredBorder& one : borders) {
    by_counts.emplace(std::pair(one.question, one.border.above), &one);
  }
  for (std::size_t i = 0; i + 1 < entries.size(); ++i) {
    const StoredBest& below = *entries[i];
    const bool is_last_of_group = group_key(below) != group_key(*entries[i + 1]);
    const std::int64_t next = entries[i + 1]->question.problem.count;
    if (is_last_of_group || below.question.problem.count == next) continue;
    std::size_t newest = i + 1;
    while (newest + 1 < entries.size() &&
           entries[newest + 1]->question == entries[newest]->question) {
      ++newest;
    }
    const auto found = by_counts.find({below.question, next});
    if (found == by_counts.end()) continue;
    const StoredBorder& border = *found->second;
    if (!is_plausible(border) || !is_between(border, below, *entries[newest])) continue;
    char* const row = borders_.append();
    put(row + border_at_entry, static_cast<std::uint32_t>(i));
    put(row + border_at_date, texts_.place_of(border.at));
    char* to = row + border_at_first;
    for (const std::int64_t count :
         {border.border.first, border.border.still_below, border.border.first_above}) {
      put(to, count);
      to += sizeof count;
    }
  }
}

std::string Writer::write(const Snapshot& snapshot) {
  std::vector<const StoredBest*> entries;
  for (const StoredBest& entry : snapshot.entries) entries.push_back(&entry);
  std::ranges::stable_sort(entries, {}, [](const StoredBest* entry) { return order_of(*entry); });
  // What groups share comes first and lies together: a look-up reads few blocks.
  const auto of_another_group = [](const StoredBest* a, const StoredBest* b) {
    return group_key(*a) != group_key(*b);
  };
  for (auto begin = entries.begin(); begin != entries.end();) {
    auto end = std::adjacent_find(begin, entries.end(), of_another_group);
    if (end != entries.end()) ++end;
    add_group({begin, end}, static_cast<std::size_t>(begin - entries.begin()));
    begin = end;
  }
  for (const StoredBest* entry : entries) add_entry(*entry);
  add_borders(entries, snapshot.borders);
  add_predictions(snapshot.predictions);
  return file(snapshot.generation);
}

Rows Writer::index_rows(Section section, Index& index) {
  std::ranges::sort(index);
  Rows rows(section);
  for (const auto& [hash, group] : index) {
    char* const row = rows.append();
    put(row, hash);
    put(row + index_at_group, group);
  }
  return rows;
}

std::string Writer::file(std::int64_t generation) {
  const std::array indexes{
      index_rows(Section::exact, indexes_[0]), index_rows(Section::same_class, indexes_[1]),
      index_rows(Section::sibling, indexes_[2]), index_rows(Section::predicted, predicted_)};
  const bool is_of_counts = shapes_.count() == 0;
  // Where there is nothing else, files are as they were before there was anything else.
  const bool has_more =
      borders_.count() > 0 || predictions_.count() > 0 || has_batches_ || has_segments_;
  const std::string_view batches = has_batches_ ? batches_.bytes() : std::string_view();
  const std::string_view segments = has_segments_ ? segments_.bytes() : std::string_view();
  std::string more(has_more ? 8 * (section_count - head_section_count) : 0, '\0');
  const std::array<std::string_view, section_count> sections{texts_.bytes(),
                                                             classes_.rows().bytes(),
                                                             toolchains_.rows().bytes(),
                                                             kinds_.rows().bytes(),
                                                             groups_.bytes(),
                                                             entries_.bytes(),
                                                             indexes[0].bytes(),
                                                             indexes[1].bytes(),
                                                             indexes[2].bytes(),
                                                             shapes_.bytes(),
                                                             more,
                                                             borders_.bytes(),
                                                             predicted_groups_.bytes(),
                                                             predictions_.bytes(),
                                                             indexes[3].bytes(),
                                                             batches,
                                                             segments};
  std::size_t bytes = 1;  // so that there is a block
  for (const std::string_view section : sections) bytes += section.size();
  const std::size_t blocks = (bytes + block_bytes - 1) / block_bytes;
  const std::size_t head = head_bytes_for(blocks);
  std::string file(head + blocks * block_bytes, '\0');
  if (file.size() > max_snapshot_bytes) throw UsageError(std::string(too_much));
  magic.copy(file.data(), magic.size());
  const std::uint32_t of_arrays = has_segments_  ? version
                                  : has_batches_ ? version_of_batches
                                                 : version_of_arrays;
  put(file.data() + at_version, is_of_counts ? version_of_counts : of_arrays);
  put(file.data() + at_block_bytes, static_cast<std::uint32_t>(block_bytes));
  put(file.data() + at_file_bytes, static_cast<std::uint64_t>(file.size()));
  put(file.data() + at_generation, generation);
  put(file.data() + at_head_bytes, static_cast<std::uint32_t>(head));
  std::size_t offset = head;
  std::size_t at_more = 0;
  for (std::size_t i = 0; i < section_count; ++i) {
    const auto section = static_cast<Section>(i);
    const bool is_told =
        section == Section::shapes ? !is_of_counts : section < Section::shapes || !more.empty();
    if (section == Section::more) at_more = offset;
    char* const at = i < head_section_count ? file.data() + at_sections + 8 * i
                                            : file.data() + at_more + 8 * (i - head_section_count);
    if (is_told) {
      put(at, static_cast<std::uint32_t>(offset));
      put(at + 4, static_cast<std::uint32_t>(sections[i].size() / row_bytes[i]));
    }
    offset += sections[i].copy(file.data() + offset, sections[i].size());
  }
  seal(file);
  return file;
}

}  // namespace

std::string to_bytes(const Snapshot& snapshot) {
  return Writer{}.write(snapshot);
}

namespace format {

void seal(std::string& file) {
  const std::size_t head = get<std::uint32_t>(file.data() + at_head_bytes);
  char* to = file.data() + at_block_hashes;
  for (std::size_t at = head; at < file.size(); at += block_bytes) {
    std::ranges::copy_n(sha256(std::string_view(file).substr(at, block_bytes)).begin(),
                        block_hash_bytes, to);
    to += block_hash_bytes;
  }
  const std::string_view covered = std::string_view(file).substr(0, head - head_hash_bytes);
  std::ranges::copy(sha256(covered), file.data() + covered.size());
}

}  // namespace format
}  // namespace redtune::cache
