// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a best result is made of, told once: columns of the store, their checksum, JSON of both
// kinds and the numbers of a snapshot are derived from these rows. Settings are kept by their key,
// and a result whose device others used is never published.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "cache/keys/records.hpp"
#include "vocabulary/described.hpp"

namespace redtune::cache {

/// Where a member is kept.
enum class Kept {
  everywhere,
  in_stores,  ///< and in what stores give each other, but in no snapshot: its layout is fixed
  /// Likewise; stores and files of other versions may lack it. No part of a row's checksum, which
  /// programs that do not know it must be able to check.
  in_later_stores,
};

template <class T>
struct BestMember {
  using Value = T;

  std::string_view name;  ///< also its column; of an interval, of its place in JSON
  T Best::*place;
  std::array<std::string_view, 3> columns = {};  ///< of an interval: low, median, high
  Kept kept = Kept::everywhere;

  template <class R>
  [[nodiscard]] constexpr auto& of(R& best) const {
    return best.*place;
  }
};

}  // namespace redtune::cache

/// New rows come last, with Kept::in_later_stores: checksums and snapshots are in this order.
template <>
struct redtune::Described<redtune::cache::Best> {
  using Best = cache::Best;
  using Kept = cache::Kept;
  template <class T>
  using Row = cache::BestMember<T>;

  static constexpr std::tuple members{
      Row<Interval>{"time_us", &Best::time_us, {"low_us", "median_us", "high_us"}},
      Row<double>{"default_us", &Best::default_us},
      Row<Interval>{"gain", &Best::gain, {"gain_low", "gain_median", "gain_high"}},
      Row<double>{"gigabytes_per_second", &Best::gigabytes_per_second},
      Row<std::string>{"reason", &Best::reason},
      Row<int>{"samples", &Best::samples},
      Row<double>{"batch_us", &Best::batch_us},
      Row<double>{"noise_floor", &Best::noise_floor},
      Row<int>{"protocol", &Best::protocol},
      Row<double>{"stream_us", &Best::stream_us},
      Row<std::string>{"measurement", &Best::measurement, {}, Kept::in_stores}};
};
