// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/size_classes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

namespace redtune::runtime {
namespace {

constexpr int largest_log2 = 40;

/// Questions between two counts that were asked for, and all of these together: of a store with
/// more counts than are kept, borders among those left out could be looked for without end.
constexpr int most_between = 128;
constexpr int most_for_borders = 16'384;

/// Counts that were asked for, with their answers.
using Known = std::map<std::int64_t, Found>;

bool is_same(const Found& a, const Found& b) {
  return a.answer.match == b.answer.match && a.tuned_count == b.tuned_count &&
         a.answer.source == b.answer.source && a.answer.settings == b.answer.settings;
}

/// Where one of two tuned counts takes over from the other, if it is where that is expected: in the
/// geometric middle; and of whole arrays at twice the smaller or more. What is near is decided by
/// the look-up alone; this saves asking for the counts on the way there.
std::vector<std::int64_t> likely_borders(const Found& low, const Found& high) {
  const auto place = [](std::int64_t count) { return std::log2(static_cast<double>(count) + 1); };
  if (!low.tuned_count || !high.tuned_count) return {};
  const double below = place(*low.tuned_count);
  const double far = place(*high.tuned_count) - below;
  std::vector<std::int64_t> borders;
  for (const double from_below : {std::min(std::max(1.0, far / 3), far / 2), far / 2}) {
    const double border = std::ceil(std::exp2(below + from_below) - 1);
    constexpr auto largest = std::numeric_limits<std::int64_t>::max();
    borders.push_back(border < static_cast<double>(largest) ? static_cast<std::int64_t>(border)
                                                            : largest);
  }
  return borders;
}

class Search {
 public:
  explicit Search(const std::function<Found(std::int64_t)>& ask) : ask_(ask) {}

  const Found& at(std::int64_t count) {
    const auto known = known_.find(count);
    if (known != known_.end()) return known->second;
    ++asked_;
    return known_.emplace(count, ask_(count)).first->second;
  }

  /// Where no more may be asked, the answer of the smaller count holds up to the larger.
  void find_borders_between(std::int64_t low, std::int64_t high) {
    const int before = asked_;
    limit_ = asked_ + std::min(most_between, left_);
    find_borders(low, high);
    left_ -= asked_ - before;
  }

  [[nodiscard]] const Known& known() const { return known_; }

 private:
  /// Asks until the counts between two that were asked for have no border but known ones.
  void find_borders(std::int64_t low, std::int64_t high) {
    const auto narrow_to = [&](std::int64_t count) {
      if (count <= low || count >= high || asked_ >= limit_) return;
      if (is_same(at(count), at(low))) {
        low = count;
        return;
      }
      if (!is_same(at(count), at(high))) find_borders(count, high);  // more borders than one
      high = count;
    };
    if (is_same(at(low), at(high))) return;
    for (const std::int64_t guess : likely_borders(at(low), at(high))) {
      narrow_to(guess - 1);
      narrow_to(guess);
    }
    while (high - low > 1 && asked_ < limit_) narrow_to(low + (high - low) / 2);
  }

  const std::function<Found(std::int64_t)>& ask_;
  Known known_;
  int asked_ = 0;
  int limit_ = 0;
  int left_ = most_for_borders;
};

/// So many of these, among them the first and the last, at even steps.
std::vector<std::int64_t> spread(std::span<const std::int64_t> counts, std::size_t many) {
  std::vector<std::int64_t> taken;
  for (std::size_t i = 0; i < many; ++i) {
    const std::size_t last = counts.size() - 1;
    taken.push_back(counts[many == 1 ? 0 : i * last / (many - 1)]);
  }
  return taken;
}

}  // namespace

std::vector<std::int64_t> kept_counts(std::vector<std::int64_t> tuned) {
  std::ranges::sort(tuned);
  tuned.erase(std::unique(tuned.begin(), tuned.end()), tuned.end());
  if (tuned.size() <= most_tuned_counts) return tuned;
  std::map<std::size_t, std::vector<std::int64_t>> by_width;
  for (const std::int64_t count : tuned) {
    const auto width = std::bit_width(static_cast<std::uint64_t>(count));
    by_width[static_cast<std::size_t>(width)].push_back(count);
  }
  std::vector<std::vector<std::int64_t>> groups;
  for (auto& [width, counts] : by_width) groups.push_back(std::move(counts));
  // The smallest first: what they leave is the others'.
  std::ranges::stable_sort(groups, {}, [](const auto& counts) { return counts.size(); });
  std::vector<std::int64_t> kept;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::size_t share = (most_tuned_counts - kept.size()) / (groups.size() - i);
    const auto taken = spread(groups[i], std::min(share, groups[i].size()));
    kept.insert(kept.end(), taken.begin(), taken.end());
  }
  std::ranges::sort(kept);
  return kept;
}

std::vector<SizeClass> find_size_classes(const std::function<Found(std::int64_t)>& ask,
                                         std::span<const std::int64_t> tuned) {
  Search search(ask);
  (void)search.at(0);
  for (int i = 0; i <= largest_log2; ++i) (void)search.at(std::int64_t{1} << i);
  // A count that was tuned has an answer of its own; the counts beside it have that of the range.
  for (const std::int64_t count : tuned) {
    (void)search.at(count);
    if (count > 0) (void)search.at(count - 1);
    if (count < std::numeric_limits<std::int64_t>::max()) (void)search.at(count + 1);
  }
  std::vector<std::int64_t> counts;
  for (const auto& [count, found] : search.known()) counts.push_back(count);
  for (std::size_t i = 1; i < counts.size(); ++i) {
    search.find_borders_between(counts[i - 1], counts[i]);
  }

  std::vector<SizeClass> classes;
  const Found* last = nullptr;
  for (const auto& [count, found] : search.known()) {
    if (last == nullptr || !is_same(*last, found)) {
      classes.push_back({count, found.answer, found.tuned_count});
    }
    last = &found;
  }
  return classes;
}

void begin_class_at(std::vector<SizeClass>& classes, std::int64_t first) {
  const auto behind = std::ranges::upper_bound(classes, first, {}, &SizeClass::first);
  const SizeClass& its = *std::prev(behind);
  if (its.first == first) return;
  SizeClass begun = its;
  begun.first = first;
  begun.answer.problem.count = first;
  classes.insert(behind, std::move(begun));
}

}  // namespace redtune::runtime
