// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/workload/order.hpp"

#include <algorithm>
#include <iterator>

#include "cache/lookup/lookup.hpp"
#include "kernel_templates/family/family.hpp"

namespace redtune::tuner {
namespace {

/// Of such inputs caches hold little, and what they hold was displaced since it was read.
constexpr double caches_of_memory_bound = 4;
/// Inputs are about as large as each other within this factor.
constexpr double about_as_large = 1.5;

using Items = std::vector<WorkloadItem>;

bool differ_in_shape_alone(const Problem& a, const Problem& b) {
  const Operation& operation = a;
  return operation == b && a.cache_mode == b.cache_mode &&
         &kernels::family_of(a) == &kernels::family_of(b);
}

/// What differs in its shape alone, in the order of the items.
std::vector<Items> alike(const Items& items) {
  std::vector<Items> classes;
  for (const WorkloadItem& item : items) {
    const auto place = std::ranges::find_if(classes, [&](const Items& others) {
      return differ_in_shape_alone(others.front().problem, item.problem);
    });
    if (place == classes.end())
      classes.push_back({item});
    else
      place->push_back(item);
  }
  return classes;
}

double bytes_of(const WorkloadItem& item) {
  return static_cast<double>(input_bytes(item.problem));
}

/// Of items by rising count.
Shape first_shape(const Items& items, double cache_bytes) {
  Items candidates;  // what memory bounds, or all
  std::ranges::copy_if(items, std::back_inserter(candidates), [&](const WorkloadItem& item) {
    return bytes_of(item) >= caches_of_memory_bound * cache_bytes;
  });
  const bool is_bound = !candidates.empty();
  if (!is_bound) candidates = items;
  const auto [least, most] = std::ranges::minmax(candidates, {}, bytes_of);
  const double bytes = bytes_of(is_bound ? least : most);
  std::erase_if(candidates, [&](const WorkloadItem& item) {
    const double own = bytes_of(item);
    return own != bytes && std::max(own, bytes) >= about_as_large * std::min(own, bytes);
  });
  return candidates[(candidates.size() - 1) / 2].problem;
}

void sort_by_distance(Items& items, double cache_bytes) {
  std::ranges::stable_sort(items, {}, [](const WorkloadItem& item) { return item.problem.count; });
  const Shape first = first_shape(items, cache_bytes);
  std::ranges::stable_sort(items, {}, [&](const WorkloadItem& item) {
    return cache::log2_distance(first, item.problem);
  });
}

bool has_index(const WorkloadItem& item) {
  return info(item.problem.op).shape == ResultShape::indexed;
}

/// From the first with an index on, as evenly as can be; either keep their order.
void deal_indexed(Items::iterator begin, Items::iterator end) {
  const auto first = std::find_if(begin, end, has_index);
  Items indexed;
  Items others;
  std::partition_copy(first, end, std::back_inserter(indexed), std::back_inserter(others),
                      has_index);
  const std::size_t all = indexed.size() + others.size();
  std::size_t dealt = 0;
  for (std::size_t place = 0; place < all; ++place) {
    const bool is_turn = dealt * all <= place * indexed.size();
    first[static_cast<std::ptrdiff_t>(place)] = is_turn ? indexed[dealt++] : others[place - dealt];
  }
}

}  // namespace

std::vector<WorkloadItem> in_order_of_tuning(const std::vector<WorkloadItem>& items,
                                             std::int64_t last_level_cache_bytes) {
  Items ordered;
  for (Items& one : alike(items)) {
    sort_by_distance(one, static_cast<double>(last_level_cache_bytes));
    std::ranges::move(one, std::back_inserter(ordered));
  }
  const auto family = [](const WorkloadItem& item) { return &kernels::family_of(item.problem); };
  for (auto begin = ordered.begin(); begin != ordered.end();) {
    const auto end = std::find_if(begin, ordered.end(), [&](const WorkloadItem& item) {
      return family(item) != family(*begin);
    });
    deal_indexed(begin, end);
    begin = end;
  }
  return ordered;
}

double share_before_next(const Problem& problem, const Problem& next) {
  constexpr double most = 0.6;
  constexpr double first_asks = 0.2;
  return differ_in_shape_alone(problem, next) ? most : first_asks;
}

}  // namespace redtune::tuner
