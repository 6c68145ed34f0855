// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a search begins with: stored winners of problems like the one that is tuned.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cache/keys/records.hpp"
#include "cache/store/store.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/limits.hpp"
#include "tuner/session/journal.hpp"

namespace redtune::tuner {

/// Fewer than a batch of trials: a search that gains nothing from them has lost no more.
inline constexpr std::size_t most_winners = 6;

/// Whether operators differ in a comparison or in what is made of the result alone, as min and max,
/// or sum and mean: what is fast for one is for the other.
[[nodiscard]] bool are_alike(Op one, Op other);

/// What another operator adds to a distance.
struct OperatorWeights {
  double other_operator = 10;
  double other_shape = 10;  ///< of results: only one of both gives an index
};

/// How unlike a stored question is to the one asked, a sum of
///
///   device      8 for a sibling (another class of the same ISA), 24 for another ISA
///   operator    as the weights say: 10 for another, and 10 more where only one gives an index; 0.5
///               for one that is alike
///   types       of input and accumulator each: 1 for a factor of two in size, 1 for floats beside
///               integers
///   shape       as the family says; of a count 2 for a factor of two
///   cache mode  2 for the other
///   order       1 for the other
///
/// The numbers are judgements: they only say what is tried first. What was measured of them is that
/// sums of f32 and u8 are more alike than sums of 2^14 and 2^20 (docs/explanation/search.md). A
/// result for the same problem with another toolchain or output type is as near as can be, 0.
/// Nothing: no neighbour, because it is the very same question, of another family or of another
/// platform.
[[nodiscard]] std::optional<double> distance(const cache::Question& asked,
                                             const cache::Question& stored,
                                             const OperatorWeights& weights = {});

/// The nearest results, with their settings and with those of the same bytes, whose settings differ
/// from each other and from the default, and are in the family's space for the problem asked; at
/// most most_winners, of equally near ones the newer first.
[[nodiscard]] std::vector<cache::StoredBest> nearest_winners(
    const cache::Question& asked, const kernels::Family& family, const Limits& limits,
    std::span<const cache::StoredBest> stored);

/// What answered at a time (UTC, ISO 8601), of all results that there ever were, newest first.
[[nodiscard]] std::vector<cache::StoredBest> answers_at(std::span<const cache::PastResult> history,
                                                        const std::string& at);

/// What the journal's run begins with. A run that is gone on with keeps what it began with,
/// whatever the store has learnt since: else its strategy would not come back to what was tried.
/// Nothing, and not none: there were winners when it began, and it began without.
[[nodiscard]] std::optional<std::vector<cache::StoredBest>> winners_for(
    const cache::Store& store, const Journal& journal, const kernels::Family& family,
    const Limits& limits);

/// One line for people: from which problems; winners must not be empty.
[[nodiscard]] std::string describe(const cache::Question& asked,
                                   std::span<const cache::StoredBest> winners);

}  // namespace redtune::tuner
