// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/snapshot/view.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <type_traits>

#include "cache/keys/limits.hpp"
#include "redtune/error.hpp"

namespace redtune::cache {

using namespace format;

namespace {

/// The problem of a kind; nothing for names that only another version knows.
std::optional<Problem> problem_of(const KindRow& kind, const Shape& shape) {
  if (!is_possible(shape)) return std::nullopt;
  Problem problem;
  static_cast<Shape&>(problem) = shape;
  auto text = kind.texts.begin();
  try {
    for_each_member(problem, [&](const auto& row, auto& value) {
      if (is_of_kind(row)) (void)read_member_text(*text++, value);
    });
    return problem;
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

template <class Row, class Record>
Row row_of_record(const Record& record) {
  Row found{};
  auto text = found.texts.begin();
  auto number = found.numbers.begin();
  for_each_member(record, [&]<class Value>(const auto&, const Value& value) {
    if constexpr (std::is_arithmetic_v<Value>)
      *number++ = value;
    else
      *text++ = member_text(value);
  });
  return found;
}

template <class Record>
Record record_of(const RecordRow<Record>& found) {
  Record record;
  auto text = found.texts.begin();
  auto number = found.numbers.begin();
  for_each_member(record, [&]<class Value>(const auto&, Value& value) {
    if constexpr (std::is_arithmetic_v<Value>)
      value = static_cast<Value>(*number++);
    else
      value = *text++;
  });
  return record;
}

/// Nothing is copied of a text before: a small file can name a large one many times.
template <std::size_t count>
bool are_names(const std::array<std::string_view, count>& texts) {
  return std::ranges::all_of(texts,
                             [](std::string_view text) { return text.size() <= most_name_bytes; });
}

bool are_names(const KindRow& kind) {
  for (std::size_t i = 0; i < kind.texts.size(); ++i) {
    const bool is_program = i == KindRow::program_of_operator;
    if (kind.texts[i].size() > (is_program ? most_text_bytes : most_name_bytes)) return false;
  }
  return true;
}

}  // namespace

KindRow kind_of(const Problem& problem) {
  KindRow kind{};
  auto text = kind.texts.begin();
  for_each_member(problem, [&]<class Value>(const auto& row, const Value& value) {
    if constexpr (!std::is_arithmetic_v<Value>) {
      if (!is_of_kind(row)) return;
      const bool says_something = row.written != Written::of_custom || is_users_own(problem.op);
      *text++ = says_something ? std::string_view(member_text(value)) : std::string_view();
    }
  });
  return kind;
}

bool operator==(const KindRow& a, const KindRow& b) {
  for (std::size_t i = 0; i < a.texts.size(); ++i) {
    if (i != KindRow::name_of_operator && a.texts[i] != b.texts[i]) return false;
  }
  return true;
}

ClassRow row_of(const DeviceClass& device_class) {
  return row_of_record<ClassRow>(device_class);
}

ToolchainRow row_of(const Toolchain& toolchain) {
  return row_of_record<ToolchainRow>(toolchain);
}

IndexHashes index_hashes(const QuestionRow& question) {
  IndexHash kind;
  kind.add(question.family);
  for (std::size_t i = 0; i < question.kind.texts.size(); ++i) {
    if (i != KindRow::name_of_operator) kind.add(question.kind.texts[i]);
  }
  const ClassRow& what = question.device_class;
  const IndexHash sibling =
      kind.add(what.platform()).add(what.isa()).add(what.partition()).add(what.compute_units());
  IndexHash same_class = sibling;
  same_class.add(what.model());
  for (std::size_t i = 0; i < what.numbers.size(); ++i) {
    if (i != ClassRow::unit_number) same_class.add(what.numbers[i]);
  }
  IndexHash exact = IndexHash(same_class).add(question.space);
  for (const std::string_view text : question.toolchain.texts) exact.add(text);
  return {exact.value(), same_class.value(), sibling.value()};
}

std::size_t SnapshotView::entry_count() const {
  return bytes_.row_count(Section::entries);
}
std::size_t SnapshotView::group_count() const {
  return bytes_.row_count(Section::groups);
}
std::size_t SnapshotView::kind_count() const {
  return bytes_.row_count(Section::kinds);
}
std::size_t SnapshotView::class_count() const {
  return bytes_.row_count(Section::classes);
}
std::size_t SnapshotView::toolchain_count() const {
  return bytes_.row_count(Section::toolchains);
}

std::size_t SnapshotView::border_count() const {
  return bytes_.row_count(Section::borders);
}

std::string_view SnapshotView::text(std::uint32_t place) const {
  constexpr std::size_t prefix = sizeof(std::uint32_t);
  const auto size = get<std::uint32_t>(bytes_.rows(Section::texts, place, prefix).data());
  return bytes_.rows(Section::texts, place + prefix, size);
}

template <std::size_t count>
std::array<std::string_view, count> SnapshotView::texts(std::string_view row) const {
  std::array<std::string_view, count> found;
  for (std::size_t i = 0; i < count; ++i) found[i] = text(get<std::uint32_t>(row.data() + 4 * i));
  return found;
}

GroupRow SnapshotView::group(std::size_t index) const {
  return group_in(Section::groups, index);
}

std::size_t SnapshotView::prediction_count() const {
  return bytes_.row_count(Section::predictions);
}

std::size_t SnapshotView::predicted_group_count() const {
  return bytes_.row_count(Section::predicted_groups);
}

GroupRow SnapshotView::predicted_group(std::size_t index) const {
  return group_in(Section::predicted_groups, index);
}

std::int64_t SnapshotView::predicted_count(std::size_t row) const {
  return get<std::int64_t>(bytes_.rows(Section::predictions, row).data() + prediction_at_count);
}

GroupRow SnapshotView::group_in(Section section, std::size_t index) const {
  const std::string_view row = bytes_.rows(section, index);
  const auto number = [&](std::size_t i) { return get<std::uint32_t>(row.data() + 4 * i); };
  const auto [family, space] = texts<2>(row);
  return {family,
          space,
          number(2),
          number(3),
          number(4),
          number(5),
          number(6),
          get<std::uint32_t>(row.data() + group_at_shape),
          get<std::int64_t>(row.data() + group_at_newest)};
}

KindRow SnapshotView::kind(std::size_t index) const {
  return {texts<std::tuple_size_v<decltype(KindRow::texts)>>(bytes_.rows(Section::kinds, index))};
}

/// A row of places of texts, then of integers as long as they are in memory.
template <class Row, class Record>
Row SnapshotView::record(std::string_view row) const {
  Row found{};
  found.texts = texts<std::tuple_size_v<decltype(found.texts)>>(row);
  const char* from = row.data() + 4 * found.texts.size();
  auto number = found.numbers.begin();
  for_each_row<Record>([&]<class Described>(const Described&) {
    using Value = typename Described::Value;
    if constexpr (std::is_arithmetic_v<Value>) {
      *number++ = get<Value>(from);
      from += sizeof(Value);
    }
  });
  return found;
}

ClassRow SnapshotView::device_class(std::size_t index) const {
  return record<ClassRow, DeviceClass>(bytes_.rows(Section::classes, index));
}

ToolchainRow SnapshotView::toolchain(std::size_t index) const {
  return record<ToolchainRow, Toolchain>(bytes_.rows(Section::toolchains, index));
}

std::vector<std::uint32_t> SnapshotView::groups(Section index, std::uint64_t hash) const {
  const auto hash_at = [&](std::size_t row) {
    return get<std::uint64_t>(bytes_.rows(index, row).data());
  };
  std::size_t low = 0;
  for (std::size_t high = bytes_.row_count(index); low < high;) {
    const std::size_t middle = low + (high - low) / 2;
    if (hash_at(middle) < hash)
      low = middle + 1;
    else
      high = middle;
  }
  std::vector<std::uint32_t> found;
  for (; low < bytes_.row_count(index) && hash_at(low) == hash; ++low) {
    found.push_back(get<std::uint32_t>(bytes_.rows(index, low).data() + index_at_group));
  }
  return found;
}

std::int64_t SnapshotView::count_of(std::size_t entry) const {
  return get<std::int64_t>(bytes_.rows(Section::entries, entry).data() + entry_at_count);
}

namespace {

std::optional<Skew> skew_of(std::int64_t number) {
  constexpr auto last = static_cast<std::int64_t>(Skew::giant);
  if (number < 0 || number > last) return std::nullopt;
  return static_cast<Skew>(number);
}

}  // namespace

std::optional<Shape> SnapshotView::extents(const GroupRow& group) const {
  if (group.shape == 0) return Shape{};
  const std::string_view row = bytes_.rows(Section::shapes, group.shape - 1);
  Shape shape{.outer = get<std::int64_t>(row.data()),
              .inner = get<std::int64_t>(row.data() + 8),
              .outer_pitch = get<std::int64_t>(row.data() + 16),
              .count_pitch = get<std::int64_t>(row.data() + 24)};
  if (bytes_.row_count(Section::batches) > 0) {
    const std::string_view batch = bytes_.rows(Section::batches, group.shape - 1);
    shape.batch = get<std::int64_t>(batch.data());
    shape.batch_pitch = get<std::int64_t>(batch.data() + 8);
  }
  if (bytes_.row_count(Section::segments) > 0) {
    const std::string_view segments = bytes_.rows(Section::segments, group.shape - 1);
    shape.segment_count = get<std::int64_t>(segments.data());
    shape.offset_bits = get<std::int64_t>(segments.data() + 8);
    const auto skew = skew_of(get<std::int64_t>(segments.data() + 16));
    if (!skew) return std::nullopt;
    shape.skew = *skew;
  }
  return shape;
}

std::size_t SnapshotView::lower_bound(const GroupRow& group, std::int64_t count) const {
  std::size_t low = group.first;
  for (std::size_t high = low + group.count; low < high;) {
    const std::size_t middle = low + (high - low) / 2;
    if (count_of(middle) < count)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

std::size_t SnapshotView::next_count(const GroupRow& group, std::size_t entry) const {
  const std::size_t end = std::size_t{group.first} + group.count;
  const std::int64_t count = count_of(entry);
  while (entry < end && count_of(entry) == count) ++entry;
  return entry;
}

std::optional<BorderRow> SnapshotView::border_behind(const GroupRow& group,
                                                     std::size_t entry) const {
  const std::size_t count = bytes_.row_count(Section::borders);
  const auto entry_at = [&](std::size_t row) {
    return get<std::uint32_t>(bytes_.rows(Section::borders, row).data() + border_at_entry);
  };
  std::size_t low = 0;
  for (std::size_t high = count; low < high;) {
    const std::size_t middle = low + (high - low) / 2;
    if (entry_at(middle) < entry)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == count || entry_at(low) != entry) return std::nullopt;
  const std::size_t next = next_count(group, entry);
  if (next == std::size_t{group.first} + group.count) return std::nullopt;
  const char* const row = bytes_.rows(Section::borders, low).data();
  const auto number = [&](std::size_t i) {
    return get<std::int64_t>(row + border_at_first + 8 * i);
  };
  const BorderRow border{number(0), number(1), number(2),
                         text(get<std::uint32_t>(row + border_at_date))};
  const bool is_between = count_of(entry) <= border.still_below &&
                          border.still_below < border.first && border.first <= border.first_above &&
                          border.first_above <= count_of(next);
  return is_between ? std::optional(border) : std::nullopt;
}

/// A text of pairs of places: name and value.
std::optional<Settings> SnapshotView::settings(std::uint32_t place) const {
  std::string_view pairs = text(place);
  if (pairs.size() > 8 * most_settings) return std::nullopt;
  Settings settings;
  for (; pairs.size() >= 8; pairs.remove_prefix(8)) {
    const auto pair = texts<2>(pairs);
    if (!are_names(pair)) return std::nullopt;
    settings.push_back({std::string(pair[0]), std::string(pair[1])});
  }
  if (!pairs.empty()) return std::nullopt;
  return settings;
}

std::optional<Best> SnapshotView::best(std::string_view row) const {
  auto found = settings(get<std::uint32_t>(row.data() + entry_at_texts));
  if (!found) return std::nullopt;
  Best best{.settings = std::move(*found), .time_us = {}};
  const char* from = row.data() + entry_at_numbers;
  for_each_measured(best, [&](double& number) {
    number = std::bit_cast<double>(get<std::uint64_t>(from));
    from += sizeof number;
  });
  for_each_counted(best, [&](int& number) {
    number = get<std::int32_t>(from);
    from += sizeof number;
  });
  if (!is_plausible(best)) return std::nullopt;
  return best;
}

std::optional<Question> SnapshotView::question(const GroupRow& group, std::int64_t count) const {
  const KindRow kind = this->kind(group.kind);
  const ClassRow device_class = this->device_class(group.device_class);
  const ToolchainRow toolchain = this->toolchain(group.toolchain);
  if (!are_names(kind) || !are_names(device_class.texts) || !are_names(toolchain.texts) ||
      !are_names(std::array{group.family, group.space})) {
    return std::nullopt;
  }
  auto shape = extents(group);
  if (!shape) return std::nullopt;
  shape->count = count;
  const auto problem = problem_of(kind, *shape);
  if (!problem) return std::nullopt;
  return Question{.family = std::string(group.family),
                  .space_key = std::string(group.space),
                  .problem = *problem,
                  .device_class = record_of<DeviceClass>(device_class),
                  .toolchain = record_of<Toolchain>(toolchain)};
}

std::optional<StoredPrediction> SnapshotView::prediction(const GroupRow& group,
                                                         std::size_t index) const {
  const std::string_view row = bytes_.rows(Section::predictions, index);
  const std::string_view at = text(get<std::uint32_t>(row.data() + prediction_at_texts + 4));
  const auto trials = get<std::int64_t>(row.data() + prediction_at_trials);
  if (at.size() > most_name_bytes || trials <= 0) return std::nullopt;
  auto question = this->question(group, predicted_count(index));
  auto found = settings(get<std::uint32_t>(row.data() + prediction_at_texts));
  if (!question || !found) return std::nullopt;
  return StoredPrediction{.question = std::move(*question),
                          .settings = std::move(*found),
                          .trials = trials,
                          .at = std::string(at)};
}

std::optional<StoredBest> SnapshotView::entry(const GroupRow& group, std::size_t entry) const {
  const std::string_view row = bytes_.rows(Section::entries, entry);
  const auto texts = this->texts<4>(row.substr(entry_at_texts));
  const auto& [pairs, device_name, at, reason] = texts;
  if (!are_names(texts)) return std::nullopt;
  auto question = this->question(group, get<std::int64_t>(row.data() + entry_at_count));
  auto best = question ? this->best(row) : std::nullopt;
  if (!best) return std::nullopt;
  best->reason = reason;
  return StoredBest{.generation = get<std::int64_t>(row.data() + entry_at_generation),
                    .run = RunId{get<std::int64_t>(row.data() + entry_at_run)},
                    .question = std::move(*question),
                    .device_name = std::string(device_name),
                    .at = std::string(at),
                    .best = std::move(*best)};
}

}  // namespace redtune::cache
