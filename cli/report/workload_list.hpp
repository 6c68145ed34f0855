// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a workload comes to before it is tuned: what is known of it, and how long the rest is likely
// to take.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "cache/keys/records.hpp"
#include "cli/names.hpp"
#include "tuner/text/json.hpp"
#include "tuner/workload/workload.hpp"

namespace redtune::cli {

struct KnownSince {
  std::string at;  ///< UTC, ISO 8601
};
struct GoesOn {
  cache::RunId run{};  ///< that ended early
};
struct ToTune {};
/// The device has not so much memory.
struct DoesNotFit {};

/// What tuning a problem would begin with.
using ItemState = std::variant<ToTune, GoesOn, KnownSince, DoesNotFit>;

/// Whether there is something to do.
[[nodiscard]] bool is_open(const ItemState& state);

struct LikelyTime {
  double seconds = 0;
  std::size_t runs = 0;  ///< of which this is the median; 0: the time of the budget
};

/// Of runs with the same budget and the same cache mode, on inputs that are at most four times as
/// large or as small, of whole arrays or of other shapes as the item is; without any, what is usual
/// where a search ends once it is settled, else the time that the budget allows for searching;
/// nothing where it does not bound the time.
[[nodiscard]] std::optional<LikelyTime> likely_time(const WorkloadItem& item,
                                                    std::span<const cache::RunTime> past);

struct ListedItem {
  WorkloadItem item;
  ItemState state;
  std::optional<LikelyTime> likely;  ///< of what is to be tuned
};

struct WorkloadList {
  std::string name;    ///< of the workload
  std::string device;  ///< likewise
  std::vector<ListedItem> items;
  std::size_t borders = 0;  ///< that can be measured already, and were not
};

/// Of items that all have a budget; past: runs on this device.
[[nodiscard]] std::vector<ListedItem> list_of(
    const std::vector<WorkloadItem>& items,
    const std::function<ItemState(const WorkloadItem&)>& state_of,
    std::span<const cache::RunTime> past);

/// A table with a line for each problem, and the sum.
[[nodiscard]] std::string text_of(const WorkloadList& list);
[[nodiscard]] Json json_of(const WorkloadList& list);

/// "2.3 s", "45 s", "6 min 40 s", "2 h 5 min".
[[nodiscard]] std::string wall_time_text(double seconds);

}  // namespace redtune::cli
