// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "redtune/reduce_axes.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <string>

#include "redtune/error.hpp"

namespace redtune {
namespace {

enum class Fate { kept, reduced };

/// Neighbouring axes that are one: of so many indices, each so many elements behind the last.
struct Axis {
  Fate fate;
  std::int64_t extent;
  std::int64_t stride;
  std::size_t first;  ///< of those that it is made of, in the array
};

std::string extents_text(const std::vector<std::int64_t>& extents) {
  return fmt::format("{}", fmt::join(extents, "x"));
}

std::vector<std::string_view> parts_of(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// The product of all extents and an element's size is a number.
void check_extents(const std::vector<std::int64_t>& extents) {
  std::int64_t elements = 8;
  for (const std::int64_t extent : extents) {
    if (extent < 0) {
      throw UsageError(fmt::format("an extent of {} is {}; extents are 0 or more",
                                   extents_text(extents), extent));
    }
    if (__builtin_mul_overflow(elements, std::max<std::int64_t>(extent, 1), &elements)) {
      throw UsageError(
          fmt::format("{} elements are more than 64 bits can index", extents_text(extents)));
    }
  }
}

/// Every element of the array has a byte that 64 bits index. Strides may be none.
void check_reach(const std::vector<std::int64_t>& extents,
                 const std::vector<std::int64_t>& strides) {
  for (std::size_t i = 0; i < strides.size(); ++i) {
    std::int64_t bytes = 8;
    if (extents[i] <= 1 || (!__builtin_mul_overflow(bytes, extents[i], &bytes) &&
                            !__builtin_mul_overflow(bytes, strides[i], &bytes))) {
      continue;
    }
    throw UsageError(
        fmt::format("the stride of axis {} is {}, and {} of them are more elements "
                    "than 64 bits can index",
                    i, strides[i], extents[i]));
  }
}

/// Of each axis what becomes of it.
std::vector<Fate> fates_of(const std::vector<std::int64_t>& extents,
                           const std::vector<std::int64_t>& axes) {
  const auto rank = static_cast<std::int64_t>(extents.size());
  std::vector<Fate> fates(extents.size(), axes.empty() ? Fate::reduced : Fate::kept);
  for (const std::int64_t axis : axes) {
    if (axis < -rank || axis >= rank) {
      throw UsageError(fmt::format("{} has no axis {}; its axes are 0 to {}, or -1 to {} backwards",
                                   extents_text(extents), axis, rank - 1, -rank));
    }
    Fate& fate = fates[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)];
    if (fate == Fate::reduced) {
      throw UsageError(fmt::format("axis {} of {} is named twice", axis, extents_text(extents)));
    }
    fate = Fate::reduced;
  }
  return fates;
}

std::vector<std::int64_t> strides_without_gaps(const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> strides(extents.size(), 1);
  for (std::size_t i = extents.size(); i > 1; --i) {
    strides[i - 2] = strides[i - 1] * std::max<std::int64_t>(extents[i - 1], 1);
  }
  return strides;
}

/// The axes of more than one index, by how far apart their indices are; equals as they stood.
std::vector<Axis> axes_of(const std::vector<std::int64_t>& extents,
                          const std::vector<std::int64_t>& strides,
                          const std::vector<Fate>& fates) {
  std::vector<Axis> axes;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (extents[i] != 1) axes.push_back({fates[i], extents[i], strides[i], i});
  }
  std::ranges::stable_sort(axes, std::greater<>(), &Axis::stride);
  return axes;
}

void merge_neighbours(std::vector<Axis>& axes) {
  std::vector<Axis> merged;
  for (const Axis& axis : axes) {
    std::int64_t next = 0;
    const bool is_one = !merged.empty() && merged.back().fate == axis.fate &&
                        !__builtin_mul_overflow(axis.extent, axis.stride, &next) &&
                        merged.back().stride == next;
    if (is_one) {
      merged.back().extent *= axis.extent;
      merged.back().stride = axis.stride;
    } else {
      merged.push_back(axis);
    }
  }
  axes = std::move(merged);
}

/// Whether kept axes stand in memory as they stand in the array.
bool are_results_in_order(const std::vector<Axis>& axes) {
  std::vector<std::size_t> kept;
  for (const Axis& axis : axes) {
    if (axis.fate == Fate::kept) kept.push_back(axis.first);
  }
  return std::ranges::is_sorted(kept);
}

/// What is said of axes that are no Shape.
std::string why_no_shape(const std::vector<Axis>& axes) {
  std::vector<std::size_t> reduced;
  std::vector<std::size_t> kept;
  for (const Axis& axis : axes) {
    (axis.fate == Fate::reduced ? reduced : kept).push_back(axis.first);
  }
  if (reduced.size() > 1) {
    return fmt::format(
        "axes {} are reduced and do not lie behind each other in memory; reduce one after the "
        "other",
        fmt::join(reduced, " and "));
  }
  return fmt::format(
      "the results along axes {} cannot lie one behind the other as their elements do; copy the "
      "array without gaps and in the order of its axes",
      fmt::join(kept, " and "));
}

}  // namespace

