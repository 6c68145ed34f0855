// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A few configs out of the product of a family's tunables, chosen so that all samples together hold
// every value that a device allows.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "kernel_templates/family/family.hpp"
#include "search/rng.hpp"

namespace redtune::checks {

/// All values of all tunables, as settings.
[[nodiscard]] inline std::vector<Setting> all_values(const kernels::Family& family) {
  std::vector<Setting> values;
  for (const kernels::TunableInfo& tunable : family.tunables()) {
    for (const std::string& value : tunable.values) values.push_back({tunable.name, value});
  }
  return values;
}

/// Random settings in which the fixed ones hold and which the device allows; nothing after many
/// tries.
[[nodiscard]] inline std::optional<Settings> draw(const kernels::Family& family,
                                                  const Problem& problem, const Limits& limits,
                                                  const Settings& fixed, search::Rng& rng) {
  const auto tunables = family.tunables();
  for (int tries = 0; tries < 300; ++tries) {
    Settings settings;
    for (const auto& [name, values] : tunables) {
      settings.push_back({name, values[rng.below(values.size())]});
      for (const Setting& one : fixed) {
        if (one.name == name) settings.back().value = one.value;
      }
    }
    if (family.why_invalid(settings, problem, limits).empty()) return settings;
  }
  return std::nullopt;
}

/// The default and `many` - 1 others. Each takes its turn of the finishes, which are the values of
/// a family's first tunable, and of all values, going on where the sample before (number - 1)
/// ended.
[[nodiscard]] inline std::vector<Settings> sample(const kernels::Family& family,
                                                  const Problem& problem, const Limits& limits,
                                                  std::size_t number, std::size_t many) {
  const auto values = all_values(family);
  std::vector<Setting> finishes;
  std::ranges::copy_if(values, std::back_inserter(finishes),
                       [&](const Setting& value) { return value.name == values.front().name; });
  search::Rng rng(number);
  std::vector<Settings> found{family.default_settings(problem, limits)};
  for (std::size_t i = 1; i < many; ++i) {
    const Setting& finish = finishes[i % finishes.size()];
    const Setting& turn = values[(number * (many - 1) + i) % values.size()];
    std::optional<Settings> settings;
    if (turn.name != finish.name) settings = draw(family, problem, limits, {finish, turn}, rng);
    if (!settings) settings = draw(family, problem, limits, {finish}, rng);
    if (settings) found.push_back(*settings);
  }
  return found;
}

/// Settings in which every value that a device allows occurs with one finish.
[[nodiscard]] inline std::vector<Settings> covering(const kernels::Family& family,
                                                    const Problem& problem, const Limits& limits,
                                                    const Setting& finish, search::Rng& rng) {
  std::vector<Setting> missing = all_values(family);
  std::erase_if(missing, [&](const Setting& value) { return value.name == finish.name; });
  const auto held = [&](const Settings& settings) {
    return std::ranges::count_if(
        missing, [&](const Setting& value) { return std::ranges::count(settings, value) > 0; });
  };
  std::vector<Settings> found;
  while (!missing.empty()) {
    std::optional<Settings> best;
    for (int draws = 0; draws < 8; ++draws) {
      auto drawn = draw(family, problem, limits, {finish, missing.front()}, rng);
      if (!drawn) break;
      if (!best || held(*drawn) > held(*best)) best = std::move(drawn);
    }
    if (best) {
      std::erase_if(missing,
                    [&](const Setting& value) { return std::ranges::count(*best, value) > 0; });
      found.push_back(std::move(*best));
    } else {
      missing.erase(missing.begin());  // not on this device
    }
  }
  return found;
}

/// The default, and settings in which every value that a device allows occurs with every finish.
[[nodiscard]] inline std::vector<Settings> covering(const kernels::Family& family,
                                                    const Problem& problem, const Limits& limits,
                                                    std::uint64_t seed) {
  search::Rng rng(seed);
  std::vector<Settings> found{family.default_settings(problem, limits)};
  for (const Setting& value : all_values(family)) {
    if (value.name != family.tunables().front().name) continue;
    std::ranges::move(covering(family, problem, limits, value, rng), std::back_inserter(found));
  }
  return found;
}

}  // namespace redtune::checks
