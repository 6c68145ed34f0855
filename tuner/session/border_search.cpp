// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/border_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "tuner/measure/statistics.hpp"
#include "tuner/session/predict.hpp"

namespace redtune::tuner {
namespace {

/// Counts are tried that programs could have as well: with so many digits, of base two.
constexpr int most_digits = 6;

std::int64_t rounded(std::int64_t count) {
  const auto digits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count)));
  const std::int64_t step = std::int64_t{1} << std::max(0, digits - most_digits);
  return (count + step / 2) / step * step;
}

/// In the middle on the scale of look-up, log2(count + 1); above low and, where that can be, below
/// high.
std::int64_t middle_count(std::int64_t low, std::int64_t high) {
  const double product = (static_cast<double>(low) + 1) * (static_cast<double>(high) + 1);
  const auto exact = static_cast<std::int64_t>(std::sqrt(product)) - 1;
  const std::int64_t round = rounded(exact);
  const bool is_between = low < round && round < high;
  return is_between ? round : std::clamp(exact, low + 1, std::max(low + 1, high - 1));
}

/// On the same scale, as far as there are counts.
std::int64_t times(std::int64_t count, double factor) {
  const double product = (static_cast<double>(count) + 1) * factor - 1;
  constexpr auto largest = std::numeric_limits<std::int64_t>::max();
  return product < static_cast<double>(largest) ? static_cast<std::int64_t>(product) : largest;
}

bool is_narrow(std::int64_t low, std::int64_t high) {
  const double ratio = (static_cast<double>(high) + 1) / (static_cast<double>(low) + 1);
  return high - low < 2 || ratio <= narrow_border;
}

cache::Question without_problem(cache::Question question) {
  question.problem = {};
  return question;
}

/// What was tuned on one device class, with one toolchain and from one space: predictions are told
/// by no other.
std::map<cache::Question, std::vector<Problem>> tuned_problems(const cache::Snapshot& known) {
  std::map<cache::Question, std::vector<Problem>> tuned;
  for (const cache::StoredBest& one : known.entries) {
    tuned[without_problem(one.question)].push_back(one.question.problem);
  }
  return tuned;
}

std::int64_t count(const cache::StoredBest& one) {
  return one.question.problem.count;
}

std::optional<std::int64_t> count_of_pair(const cache::StoredBest& below,
                                          const cache::StoredBest& above) {
  return count_between(count(below), count(above));
}

bool is_known(const cache::Snapshot& known, const cache::Neighbours& two) {
  return std::ranges::any_of(known.borders, [&](const cache::StoredBorder& border) {
    return cache::is_between(border, *two.below, *two.above);
  });
}

}  // namespace

std::optional<std::int64_t> count_between(std::int64_t below, std::int64_t above) {
  if (is_narrow(below, above)) return std::nullopt;
  return std::min(middle_count(below, above) + 1, above - 1);
}

BordersToMeasure borders_to_measure(
    const cache::Snapshot& known, const std::function<bool(const cache::Question&)>& is_asked,
    const std::function<bool(const cache::StoredBest&)>& is_for_its_count,
    const std::function<bool(const cache::StoredBest&)>& is_finished) {
  BordersToMeasure found;
  const auto tuned = tuned_problems(known);
  const auto add = [&](const cache::Neighbours& two, std::optional<std::int64_t> between) {
    const auto& [below, above] = two;
    if (!between && below->best.settings == above->best.settings) return;
    const cache::Question& question = below->question;
    const bool is_measured = is_known(known, two);
    const bool is_missing =
        (between || !is_measured) &&
        !is_predicted_between(question.problem, above->question.problem,
                              tuned.at(without_problem(question)),
                              {.memory_bytes = question.device_class.memory_bytes});
    if (is_missing) {
      found.missing.push_back({*below, *above, between});
    } else if (is_measured) {
      ++found.known;
    }
  };
  const auto neighbours = cache::neighbours_among(known.entries);
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    const auto& [below, above] = neighbours[i];
    const bool are_asked = is_asked(below->question) || is_asked(above->question);
    const bool goes_on = i + 1 < neighbours.size() && neighbours[i + 1].below == above;
    const cache::StoredBest* const next = goes_on ? neighbours[i + 1].above : nullptr;
    if (next == nullptr || count_of_pair(*below, *next) != count(*above)) {
      if (!are_asked) continue;
      add(neighbours[i], is_for_its_count(*above) ? count_of_pair(*below, *above) : std::nullopt);
      continue;
    }
    // It was tuned between the two others, whatever has won there since: whoever asks for one of
    // these asks for it. Of what nobody asks for the family may not even be known here.
    ++i;
    if (!are_asked && !is_asked(next->question)) continue;
    if (is_finished(*above)) {
      add({below, above}, std::nullopt);
      add({above, next}, std::nullopt);
    } else {
      found.missing.push_back({*below, *next, count(*above)});
    }
  }
  return found;
}

Faster faster_in(const Rounds& rounds) {
  std::vector<double> ratios;
  for (const std::vector<double>& round : rounds) {
    const double ratio = round[0] / round[1];
    if (!std::isnan(ratio)) ratios.push_back(ratio);  // one that was clearly slower dropped out
  }
  const Interval below_to_above = median_interval(ratios);
  if (below_to_above.high < 1) return Faster::below;
  return below_to_above.low > 1 ? Faster::above : Faster::either;
}

cache::Border find_border(std::int64_t below, std::int64_t above, const KnownOfTwo& known,
                          const std::function<Faster(std::int64_t count)>& faster_at) {
  cache::Border border{.above = above, .still_below = below, .first_above = above};
  double reach = 2;  // most winners of fewer elements do not get far
  while (!is_narrow(border.still_below, border.first_above)) {
    const std::int64_t count = middle_count(
        border.still_below, std::min(border.first_above, times(border.still_below, reach)));
    const Faster faster = faster_at(count);
    if (faster == Faster::either) {
      border.first = count;
      return border;
    }
    if (faster == Faster::below) {
      border.still_below = count;
      reach *= reach;
    } else {
      border.first_above = count;
    }
  }
  const auto& jump = known.before_jump;
  if (jump && border.still_below <= *jump && *jump < border.first_above) {
    border.first = *jump + 1;
  } else if (known.is_above_for_its_count && border.first_above == above) {
    border.first = above;
  } else {
    border.first = middle_count(border.still_below, border.first_above);
  }
  return border;
}

}  // namespace redtune::tuner
