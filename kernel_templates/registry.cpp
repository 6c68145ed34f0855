// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <mutex>
#include <ranges>
#include <utility>
#include <vector>

#include "kernel_templates/channels/family.hpp"
#include "kernel_templates/columns/family.hpp"
#include "kernel_templates/family/family.hpp"
#include "kernel_templates/reduce/family.hpp"
#include "kernel_templates/rows/family.hpp"
#include "kernel_templates/segments/family.hpp"
#include "redtune/error.hpp"
#include "redtune/suggest.hpp"

namespace redtune::kernels {
namespace {

/// What offsets are of says little, how lengths are spread a lot.
double segments_apart(const Shape& one, const Shape& other) {
  if (is_segmented(one) != is_segmented(other) || one.skew != other.skew) return 64;
  return one.offset_bits == other.offset_bits ? 0 : 0.001;
}

double pitches_apart(const Shape& one, const Shape& other) {
  if (one.outer_pitch == other.outer_pitch && one.count_pitch == other.count_pitch &&
      one.batch_pitch == other.batch_pitch) {
    return 0;
  }
  return gap_class(one) == gap_class(other) ? 0.001 : 64;
}

}  // namespace

std::uint32_t gap_class(const Shape& shape) {
  static constexpr std::uint32_t of_segments = 64;  // above all of pitches
  if (is_segmented(shape)) {
    return of_segments + static_cast<std::uint32_t>(shape.skew);
  }
  static constexpr int most = 4;  // powers of two up to the elements of the widest vector
  const auto of = [](std::int64_t pitch) {
    if (pitch == 0) return 0U;
    return 1U + static_cast<std::uint32_t>(
                    std::min(most, std::countr_zero(static_cast<std::uint64_t>(pitch))));
  };
  // Elements of a batch lie beside each other: one of the two is always 0.
  return of(shape.outer_pitch) * 8 + of(shape.count_pitch | shape.batch_pitch);
}

std::size_t Family::bytes_held(const Problem& problem) const {
  return input_bytes(problem) + output_bytes(problem) +
         static_cast<std::size_t>(offsets_bytes(problem));
}

double Family::bytes_moved(const Problem& problem) const {
  return static_cast<double>(elements_of(problem)) * static_cast<double>(size_of(problem.in)) +
         static_cast<double>(output_bytes(problem)) + static_cast<double>(offsets_bytes(problem));
}

/// One more than an extent, so that an empty input has a place on the scale.
double Family::distance(const Shape& first, const Shape& second) const {
  const Shape one = compared_shape(first);
  const Shape other = compared_shape(second);
  const auto apart = [](std::int64_t a, std::int64_t b) {
    return std::abs(std::log2(static_cast<double>(a) + 1) - std::log2(static_cast<double>(b) + 1));
  };
  const auto [count, outer, inner, batch] = extent_weights();
  return 2 * (count * apart(one.count, other.count) + outer * apart(one.outer, other.outer) +
              inner * apart(one.inner, other.inner) + batch * apart(one.batch, other.batch)) +
         pitches_apart(one, other) + segments_apart(first, second);
}

namespace {

/// Kernels that users brought; none ever leaves.
class AdoptedFamilies {
 public:
  const Family& add(std::unique_ptr<const Family> family) {
    const std::scoped_lock lock(mutex_);
    return *families_.emplace_back(std::move(family));
  }
  /// The one that came last of those that a predicate takes; null: none.
  template <class Takes>
  [[nodiscard]] const Family* find(const Takes& takes) const {
    const std::scoped_lock lock(mutex_);
    for (const auto& family : families_ | std::views::reverse) {
      if (takes(*family)) return family.get();
    }
    return nullptr;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<const Family>> families_;
};

AdoptedFamilies& adopted_families() {
  static AdoptedFamilies families;
  return families;
}

}  // namespace

std::optional<search::Point> known_point(const Family& family, const Settings& settings) {
  try {
    return family.point_of(settings);
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

std::span<const Family* const> all_families() {
  static const ReduceFamily reduce;
  static const RowsFamily rows;
  static const ColumnsFamily columns;
  static const ChannelsFamily channels;
  static const SegmentsFamily segments;
  static const Family* const families[]{&reduce, &rows, &columns, &channels, &segments};
  return families;
}

const Family& adopt_family(std::unique_ptr<const Family> family) {
  return adopted_families().add(std::move(family));
}

const Family& find_family(std::string_view name) {
  if (const Family* adopted =
          adopted_families().find([&](const Family& one) { return one.name() == name; })) {
    return *adopted;
  }
  if (name.find('@') != std::string_view::npos) {
    throw UsageError(
        fmt::format("{} is a kernel of a user's: it is known where its file is named", name));
  }
  std::vector<std::string_view> names;
  for (const Family* family : all_families()) {
    if (family->name() == name) return *family;
    names.push_back(family->name());
  }
  throw UsageError(fmt::format("unknown kernel family '{}'{}; known: {}", name,
                               suggest(name, names), join(names)));
}

const Family& family_of(const Problem& problem) {
  const auto serves = [&](const Family& family) { return family.serves(problem); };
  if (problem.op == Op::kernel) {
    if (const Family* adopted = adopted_families().find(serves)) return *adopted;
    throw UsageError(fmt::format("{} is a kernel of a user's: name its file", describe(problem)));
  }
  for (const Family* family : all_families()) {
    if (family->serves(problem)) return *family;
  }
  throw UsageError(fmt::format("no kernel family serves {}", describe(problem)));
}

}  // namespace redtune::kernels
