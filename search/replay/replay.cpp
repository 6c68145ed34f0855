// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "search/replay/replay.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "redtune/error.hpp"
#include "search/rng.hpp"

namespace redtune::search {
namespace {

using Clock = std::chrono::steady_clock;

class Replay {
 public:
  Replay(const Track& track, search::Strategy& strategy, std::uint64_t seed,
         const ReplayTerms& terms)
      : recorded_(track.recorded),
        space_(track.space),
        queue_(strategy, terms.asks),
        terms_(terms),
        noise_(seed ^ 0x6e6f697365U),  // another sequence than the strategy's
        seen_(track.recorded.points.size()) {
    run_.seed = seed;
  }

  ReplayedRun all() {
    while (true) {
      asked_for_ += timed([&] { return queue_.ask(most_next()); }).size();
      const auto points = timed([&] { return queue_.next(); });
      if (points.empty()) return std::move(run_);
      std::vector<search::Observation> observations;
      for (const search::Point& point : points) observations.push_back(evaluate(point));
      timed([&] { queue_.tell(observations); });
    }
  }

 private:
  template <class Work>
  std::invoke_result_t<Work> timed(Work&& work) {
    struct Stopwatch {
      double& us;
      Clock::time_point begin = Clock::now();
      ~Stopwatch() {
        us += std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
      }
    } stopwatch{run_.strategy_us};
    return work();
  }

  [[nodiscard]] std::size_t most_next() const {
    const std::size_t done = asked_for_;
    if (done >= recorded_.points.size()) return 0;
    if (seconds_ < terms_.seconds) return recorded_.points.size() - done;
    return std::max(terms_.evaluations, done) - done;
  }

  search::Observation evaluate(const search::Point& point) {
    const auto rank = space_.rank(point);
    if (!rank || seen_[*rank]) {
      throw Error(fmt::format("a strategy asked for a point {}; that is a defect in the strategy",
                              rank ? "twice" : "outside its space"));
    }
    seen_[*rank] = true;
    const Record& record = recorded_.records[*rank];
    const std::optional<double> cost = told(record);
    run_.evaluated.push_back(static_cast<std::uint32_t>(*rank));
    run_.told.push_back(cost.value_or(std::numeric_limits<double>::quiet_NaN()));
    seconds_ += record.seconds.value_or(0);
    return {point, cost};
  }

  /// Launches are a scale only, for some files have them in another unit than the cost.
  [[nodiscard]] std::optional<double> told(const Record& record) {
    const auto& launches = record.launches;
    if (terms_.noise == Noise::none || !record.cost || launches.empty()) return record.cost;
    const double mean = std::accumulate(launches.begin(), launches.end(), 0.0) /
                        static_cast<double>(launches.size());
    return *record.cost * launches[noise_.below(launches.size())] / mean;
  }

  const RecordedSpace& recorded_;
  const search::Space& space_;
  search::PointQueue queue_;
  ReplayTerms terms_;
  search::Rng noise_;
  std::vector<bool> seen_;
  std::size_t asked_for_ = 0;
  double seconds_ = 0;
  ReplayedRun run_;
};

}  // namespace

search::Space space_of(const RecordedSpace& recorded) {
  std::vector<search::Axis> axes;
  for (const RecordedAxis& axis : recorded.axes) {
    search::Axis seen{axis.name, axis.values.size(), search::AxisKind::categorical, {}};
    if (axis.is_ordered) {
      seen.kind = search::AxisKind::ordered;
      for (const AxisValue& value : axis.values) seen.values.push_back(std::get<double>(value));
    }
    axes.push_back(std::move(seen));
  }
  try {
    return search::Space::of_points(std::move(axes), recorded.points, recorded.products);
  } catch (const Error& error) {
    throw UsageError(fmt::format("{}: {}", recorded.name, error.what()));
  }
}

ReplayedRun replay(const Track& track, search::Strategy& strategy, std::uint64_t seed,
                   const ReplayTerms& terms) {
  return Replay(track, strategy, seed, terms).all();
}

std::uint64_t seed_of(std::uint64_t all, std::uint64_t fingerprint, std::string_view strategy,
                      std::size_t run) {
  // Each part is mixed in by a generator of its own, so that neighbouring numbers give seeds that
  // have nothing to do with each other.
  std::uint64_t seed = search::Rng(all).next();
  seed = search::Rng(seed ^ fingerprint).next();
  for (const char c : strategy) seed = search::Rng(seed ^ static_cast<unsigned char>(c)).next();
  return search::Rng(seed ^ run).next();
}

}  // namespace redtune::search
