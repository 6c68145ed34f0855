// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Where, between two tuned counts, the winner of the larger takes over: by steps of growing size
// from the smaller and then by bisection, on a scale of logarithms, with both timed at a few
// counts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "cache/keys/borders.hpp"
#include "cache/snapshot/snapshot.hpp"
#include "tuner/measure/rounds.hpp"

namespace redtune::tuner {

/// Two winners with neighbouring counts, of one question but for that.
struct Contestants {
  cache::StoredBest below;
  cache::StoredBest above;
  /// A count that is to be tuned first: the winner of the larger is for its count alone, see
  /// Family::is_for_its_count, or was when the count was begun.
  std::optional<std::int64_t> between = std::nullopt;
};

/// Neighbours whose winners differ: what is to be measured between them.
struct BordersToMeasure {
  std::vector<Contestants> missing;
  std::size_t known = 0;
};

/// Of all that is known those neighbours of which one answers a question that is asked, and between
/// which no predictions answer. A border that is known does not help where a count is to be tuned
/// between them. One that stands where such a count does is taken for asked with its neighbours,
/// whoever tuned it, and is to be tuned on where it is not finished.
[[nodiscard]] BordersToMeasure borders_to_measure(
    const cache::Snapshot& known, const std::function<bool(const cache::Question&)>& is_asked,
    const std::function<bool(const cache::StoredBest&)>& is_for_its_count,
    const std::function<bool(const cache::StoredBest&)>& is_finished);

/// The count to tune between two, the larger's winner being for its count alone: in the middle of
/// their logarithms, and one more, so that it is no whole tiles. Nothing where they are close.
[[nodiscard]] std::optional<std::int64_t> count_between(std::int64_t below, std::int64_t above);

/// Which of two is the faster at a count.
enum class Faster { below, either, above };

/// By all rounds of a final of below and above, in this order: either where the 95 % interval of
/// their ratio has 1 in it.
[[nodiscard]] Faster faster_in(const Rounds& rounds);

/// The counts closest to a border of which it is known who is faster are no further apart than by
/// this factor, unless there is none between.
inline constexpr double narrow_border = 1.5;

/// What families know of two winners, see Family.
struct KnownOfTwo {
  std::optional<std::int64_t> before_jump = {};  ///< of the smaller's
  bool is_above_for_its_count = false;
};

/// Asks who is faster at counts between two, the smaller and the larger, the first within twice the
/// smaller: where either is, that is the border; else it lies between the last two, where the
/// winner of the smaller jumps, if it does there, or in the middle; but at the larger where its
/// winner is for that alone, and was the faster at no other.
[[nodiscard]] cache::Border find_border(std::int64_t below, std::int64_t above,
                                        const KnownOfTwo& known,
                                        const std::function<Faster(std::int64_t count)>& faster_at);

}  // namespace redtune::tuner
