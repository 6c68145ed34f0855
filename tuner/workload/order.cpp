// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/workload/order.hpp"

#include <algorithm>
#include <cstddef>

namespace redtune::tuner {
namespace {

/// Of such inputs caches hold little, and what they hold was displaced since it was read.
constexpr std::size_t caches_of_memory_bound = 4;

using Items = std::vector<WorkloadItem>;

bool differ_in_count_alone(const Problem& a, const Problem& b) {
  Problem same_count = a;
  same_count.count = b.count;
  return same_count == b;
}

/// What differs in its count alone, in the order of the items.
std::vector<Items> alike(const Items& items) {
  std::vector<Items> classes;
  for (const WorkloadItem& item : items) {
    const auto place = std::ranges::find_if(classes, [&](const Items& others) {
      return differ_in_count_alone(others.front().problem, item.problem);
    });
    if (place == classes.end())
      classes.push_back({item});
    else
      place->push_back(item);
  }
  return classes;
}

/// Of items by rising count.
std::size_t first_memory_bound(const Items& items, std::size_t cache_bytes) {
  const auto place = std::ranges::find_if(items, [&](const WorkloadItem& item) {
    return input_bytes(item.problem) / caches_of_memory_bound >= cache_bytes;
  });
  return place == items.end() ? items.size() - 1 : static_cast<std::size_t>(place - items.begin());
}

void add_outwards(Items& ordered, const Items& items, std::size_t begin) {
  ordered.push_back(items[begin]);
  for (std::size_t distance = 1; distance < items.size(); ++distance) {
    if (distance <= begin) ordered.push_back(items[begin - distance]);
    if (begin + distance < items.size()) ordered.push_back(items[begin + distance]);
  }
}

}  // namespace

std::vector<WorkloadItem> in_order_of_tuning(const std::vector<WorkloadItem>& items,
                                             std::int64_t last_level_cache_bytes) {
  Items ordered;
  for (Items& one : alike(items)) {
    std::ranges::stable_sort(one, {}, [](const WorkloadItem& item) { return item.problem.count; });
    const auto cache_bytes = static_cast<std::size_t>(last_level_cache_bytes);
    add_outwards(ordered, one, first_memory_bound(one, cache_bytes));
  }
  return ordered;
}

}  // namespace redtune::tuner
