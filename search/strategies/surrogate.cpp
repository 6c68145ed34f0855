// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "search/strategies/surrogate.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "search/strategies/make.hpp"
#include "search/surrogate/candidates.hpp"

namespace redtune::search {
namespace {

constexpr std::size_t openings = 6;
constexpr std::size_t usual_points = 96;    ///< of a model that has just learned
constexpr std::size_t most_modelled = 144;  ///< before it learns anew from fewer
constexpr std::size_t most_believed = 64;   ///< of points on their way: the latest
constexpr std::size_t start_every = 3;      ///< of so many points one is a start, if others guide
/// Deviations below the mean; what is known of others is closer to the truth than nothing. At first
/// a search sees whether they are right, then it looks around as well.
constexpr double exploration_alone = 3;
constexpr double exploration_guided = 1;
constexpr double exploration_at_first = 0.2;
constexpr std::size_t first_points = 16;
constexpr std::size_t favourites = 16;  ///< points of all guides together, which are asked for soon
/// Evaluations without a better one, after which others are followed no longer.
constexpr double most_patience = 32;

/// Values of categorical axes.
class CategoricalValues {
 public:
  explicit CategoricalValues(const Space& space) {
    for (const Axis& axis : space.axes()) {
      known_.emplace_back(axis.size, axis.kind != AxisKind::categorical);
    }
  }
  /// Whether the point had one that was not there.
  bool add(const Point& point) {
    bool is_new = false;
    for (std::size_t axis = 0; axis < known_.size(); ++axis) {
      if (!known_[axis][point[axis]]) is_new = true;
      known_[axis][point[axis]] = true;
    }
    return is_new;
  }
  void add(std::size_t axis, std::size_t value) { known_[axis][value] = true; }

 private:
  std::vector<std::vector<bool>> known_;
};

double lowest_cost(const SourceTask& source) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const Observation& one : source.observations) {
    lowest = std::min(lowest, one.cost.value_or(lowest));
  }
  return lowest;
}

/// Those that some source tells of: of others a prior only guesses. A trial or two, perhaps of what
/// a value does not suit, tell nothing unless they were far off.
CategoricalValues values_told_of(std::span<const SourceTask> sources, const Space& space) {
  constexpr std::size_t fewest_told = 4;
  constexpr double far_off = 2;  // times the lowest cost
  CategoricalValues told(space);
  for (const SourceTask& source : sources) {
    const double lowest = lowest_cost(source);
    std::vector<std::vector<std::size_t>> ran;
    for (const Axis& axis : space.axes()) ran.emplace_back(axis.size);
    for (const Observation& one : source.observations) {
      if (!one.cost) continue;
      for (std::size_t axis = 0; axis < ran.size(); ++axis) {
        const std::size_t value = one.point[axis];
        if (++ran[axis][value] >= fewest_told || *one.cost >= far_off * lowest)
          told.add(axis, value);
      }
    }
  }
  return told;
}

/// The cheapest point of each source, or the next that is valid here and hardly costs more, the
/// nearest source first, as far as it has a value that neither a nearer one's has nor any of the
/// points of which all together expect most: a mean of many drowns what few are right about.
std::deque<Point> lone_winners(std::span<const SourceTask> sources, const Space& space,
                               const Prior& prior) {
  constexpr double as_good_as_the_best = 1.05;
  std::vector<const SourceTask*> nearest;
  for (const SourceTask& source : sources) nearest.push_back(&source);
  std::ranges::stable_sort(nearest, std::ranges::greater{}, &SourceTask::nearness);
  std::deque<Point> winners;
  CategoricalValues won(space);
  for (const Point& point : prior.best().first(std::min(favourites, prior.best().size()))) {
    (void)won.add(point);
  }
  for (const SourceTask* const source : nearest) {
    const double most = as_good_as_the_best * lowest_cost(*source);
    const Observation* cheapest = nullptr;
    for (const Observation& one : source->observations) {
      const bool is_cheaper =
          one.cost && *one.cost <= (cheapest == nullptr ? most : *cheapest->cost);
      if (is_cheaper && space.contains(one.point)) cheapest = &one;
    }
    if (cheapest != nullptr && won.add(cheapest->point)) winners.push_back(cheapest->point);
  }
  return winners;
}