Shape reduce_axes(const std::vector<std::int64_t>& extents,
                  const std::vector<std::int64_t>& strides, const std::vector<std::int64_t>& axes) {
  check_extents(extents);
  if (!strides.empty() && strides.size() != extents.size()) {
    throw UsageError(fmt::format("{} has {} axes and {} strides; give one for each axis",
                                 extents_text(extents), extents.size(), strides.size()));
  }
  for (std::size_t i = 0; i < strides.size(); ++i) {
    if (strides[i] >= 1 || extents[i] <= 1) continue;
    throw UsageError(
        fmt::format("the stride of axis {} is {}; strides are 1 or more", i, strides[i]));
  }
  check_reach(extents, strides);
  const std::vector<Fate> fates = fates_of(extents, axes);
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (extents[i] != 0) continue;
    if (fates[i] == Fate::reduced) continue;
    throw UsageError(
        fmt::format("{} has no results: axis {} has no index", extents_text(extents), i));
  }
  std::vector<Axis> left =
      axes_of(extents, strides.empty() ? strides_without_gaps(extents) : strides, fates);
  if (!are_results_in_order(left)) throw UsageError(why_no_shape(left));
  merge_neighbours(left);

  Shape shape{.count = 1};
  std::size_t at = 0;
  const auto take = [&](Fate fate) -> const Axis* {
    return at < left.size() && left[at].fate == fate ? &left[at++] : nullptr;
  };
  const bool has_batch = std::ranges::count(left, Fate::reduced, &Axis::fate) == 2;
  const Axis* const batch = has_batch ? take(Fate::reduced) : nullptr;
  const Axis* const before = take(Fate::kept);
  const Axis* const reduced = take(Fate::reduced);
  const Axis* const behind = reduced != nullptr ? take(Fate::kept) : nullptr;
  const bool is_scattered =
      batch != nullptr && (behind != nullptr || reduced == nullptr || reduced->stride != 1);
  if (at < left.size() || (behind != nullptr && behind->stride != 1) || is_scattered) {
    throw UsageError(why_no_shape(left));
  }
  if (reduced != nullptr) shape.count = reduced->extent;
  if (behind != nullptr) shape.inner = behind->extent;
  if (before != nullptr) shape.outer = before->extent;
  if (reduced != nullptr) shape.count_pitch = reduced->stride;
  if (before != nullptr) shape.outer_pitch = before->stride;
  if (batch != nullptr && batch->extent * reduced->extent == 0) {
    shape = {.count = 0, .outer = shape.outer};
  } else if (batch != nullptr) {
    shape.batch = batch->extent;
    shape.batch_pitch = batch->stride;
  }
  return without_needless_pitches(shape);
}

std::vector<std::int64_t> parse_extents(std::string_view text) {
  std::vector<std::int64_t> extents;
  try {
    for (const std::string_view part : parts_of(text, 'x')) extents.push_back(parse_count(part));
  } catch (const UsageError&) {
    throw UsageError(fmt::format(
        "'{}' is not the shape of an array; write its extents like 4096x1024 or 2^12x1000", text));
  }
  return extents;
}

std::vector<std::int64_t> parse_axes(std::string_view text) {
  std::vector<std::int64_t> axes;
  for (const std::string_view part : parts_of(text, ',')) {
    std::int64_t axis = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), axis);
    if (error != std::errc{} || end != part.data() + part.size()) {
      throw UsageError(fmt::format(
          "'{}' is not an axis; write 0 for the first, -1 for the last, 0,2 for two of them",
          text));
    }
    axes.push_back(axis);
  }
  return axes;
}

}  // namespace redtune
