// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/workload/lists.hpp"

#include <fmt/format.h>
#include <utility>

#include "redtune/error.hpp"
#include "redtune/reduce_axes.hpp"

namespace redtune::tuner {
namespace {

constexpr std::string_view range_mark = "..";

std::vector<std::string_view> parts_between(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::string_view rest = text;;) {
    const std::size_t end = rest.find(separator);
    parts.push_back(rest.substr(0, end));
    if (end == std::string_view::npos) return parts;
    rest.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> entries_of(std::string_view list) {
  std::vector<std::string_view> entries = parts_between(list, ',');
  if (entries.size() > 1 && std::ranges::count(entries, std::string_view()) > 0) {
    throw UsageError(fmt::format(
        "'{}' has an entry with nothing in it; write one comma between two entries", list));
  }
  return entries;
}

template <class Parse>
auto parse_list(std::string_view text, const Parse& parse) {
  std::vector<decltype(parse(text))> values;
  for (const std::string_view entry : entries_of(text)) add_once(values, parse(entry));
  return values;
}

struct CountRange {
  std::int64_t first;
  std::int64_t last;
  std::int64_t factor;
};

/// Of "2^8..2^30:4"; mark: where the dots are.
CountRange parse_range(std::string_view text, std::size_t mark) {
  const std::string_view behind = text.substr(mark + range_mark.size());
  const std::size_t colon = behind.find(':');
  const std::string_view first = text.substr(0, mark);
  const std::string_view last = behind.substr(0, colon);
  if (first.empty() || last.empty()) {
    throw UsageError(fmt::format(
        "'{}' is no range of counts; write both ends, like 2^8..2^30 or 2^8..2^30:4", text));
  }
  CountRange range{parse_count(first), parse_count(last), 2};
  if (range.first < 1) {
    throw UsageError(fmt::format(
        "the range '{}' begins at 0, and no factor leads on from there; begin at 1 or more", text));
  }
  if (range.last < range.first) {
    throw UsageError(fmt::format("the range '{}' is upside down; write {}..{}", text, last, first));
  }
  if (colon == std::string_view::npos) return range;
  const std::string_view factor = behind.substr(colon + 1);
  try {
    range.factor = parse_count(factor);
  } catch (const UsageError&) {
    range.factor = 0;
  }
  if (range.factor < 2) {
    throw UsageError(fmt::format(
        "the step '{}' of the range '{}' must be a whole number from 2: the factor from one count "
        "to the next",
        factor, text));
  }
  return range;
}

void add_range(std::vector<std::int64_t>& counts, const CountRange& range) {
  for (std::int64_t count = range.first;; count *= range.factor) {
    add_once(counts, count);
    if (count > range.last / range.factor) return;
  }
}

/// A count or a range of them.
void add_counts(std::vector<std::int64_t>& counts, std::string_view entry) {
  const std::size_t mark = entry.find(range_mark);
  if (mark == std::string_view::npos) {
    add_once(counts, parse_count(entry));
  } else {
    add_range(counts, parse_range(entry, mark));
  }
}

/// Of one entry of a list.
std::vector<Extents> arrays_of(std::string_view entry) {
  if (entry.find(range_mark) == std::string_view::npos) return {parse_extents(entry)};
  std::vector<Extents> arrays{{}};
  for (const std::string_view part : parts_between(entry, 'x')) {
    std::vector<std::int64_t> extents;
    add_counts(extents, part);
    std::vector<Extents> longer;
    require_few_problems(arrays.size() * extents.size());
    for (const Extents& array : arrays) {
      for (const std::int64_t extent : extents) {
        longer.push_back(array);
        longer.back().push_back(extent);
      }
    }
    arrays = std::move(longer);
  }
  return arrays;
}

}  // namespace

void require_few_problems(std::size_t count) {
  if (count <= most_problems) return;
  throw UsageError(
      fmt::format("these are more than the {} problems that one workload may have; tune them in "
                  "several runs, or take ranges, like 2^8..2^30",
                  most_problems));
}

std::vector<Op> parse_ops(std::string_view text) {
  return parse_list(text, parse_op);
}

std::vector<DType> parse_dtypes(std::string_view text) {
  return parse_list(text, parse_dtype);
}

std::vector<std::int64_t> parse_counts(std::string_view text) {
  std::vector<std::int64_t> counts;
  for (const std::string_view entry : entries_of(text)) add_counts(counts, entry);
  return counts;
}

std::vector<std::int64_t> parse_numbers(std::string_view text) {
  std::vector<std::int64_t> numbers;
  for (const std::string_view entry : entries_of(text)) numbers.push_back(parse_count(entry));
  return numbers;
}

std::vector<Extents> parse_arrays(std::string_view text) {
  std::vector<Extents> arrays;
  for (const std::string_view entry : entries_of(text)) {
    for (const Extents& array : arrays_of(entry)) add_once(arrays, array);
  }
  return arrays;
}

std::vector<Shape> shapes_of_arrays(std::span<const Extents> arrays, const ArrayAxes& how) {
  std::vector<Shape> shapes;
  for (const Extents& extents : arrays) {
    add_once(shapes, reduce_axes(extents, how.strides, how.axes));
  }
  return shapes;
}

std::vector<Shape> rows_of_total(std::span<const std::int64_t> lengths, std::int64_t total) {
  std::vector<Shape> shapes;
  for (const std::int64_t length : lengths) {
    if (length < 1) {
      throw UsageError("rows of 0 elements have no total; name lengths of 1 or more");
    }
    if (length > total) {
      throw UsageError(fmt::format("a row of {} is more than the total of {}",
                                   describe_count(length), describe_count(total)));
    }
    add_once(shapes, Shape::rows(total / length, length));
  }
  return shapes;
}

std::vector<Shape> segments_of_counts(std::span<const std::int64_t> counts,
                                      std::span<const std::int64_t> segments,
                                      const SegmentKind& kind) {
  std::vector<Shape> shapes;
  for (const std::int64_t count : counts) {
    for (const std::int64_t many : segments) {
      add_once(shapes, Shape::segments(count, many, kind.offset_bits, kind.skew));
    }
  }
  return shapes;
}

}  // namespace redtune::tuner
