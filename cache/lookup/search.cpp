// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/lookup/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace redtune::cache {
namespace {

using format::Section;

/// Entries that make no sense or may not answer are passed over for their neighbours, but not for
/// ever.
constexpr int most_tries = 16;

class Search {
 public:
  Search(const SnapshotView& view, const Query& query)
      : view_(view), query_(query), asked_(row_of(query)), hashes_(index_hashes(asked_)) {}

  std::optional<Candidate> run();
  void add_shapes(std::set<Shape>& shapes) const;

 private:
  [[nodiscard]] Match grade(const GroupRow& group) const {
    // Refused before more of the file is read and checked, as grade_of() would refuse it.
    if (group.family != asked_.family || view_.kind(group.kind) != asked_.kind) {
      return Match::fallback;
    }
    return grade_of(asked_,
                    {group.family, group.space, view_.kind(group.kind),
                     view_.device_class(group.device_class), view_.toolchain(group.toolchain)});
  }
  /// Its entries differ from what is asked in their counts alone, or in what is of no account.
  [[nodiscard]] bool has_extents(const GroupRow& group) const {
    auto extents = view_.extents(group);
    if (!extents) return false;
    extents->count = query_.problem.count;
    const Problem& asked = query_.problem;
    return shape_of_answer(asked, *extents) == shape_of_answer(asked, asked);
  }
  /// Of this kind of problem on this class of devices.
  [[nodiscard]] static bool is_of_class(Match grade) {
    return grade == Match::exact || grade == Match::drift;
  }

  void find_exact();
  void find_same_class();
  void find_siblings();
  void find_near();
  void find_predicted();
  void find_closest_miss();

  /// Takes the entry when it is better than what was found; whether it makes sense and may answer.
  bool consider(const GroupRow& group, std::size_t entry, Match match,
                const std::optional<MeasuredBorder>& border = {});
  void consider_count(const GroupRow& group, Match match);
  void consider_neighbours(const GroupRow& group, Match match);
  void consider_below(const GroupRow& group, std::size_t middle, Match match);
  void consider_above(const GroupRow& group, std::size_t middle, Match match);
  void choose_side();
  [[nodiscard]] bool tells_sides_apart() const;
  bool consider_side(const GroupRow& group, std::size_t middle);
  void consider_predictions(const GroupRow& group);
  void consider(const StoredPrediction& prediction);
  [[nodiscard]] bool is_near_enough() const;
  [[nodiscard]] double distance_to(const Shape& shape) const {
    const Problem& asked = query_.problem;
    return query_.distance(shape_of_answer(asked, asked), shape_of_answer(asked, shape));
  }
  [[nodiscard]] double distance_of(const StoredBest& found,
                                   const std::optional<MeasuredBorder>& border) const;
  [[nodiscard]] bool is_farther(const GroupRow& group, std::size_t entry) const;

