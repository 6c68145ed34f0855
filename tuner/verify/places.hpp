// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A place in memory has a speed of its own: how far it lies from the units that read and write it.
// One place would decide between configs by luck, so a batch goes through many, of the input, of
// the workspace and of the result (docs/explanation/measurement.md).
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace redtune::tuner {

/// A site is a part of all places, so few that a cache holds an input in each, where it holds one.
/// A graph works at one site; the graphs of a batch, at all of them.
inline constexpr std::size_t most_sites = 8;
inline constexpr std::size_t most_places_at_a_site = 8;
inline constexpr std::size_t most_places = most_sites * most_places_at_a_site;

/// How many there are of what takes so many bytes, where so many bytes and places may be taken in
/// all; one at least.
[[nodiscard]] constexpr std::size_t places_of(std::size_t bytes, std::size_t most_bytes,
                                              std::size_t most = most_places) {
  return std::clamp<std::size_t>(most_bytes / std::max<std::size_t>(bytes, 1), 1, most);
}

/// Which of the executions at a site.
struct Turn {
  std::size_t i = 0;
  std::size_t executions = 1;
  std::size_t site = 0;
  std::size_t sites = 1;

  /// Of so many places: the first executions work in one, the others in the next of the site.
  [[nodiscard]] constexpr std::size_t place_of(std::size_t places) const {
    const std::size_t here = std::max<std::size_t>(places / sites, 1);
    return (site * here + i * here / executions) % places;
  }
  /// Whether the execution before this one, if any, worked in another of so many.
  [[nodiscard]] constexpr bool is_first_in_place(std::size_t places) const {
    return i == 0 || place_of(places) != Turn{i - 1, executions, site, sites}.place_of(places);
  }
};

/// The first turns of a batch of so many executions that is parted among sites, as equally as goes:
/// all, or as many as have a few executions each.
[[nodiscard]] inline std::vector<Turn> at_sites(std::size_t executions) {
  constexpr std::size_t few = 8;
  const std::size_t parts = std::clamp<std::size_t>(executions / few, 1, most_sites);
  std::vector<Turn> firsts;
  for (std::size_t k = 0; k < parts; ++k) {
    const std::size_t here = executions * (k + 1) / parts - executions * k / parts;
    firsts.push_back({.executions = here, .site = k * most_sites / parts, .sites = most_sites});
  }
  return firsts;
}

/// The first turn of one that stays at the first.
[[nodiscard]] constexpr Turn at_one_site(std::size_t executions) {
  return {.executions = executions, .sites = most_sites};
}

}  // namespace redtune::tuner