/// The first that is valid, then one for each value that sources do not tell of, then the others;
/// of either those first of which most is expected.
std::vector<Point> most_promising_first(const StrategyOptions& options, const Space& space,
                                        const Prior& prior) {
  std::vector<Point> start = options.start;
  std::erase_if(start, [&](const Point& point) { return !space.contains(point); });
  if (prior.empty() || start.empty()) return start;
  const std::vector<float> expected = prior.of(start);
  std::vector<std::size_t> order(start.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order.begin() + 1, order.end(), {},
                           [&](std::size_t i) { return expected[i]; });
  CategoricalValues told = values_told_of(options.sources, space);
  (void)told.add(start.front());
  std::vector<Point> untold;
  std::vector<Point> others;
  for (const std::size_t i : order) (told.add(start[i]) ? untold : others).push_back(start[i]);
  std::vector<Point> sorted{std::move(others.front())};  // the first: told since it was added
  std::ranges::move(untold, std::back_inserter(sorted));
  std::ranges::move(others.begin() + 1, others.end(), std::back_inserter(sorted));
  return sorted;
}

/// How many of `count` points are start points, if others guide, after `before` points.
std::size_t turns_of_starts(std::size_t before, std::size_t count) {
  const auto turns = [](std::size_t points) { return (points + start_every - 1) / start_every; };
  return turns(before + count) - turns(before);
}

}  // namespace

Surrogate::Surrogate(const Space& space, const StrategyOptions& options)
    : space_(&space),
      rng_(options.seed),
      prior_(space, options.sources, options.prior.get()),
      unseen_(space, most_promising_first(options, space, prior_)),
      winners_(prior_.empty() ? std::deque<Point>() : lone_winners(options.sources, space, prior_)),
      process_(space) {}

bool Surrogate::is_opening() const {
  if (!prior_.empty()) return false;
  return history_.points().size() + on_their_way_.size() < openings || history_.points().size() < 2;
}

std::vector<Point> Surrogate::ask(std::size_t max) {
  max = std::min(max, unseen_.left());
  std::vector<Point> batch;
  const auto propose = [&](const Point& point) {
    unseen_.take(point);
    on_their_way_.push_back(point);
    batch.push_back(point);
  };
  const std::size_t before =
      history_.points().size() + history_.failed().size() + on_their_way_.size();
  // Guided by others a start is one hope among many; without, it is all that is known.
  const std::size_t starts = prior_.empty() ? max : turns_of_starts(before, max);
  while (batch.size() < starts) {
    std::optional<Point> point = unseen_.take_start();
    if (point) given_.push_back(*point);
    if (!point && unseen_.left() > 0 && is_opening()) {
      std::vector<Point> others(history_.points().begin(), history_.points().end());
      others.insert(others.end(), on_their_way_.begin(), on_their_way_.end());
      if (others.size() < openings) point = far_point(*space_, unseen_, others, rng_);
      if (!point) point = unseen_.draw(rng_);
    }
    if (!point) break;
    propose(*point);
  }
  for (; batch.size() < max && !winners_.empty(); winners_.pop_front()) {
    if (!unseen_.contains(winners_.front())) continue;
    given_.push_back(winners_.front());
    propose(winners_.front());
  }
  if (batch.size() < max && unseen_.left() > 0) add_model_points(max - batch.size(), batch);
  return batch;
}

void Surrogate::tell(std::span<const Observation> observations) {
  for (const Observation& observation : observations) {
    const auto expected = std::ranges::find(on_their_way_, observation.point);
    if (expected != on_their_way_.end()) {
      on_their_way_.erase(expected);
      std::erase(given_, observation.point);
    } else if (!unseen_.take(observation.point)) {
      continue;  // outside the space, or told before
    }
    const std::size_t ran = history_.points().size();
    history_.add(observation);
    const bool is_better = history_.points().size() > ran && history_.cheapest().front() == ran;
    since_better_ = is_better ? 0 : since_better_ + 1;
  }
}

/// Of the points in the process.
std::vector<double> Surrogate::values() const {
  return prior_.knows(history_) ? prior_.surprises(history_, modelled_)
                                : history_.values(modelled_);
}

/// The less the more the sources are trusted, and the more the longer nothing better was found.
double Surrogate::exploration() const {
  if (!prior_.knows(history_)) return exploration_alone;
  if (history_.points().size() < first_points) {
    return exploration_alone + prior_.trust() * (exploration_at_first - exploration_alone);
  }
  const double patience = 1 - std::min(1.0, static_cast<double>(since_better_) / most_patience);
  return exploration_alone + patience * prior_.trust() * (exploration_guided - exploration_alone);
}