  const SnapshotView& view_;
  const Query& query_;
  QuestionRow asked_;
  IndexHashes hashes_;
  std::optional<Candidate> best_{};
  std::optional<Candidate> below_{};  ///< near ones of fewer elements, and
  std::optional<Candidate> above_{};  ///< of as many or more, before one is chosen
  bool is_between_ = false;           ///< tuned counts
};

bool Search::consider(const GroupRow& group, std::size_t entry, Match match,
                      const std::optional<MeasuredBorder>& border) {
  auto found = view_.entry(group, entry);
  if (!found || (query_.may_answer && !query_.may_answer(*found, border))) return false;
  auto differing = differences(query_, *found);
  const double distance = match == Match::near ? distance_of(*found, border) : 0;
  const Grade grade{match, distance, differing.size(), -found->generation};
  if (!best_ || grade < best_->grade) {
    best_ = {std::move(*found), grade, std::move(differing), border};
  }
  return true;
}

/// A result on the right side of a border is as near as the nearer of the two that it is between.
double Search::distance_of(const StoredBest& found,
                           const std::optional<MeasuredBorder>& border) const {
  if (!border) return distance_to(found.question.problem);
  const auto to = [&](std::int64_t count) {
    Shape shape = found.question.problem;
    shape.count = count;
    return distance_to(shape);
  };
  return std::min(to(border->below), to(border->above));
}

/// The newest entry of the count that was asked for.
void Search::consider_count(const GroupRow& group, Match match) {
  const std::int64_t count = query_.problem.count;
  const std::size_t begin = view_.lower_bound(group, count);
  std::size_t end = begin;
  while (end < std::size_t{group.first} + group.count && view_.count_of(end) == count) ++end;
  while (end > begin && !consider(group, end - 1, match)) --end;
}

/// Without reading the entry.
bool Search::is_farther(const GroupRow& group, std::size_t entry) const {
  if (!best_ || best_->grade.match != Match::near) return false;
  auto shape = view_.extents(group);
  if (!shape) return true;
  shape->count = view_.count_of(entry);
  return distance_to(*shape) > best_->grade.shape_distance;
}

/// Where the border between the counts on both sides was measured, the one on the side of the count
/// that is asked for: false where there is none, or the result may not answer. middle: the first
/// entry that is not below.
bool Search::consider_side(const GroupRow& group, std::size_t middle) {
  const bool has_both = middle > group.first && middle < std::size_t{group.first} + group.count;
  if (!has_both || !has_extents(group)) return false;
  const std::size_t below = middle - 1;
  const auto row = view_.border_behind(group, below);
  if (!row) return false;
  const MeasuredBorder border{view_.count_of(below), view_.count_of(middle), row->first};
  const bool is_below = query_.problem.count < border.first;
  const std::size_t entry = is_below ? below : view_.next_count(group, middle) - 1;
  return consider(group, entry, Match::near, border);
}

/// Of whole arrays a winner of fewer elements is another bet than one of more.
bool Search::tells_sides_apart() const {
  return is_whole_array(query_.problem) && query_.problem.op != Op::kernel;
}

/// The nearest counts on both sides, each the best of its own where one side is to be chosen.
void Search::consider_neighbours(const GroupRow& group, Match match) {
  const std::size_t middle = view_.lower_bound(group, query_.problem.count);
  const bool has_both = middle > group.first && middle < std::size_t{group.first} + group.count;
  is_between_ = is_between_ || (has_extents(group) && has_both);
  if (match == Match::near && consider_side(group, middle)) return;
  if (match != Match::near || !tells_sides_apart()) {
    consider_below(group, middle, match);
    consider_above(group, middle, match);
    return;
  }
  std::swap(best_, below_);
  consider_below(group, middle, match);
  std::swap(best_, below_);
  std::swap(best_, above_);
  consider_above(group, middle, match);
  std::swap(best_, above_);
}

/// What lies behind one that is too far is farther still.
void Search::consider_below(const GroupRow& group, std::size_t middle, Match match) {
  std::size_t below = middle;
  for (int i = 0; i < most_tries && below > group.first; ++i) {
    if (is_farther(group, --below) || consider(group, below, match)) break;
  }
}
void Search::consider_above(const GroupRow& group, std::size_t middle, Match match) {
  const std::size_t last = std::size_t{group.first} + group.count;
  std::optional<std::int64_t> above;  // of which the newest is the last
  std::size_t entry = middle;
  for (int i = 0; i < most_tries && entry < last; ++i, ++entry) {
    const std::int64_t count = view_.count_of(entry);
    if ((above && count != *above) || is_farther(group, entry)) break;
    if (consider(group, entry, match)) above = count;
  }
}

/// Between two tuned counts whose border nobody has measured. A config loses more where it has too
/// few blocks or threads for what is asked than where it has too many: beyond a factor of two the
/// winner of fewer elements is as good as that of more, twice as far away on a log scale, or worse.
/// docs/decisions/0099.
void Search::choose_side() {
  if (below_ && above_) {
    const auto log2_of = [](std::int64_t count) {
      return std::log2(static_cast<double>(count) + 1);
    };
    const double asked = log2_of(query_.problem.count);
    const double from_below = asked - log2_of(below_->entry.question.problem.count);
    const double from_above = log2_of(above_->entry.question.problem.count) - asked;
    if (from_below > 1 && from_above <= 2 * from_below) below_.reset();
  }
  for (std::optional<Candidate>* side : {&below_, &above_}) {
    if (*side && (!best_ || (*side)->grade < best_->grade)) best_ = std::move(*side);
    side->reset();
  }
}

void Search::find_exact() {
  if (!query_.space_key) return;
  for (const std::uint32_t index : view_.groups(Section::exact, hashes_.exact)) {
    const GroupRow group = view_.group(index);
    if (has_extents(group) && grade(group) == Match::exact) consider_count(group, Match::exact);
  }
}

void Search::find_same_class() {
  for (const std::uint32_t index : view_.groups(Section::same_class, hashes_.same_class)) {
    const GroupRow group = view_.group(index);
    if (!has_extents(group)) continue;
    if (const Match match = grade(group); is_of_class(match)) consider_count(group, match);
  }
}

void Search::find_siblings() {
  for (const std::uint32_t index : view_.groups(Section::sibling, hashes_.sibling)) {
    const GroupRow group = view_.group(index);
    if (has_extents(group) && grade(group) == Match::sibling) {
      consider_count(group, Match::sibling);
    }
  }
}

/// A device is a sibling of itself too.
void Search::add_shapes(std::set<Shape>& shapes) const {
  for (const std::uint32_t index : view_.groups(Section::sibling, hashes_.sibling)) {
    const GroupRow group = view_.group(index);
    if (grade(group) == Match::fallback) continue;
    auto shape = view_.extents(group);
    if (!shape) continue;
    const std::size_t last = std::size_t{group.first} + group.count;
    for (std::size_t entry = view_.lower_bound(group, 0); entry < last; ++entry) {
      shape->count = view_.count_of(entry);
      shapes.insert(*shape);
    }
  }
}

void Search::find_near() {
  for (const std::uint32_t index : view_.groups(Section::same_class, hashes_.same_class)) {
    const GroupRow group = view_.group(index);
    if (is_of_class(grade(group))) consider_neighbours(group, Match::near);
  }
  choose_side();
  if (!best_ || !is_near_enough()) find_predicted();
}

/// What was measured is worth more than what is predicted, as far as winners reach: between whole
/// arrays as far as beyond them, and farther where their border was measured.
bool Search::is_near_enough() const {
  const bool is_told = is_between_ && (best_->border || !tells_sides_apart());
  const double farthest = is_told ? query_.farthest_between : query_.farthest_beyond;
  return best_->grade.shape_distance <= farthest;
}

/// Of what is nearer than the near result, if there is one.
void Search::find_predicted() {
  std::optional<Candidate> near = std::exchange(best_, std::nullopt);
  for (const std::uint32_t index : view_.groups(Section::predicted, hashes_.same_class)) {
    const GroupRow group = view_.predicted_group(index);
    if (has_extents(group) && is_of_class(grade(group))) consider_predictions(group);
  }
  const bool is_nearer =
      best_ && (!near || best_->grade.shape_distance < near->grade.shape_distance);
  if (!is_nearer) best_ = std::move(near);
}

/// The nearest counts on both sides.
void Search::consider_predictions(const GroupRow& group) {
  const std::size_t last = std::size_t{group.first} + group.count;
  std::size_t low = group.first;
  for (std::size_t high = last; low < high;) {
    const std::size_t middle = low + (high - low) / 2;
    if (view_.predicted_count(middle) < query_.problem.count)
      low = middle + 1;
    else
      high = middle;
  }
  if (low > group.first) {
    if (const auto below = view_.prediction(group, low - 1)) consider(*below);
  }
  if (low < last) {
    if (const auto above = view_.prediction(group, low)) consider(*above);
  }
}

void Search::consider(const StoredPrediction& prediction) {
  StoredBest found{.question = prediction.question,
                   .device_name = {},
                   .at = prediction.at,
                   .best = {.settings = prediction.settings, .time_us = {}}};
  if (query_.may_answer && !query_.may_answer(found, {})) return;
  auto differing = differences(query_, found);
  const double distance = distance_to(found.question.problem);
  const Grade grade{Match::predicted, distance, differing.size(), 0};
  if (best_ && !(grade < best_->grade)) return;
  best_ = {std::move(found), grade, std::move(differing), {}, prediction.trials};
}

std::size_t differing(const KindRow& a, const KindRow& b) {
  // A custom operator differs by its text, any other by its name; the name of a custom one is none.
  std::size_t count = 0;
  for (std::size_t i = 0; i < KindRow::name_of_operator; ++i) count += a.texts[i] != b.texts[i];
  constexpr std::size_t program = KindRow::program_of_operator;
  return count + (a.texts[0] == b.texts[0] && a.texts[program] != b.texts[program] ? 1 : 0);
}

std::size_t differing(const ClassRow& a, const ClassRow& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.texts.size(); ++i) count += a.texts[i] != b.texts[i];
  for (std::size_t i = 0; i < a.numbers.size(); ++i) count += a.numbers[i] != b.numbers[i];
  return count;
}

