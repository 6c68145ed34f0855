// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Between two neighbouring tuned counts of one kind of problem: from which count on the winner of
// the larger is the faster one, as it was measured there.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

#include "cache/keys/records.hpp"
#include "vocabulary/described.hpp"

namespace redtune::cache {

/// Of a question: its count is the smaller one. A border holds for these two winners alone.
struct Border {
  std::int64_t above = 0;        ///< the larger count
  std::string below_config{};    ///< the hash of the key of the smaller count's settings
  std::string above_config{};    ///< likewise of the larger's
  std::int64_t first = 0;        ///< the smallest count that the larger's winner answers
  std::int64_t still_below = 0;  ///< the largest count where the smaller's was seen to be faster
  std::int64_t first_above = 0;  ///< the smallest count where the larger's was

  auto operator<=>(const Border&) const = default;
};

struct StoredBorder {
  Question question;
  Border border;
  std::string at{};  ///< when it was measured: UTC, ISO 8601

  auto operator<=>(const StoredBorder&) const = default;
};

/// Whether its counts can be those of a border: each no smaller than the one before.
[[nodiscard]] bool is_plausible(const StoredBorder& stored);

/// Whether it was measured between these two results.
[[nodiscard]] bool is_between(const StoredBorder& border, const StoredBest& below,
                              const StoredBest& above);

/// Those that hold where these are all the results: between neighbours, with the winners that they
/// have now; of several the newest. Sorted.
[[nodiscard]] std::vector<StoredBorder> borders_among(std::span<const StoredBest> results,
                                                      std::span<const StoredBorder> known);

/// Each two results with neighbouring counts, of one question but for that; in the order of the
/// questions. Of one question the newest result counts.
struct Neighbours {
  const StoredBest* below = nullptr;
  const StoredBest* above = nullptr;
};
[[nodiscard]] std::vector<Neighbours> neighbours_among(std::span<const StoredBest> results);

}  // namespace redtune::cache

template <>
struct redtune::Described<redtune::cache::Border> {
  using Border = cache::Border;

  static constexpr std::tuple members{Member{"above", &Border::above},
                                      Member{"below_config", &Border::below_config},
                                      Member{"above_config", &Border::above_config},
                                      Member{"first", &Border::first},
                                      Member{"still_below", &Border::still_below},
                                      Member{"first_above", &Border::first_above}};
};
