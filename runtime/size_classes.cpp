// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "runtime/size_classes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace redtune::runtime {
namespace {

constexpr int largest_log2 = 40;

/// Counts that were asked for, with their answers.
using Known = std::map<std::int64_t, Found>;

bool is_same(const Found& a, const Found& b) {
  return a.answer.match == b.answer.match && a.tuned_count == b.tuned_count &&
         a.answer.source == b.answer.source && a.answer.settings == b.answer.settings;
}

/// Where the nearer of two tuned counts changes: in the geometric middle. What is near is decided
/// by the look-up alone; this saves asking for the counts on the way there.
std::int64_t likely_border(const Found& low, const Found& high) {
  const auto place = [](std::int64_t count) { return std::log2(static_cast<double>(count) + 1); };
  if (!low.tuned_count || !high.tuned_count) return -1;
  const double middle = (place(*low.tuned_count) + place(*high.tuned_count)) / 2;
  return static_cast<std::int64_t>(std::ceil(std::exp2(middle) - 1));
}

class Search {
 public:
  explicit Search(const std::function<Found(std::int64_t)>& ask) : ask_(ask) {}

  const Found& at(std::int64_t count) {
    const auto known = known_.find(count);
    return known != known_.end() ? known->second : known_.emplace(count, ask_(count)).first->second;
  }

  /// Asks until the counts between two that were asked for have no border but known ones.
  void find_borders(std::int64_t low, std::int64_t high) {
    const auto narrow_to = [&](std::int64_t count) {
      if (count <= low || count >= high) return;
      if (is_same(at(count), at(low))) {
        low = count;
        return;
      }
      if (!is_same(at(count), at(high))) find_borders(count, high);  // more borders than one
      high = count;
    };
    if (is_same(at(low), at(high))) return;
    const std::int64_t guess = likely_border(at(low), at(high));
    narrow_to(guess - 1);
    narrow_to(guess);
    while (high - low > 1) narrow_to(low + (high - low) / 2);
  }

  [[nodiscard]] const Known& known() const { return known_; }

 private:
  const std::function<Found(std::int64_t)>& ask_;
  Known known_;
};

}  // namespace

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
  for (std::size_t i = 1; i < counts.size(); ++i) search.find_borders(counts[i - 1], counts[i]);

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

}  // namespace redtune::runtime