std::size_t differing(const ToolchainRow& a, const ToolchainRow& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.texts.size(); ++i) count += a.texts[i] != b.texts[i];
  return count;
}

/// Of each row of a table the number of its differences: groups share the few rows there are.
template <class Asked, class RowAt>
std::vector<std::size_t> all_differing(const Asked& asked, std::size_t count, const RowAt& row_at) {
  std::vector<std::size_t> counts(count);
  for (std::size_t i = 0; i < count; ++i) counts[i] = differing(asked, row_at(i));
  return counts;
}

/// Reads every group, but no entry except those of the closest group.
void Search::find_closest_miss() {
  const auto kinds =
      all_differing(asked_.kind, view_.kind_count(), [&](std::size_t i) { return view_.kind(i); });
  const auto classes = all_differing(asked_.device_class, view_.class_count(),
                                     [&](std::size_t i) { return view_.device_class(i); });
  const auto toolchains = all_differing(asked_.toolchain, view_.toolchain_count(),
                                        [&](std::size_t i) { return view_.toolchain(i); });
  std::optional<GroupRow> closest;
  std::pair<std::size_t, std::int64_t> fewest{std::numeric_limits<std::size_t>::max(), 0};
  for (std::size_t i = 0; i < view_.group_count(); ++i) {
    const GroupRow group = view_.group(i);
    if (group.family != asked_.family) continue;
    if (group.kind >= kinds.size() || group.device_class >= classes.size() ||
        group.toolchain >= toolchains.size()) {
      continue;
    }
    const std::size_t other_space = query_.space_key && group.space != asked_.space ? 1 : 0;
    const std::pair found{
        kinds[group.kind] + classes[group.device_class] + toolchains[group.toolchain] + other_space,
        -group.newest};
    if (found >= fewest) continue;
    fewest = found;
    closest = group;
  }
  if (closest) consider_neighbours(*closest, Match::fallback);
}

std::optional<Candidate> Search::run() {
  for (const auto find : {&Search::find_exact, &Search::find_same_class, &Search::find_siblings,
                          &Search::find_near, &Search::find_closest_miss}) {
    (this->*find)();
    if (best_) break;
  }
  return std::move(best_);
}

}  // namespace

std::optional<Candidate> find_candidate(const SnapshotView& view, const Query& query) {
  return Search(view, query).run();
}

void add_tuned_shapes(const SnapshotView& view, const Query& query, std::set<Shape>& shapes) {
  Search(view, query).add_shapes(shapes);
}

}  // namespace redtune::cache
