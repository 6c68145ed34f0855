// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "search/replay/score.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "search/rng.hpp"

namespace redtune::search {

Scale::Scale(const RecordedSpace& space) {
  for (const Record& record : space.records) {
    if (record.cost) descending_.push_back(*record.cost);
  }
  std::ranges::sort(descending_, std::greater());
  const std::size_t middle = descending_.size() / 2;
  median_ = descending_.size() % 2 == 1 ? descending_[middle]
                                        : (descending_[middle - 1] + descending_[middle]) / 2;
}

double Scale::target(double percentile) const {
  return best() + (median_ - best()) * (1 - percentile);
}

std::size_t Scale::budget(double percentile) const {
  const double enough = target(percentile);
  // Rounding may put T(1) below the best by a hair.
  const auto first = std::ranges::find_if(
      descending_, [&](double cost) { return cost <= enough || cost == best(); });
  const auto i = static_cast<std::size_t>(first - descending_.begin());
  const std::size_t rest = size() + 1 - i;
  return std::max<std::size_t>(1, (i + rest - 1) / rest);
}

double Scale::baseline(double evaluations) const {
  return cost_at(evaluations * static_cast<double>(size() + 1) / (evaluations + 1));
}

std::size_t Scale::place_of(double cost) const {
  const auto behind = std::ranges::upper_bound(descending_, cost, std::greater());
  return behind == descending_.begin() ? 0
                                       : static_cast<std::size_t>(behind - descending_.begin()) - 1;
}

double Scale::cost_at(double place) const {
  const double last = static_cast<double>(size() - 1);
  return descending_[static_cast<std::size_t>(std::clamp(std::nearbyint(place), 0.0, last))];
}

namespace {

constexpr double first_percentile = 0.01;
constexpr double usual_percentile = 0.95;
constexpr double late_percentile = 0.99;
constexpr std::size_t least_budget = 30;
/// In evaluations each one is a step; seconds are continuous.
constexpr std::size_t steps_in_seconds = 1000;
/// The error of a standard deviation from so many samples is 3 %.
constexpr std::size_t resamples = 500;

double mean_seconds_of(const RecordedSpace& space) {
  double sum = 0;
  for (const Record& record : space.records) sum += record.seconds.value_or(0);
  return sum / static_cast<double>(space.records.size());
}

/// Whether there is nothing more to come from a run.
bool is_exhausted(const RecordedSpace& space, const ReplayedRun& run) {
  return run.evaluated.size() >= space.points.size();
}

}  // namespace

Window window_of(const Scale& scale, double percentile) {
  Window window{percentile, scale.budget(first_percentile), scale.budget(percentile)};
  if (percentile == usual_percentile && window.last < least_budget) {
    window.percentile = late_percentile;
    window.last = scale.budget(late_percentile);
  }
  window.last = std::max(window.first, window.last);
  return window;
}

Scorer::Scorer(const RecordedSpace& space, const Scale& scale, const Window& window, CostUnit unit)
    : space_(space), scale_(scale), unit_(unit), mean_seconds_(mean_seconds_of(space)) {
  const auto first = static_cast<double>(window.first);
  const auto length = static_cast<double>(window.last - window.first);
  const std::size_t steps =
      unit == CostUnit::evaluations ? window.last - window.first + 1 : steps_in_seconds;
  for (std::size_t i = 0; i < steps; ++i) {
    const double share = steps == 1 ? 0 : static_cast<double>(i) / static_cast<double>(steps - 1);
    const double evaluations = first + share * length;
    const double baseline = scale.baseline(evaluations);
    steps_.push_back(
        {unit == CostUnit::evaluations ? evaluations : evaluations * mean_seconds_, baseline});
  }
}

/// The place of the best found, for each step; 0, that of the worst, where nothing was found yet.
std::optional<std::vector<double>> Scorer::places_of(const ReplayedRun& run) const {
  std::vector<double> places;
  double best = std::numeric_limits<double>::infinity();
  double place = 0;
  double spent = 0;
  std::size_t next = 0;
  for (const Step& step : steps_) {
    for (; next < run.evaluated.size(); ++next) {
      const Record& record = space_.records[run.evaluated[next]];
      const double cost = unit_ == CostUnit::evaluations ? 1 : record.seconds.value_or(0);
      // A hair of tolerance: a step at 7 evaluations is one behind the seventh, however rounded.
      if (spent + cost > step.at * (1 + 1e-12)) break;
      spent += cost;
      if (!record.cost || *record.cost >= best) continue;
      best = *record.cost;
      place = static_cast<double>(scale_.place_of(best));
    }
    const bool ended = next == run.evaluated.size() && spent < step.at * (1 - 1e-12);
    if (ended && !is_exhausted(space_, run)) return std::nullopt;
    places.push_back(place);
  }
  return places;
}

/// places: mean over runs, for each step. Steps at which random search is expected to be at the
/// optimum are left out: nothing can be gained there. NaN when there is no other.
double Scorer::mean_gain(std::span<const double> places) const {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const double possible = scale_.best() - steps_[i].baseline;
    if (possible == 0) continue;
    sum += (scale_.cost_at(places[i]) - steps_[i].baseline) / possible;
    ++count;
  }
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

std::optional<Score> Scorer::score(std::span<const ReplayedRun> runs, std::uint64_t seed) const {
  std::vector<std::vector<double>> all;
  for (const ReplayedRun& run : runs) {
    auto places = places_of(run);
    if (!places) return std::nullopt;
    all.push_back(std::move(*places));
  }
  if (all.empty()) return std::nullopt;
  const auto gain_of = [&](auto&& choose) {
    std::vector<double> mean(steps_.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::vector<double>& chosen = all[choose(i)];
      for (std::size_t step = 0; step < mean.size(); ++step) mean[step] += chosen[step];
    }
    for (double& place : mean) place /= static_cast<double>(all.size());
    return mean_gain(mean);
  };
  Score score{gain_of([](std::size_t i) { return i; }), 0};
  if (std::isnan(score.value)) return std::nullopt;
  search::Rng rng(seed);
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < resamples; ++i) {
    const double gain = gain_of([&](std::size_t) { return rng.below(all.size()); });
    sum += gain - score.value;
    squares += (gain - score.value) * (gain - score.value);
  }
  const double mean = sum / resamples;
  score.deviation = std::sqrt(std::max(0.0, (squares - mean * sum) / (resamples - 1)));
  return score;
}

std::optional<double> found_share(const RecordedSpace& space, const Scale& scale,
                                  std::span<const ReplayedRun> runs, std::size_t evaluations) {
  double sum = 0;
  for (const ReplayedRun& run : runs) {
    if (run.evaluated.size() < evaluations && !is_exhausted(space, run)) return std::nullopt;
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < std::min(evaluations, run.evaluated.size()); ++i) {
      best = std::min(best, space.records[run.evaluated[i]].cost.value_or(best));
    }
    sum += scale.best() / best;
  }
  if (runs.empty()) return std::nullopt;
  return sum / static_cast<double>(runs.size());
}

}  // namespace redtune::search
