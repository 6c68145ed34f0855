// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Which answer serves which counts of a problem: ranges whose borders lie where the look-up's
// answer changes. See docs/decisions/0022.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "redtune/find_best.hpp"

namespace redtune::runtime {

/// A range of counts that one answer serves, up to the next class's first.
struct SizeClass {
  std::int64_t first = 0;
  Answer answer;  ///< as found for one count of the range
  /// The count that the settings were tuned for; nothing for the family's default.
  std::optional<std::int64_t> tuned_count;
};

/// The answer for one count.
struct Found {
  Answer answer;
  std::optional<std::int64_t> tuned_count;
};

/// Counts that are asked for by themselves, of however many are tuned.
inline constexpr std::size_t most_tuned_counts = 256;

/// These counts, ascending, each once; of more than most_tuned_counts so many: of each power of two
/// the same number, or all that it has, from its smallest to its largest at even steps.
[[nodiscard]] std::vector<std::int64_t> kept_counts(std::vector<std::int64_t> tuned);

/// Every count has a class: the first begins at 0, the last has no end. ask is asked for counts
/// from 0 to 2^40, a few times for each class, and for those that may have an answer of their own:
/// `tuned`, in any order. Between these only near answers and the default change. Asks no more than
/// 3 times for each of `tuned` and 16,500 times beside.
[[nodiscard]] std::vector<SizeClass> find_size_classes(
    const std::function<Found(std::int64_t count)>& ask, std::span<const std::int64_t> tuned);

/// Lets a class begin at a count, with the answer of the class that it is taken from. Of classes as
/// find_size_classes() gives them; first >= 0.
void begin_class_at(std::vector<SizeClass>& classes, std::int64_t first);

}  // namespace redtune::runtime