/// Brings the points that ran into the process, which learns anew whenever there are a quarter more
/// of them, or too many.
void Surrogate::update_model() {
  const auto points = history_.points();
  const bool grown = points.size() <= usual_points && points.size() * 4 >= learned_at_ * 5 + 8;
  const bool full = modelled_.size() + points.size() - taken_over_ > most_modelled;
  if (learned_at_ != 0 && !grown && !full) {
    process_.keep(modelled_.size());
    for (; taken_over_ < points.size(); ++taken_over_) {
      process_.add(points[taken_over_]);
      modelled_.push_back(taken_over_);
    }
    return;
  }
  const auto order = history_.cheapest();
  const std::size_t count = std::min(points.size(), usual_points);
  const std::size_t best = points.size() > usual_points ? usual_points / 2 : count;
  modelled_.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(best));
  for (std::size_t i = best; i < count; ++i) {
    modelled_.push_back(order[best + (i - best) * (points.size() - best) / (count - best)]);
  }
  std::vector<Point> chosen;
  for (const std::size_t index : modelled_) chosen.push_back(points[index]);
  prior_.weigh(history_, modelled_);
  prior_.rank();
  if (chosen.empty())
    process_.keep(0);  // what was believed of points on their way
  else
    process_.learn(std::move(chosen), values());
  taken_over_ = learned_at_ = points.size();
}

/// With the points that ran, and without those whose cost is only believed.
void Surrogate::renew_process() {
  update_model();
  prior_.weigh(history_, modelled_);
  process_values_ = values();
  process_.set_values(process_values_);
}

void Surrogate::believe(const Point& point, double cost) {
  process_.add(point);
  process_values_.push_back(cost);
  process_.set_values(process_values_);
}

Acquisition Surrogate::acquisition_of(std::vector<Point> points) const {
  std::vector<float> expected(points.size());
  if (prior_.knows(history_)) expected = prior_.of(points);
  return {std::move(points), process_, history_.failed(), std::move(expected), exploration()};
}

std::vector<std::size_t> Surrogate::choose(std::span<const Point> waiting, std::size_t max) {
  if (history_.points().empty() || waiting.size() <= max) return Strategy::choose(waiting, max);
  std::vector<std::size_t> given;
  std::vector<std::size_t> own;
  std::vector<Point> own_points;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const bool is_given = std::ranges::find(given_, waiting[i]) != given_.end();
    (is_given ? given : own).push_back(i);
    if (!is_given) own_points.push_back(waiting[i]);
  }
  const std::size_t before = history_.points().size() + history_.failed().size();
  const std::size_t turns = prior_.empty() ? max : turns_of_starts(before, max);
  const std::size_t least = max - std::min(max, own.size());
  std::vector<std::size_t> chosen = std::move(given);
  chosen.resize(std::min(chosen.size(), std::max(turns, least)));
  if (chosen.size() == max) return chosen;
  renew_process();
  Acquisition acquisition = acquisition_of(std::move(own_points));
  for (std::size_t left = std::min(own.size(), max - chosen.size()); left > 0; --left) {
    const std::size_t best = acquisition.best(process_);
    chosen.push_back(own[best]);
    const Point point = acquisition.point(best);
    believe(point, process_.mean(acquisition.row(best)));
    acquisition.take_off(best);
    acquisition.add_column(process_.similarity(), point);
  }
  return chosen;
}

void Surrogate::add_model_points(std::size_t count, std::vector<Point>& batch) {
  renew_process();
  std::vector<float> similar;
  const std::size_t late = on_their_way_.size() - std::min(on_their_way_.size(), most_believed);
  for (const Point& point : std::span(on_their_way_).subspan(late)) {
    similar.clear();
    for (const Point& known : process_.points()) {
      similar.push_back(process_.similarity()(point, known));
    }
    believe(point, process_.mean(similar));
  }
  Acquisition acquisition =
      acquisition_of(candidates(*space_, unseen_, history_, prior_.best(), rng_));
  for (; count > 0 && unseen_.left() > 0; --count) {
    std::optional<Point> point;
    if (!acquisition.empty()) {
      const std::size_t best = acquisition.best(process_);
      if (unseen_.take(acquisition.point(best))) {  // else all were taken off
        point = acquisition.point(best);
        acquisition.take_off(best);
        believe(*point, process_.mean(acquisition.row(best)));
        acquisition.add_column(process_.similarity(), *point);
      }
    }
    if (!point) point = unseen_.draw(rng_);
    if (!point) return;
    on_their_way_.push_back(*point);
    batch.push_back(*point);
  }
}

std::unique_ptr<Strategy> make_surrogate(const Space& space, const StrategyOptions& options) {
  return std::make_unique<Surrogate>(space, options);
}

}  // namespace redtune::search
