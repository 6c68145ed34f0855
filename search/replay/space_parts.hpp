// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What the readers of all formats of recorded spaces do alike. Private to this folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "search/replay/space_formats.hpp"

namespace redtune::search {

/// The member of an object; null when it is missing or this is no object.
[[nodiscard]] const SpaceJson& member(const SpaceJson& object, std::string_view name);

/// The text of a member, or nothing.
[[nodiscard]] std::string text_in(const SpaceJson& object, std::string_view name);

/// The names of an object's members.
[[nodiscard]] std::vector<std::string> names_of(const SpaceJson& object);

/// Throws UsageError for an objective of which more is better: strategies minimise.
void require_minimised(std::string_view objective);

/// The values of named parameters. which: what the configuration is called in errors.
[[nodiscard]] std::vector<AxisValue> values_of(const SpaceJson& configuration,
                                               const std::vector<std::string>& names,
                                               std::string_view which);

/// A time; nothing for a word or null, which stand in the place of times of what failed. Throws
/// UsageError for numbers that no measurement has.
[[nodiscard]] std::optional<double> cost_of(const SpaceJson& value, std::string_view which);

/// The times of single launches; those that are no positive numbers are left out.
[[nodiscard]] std::vector<double> launches_of(const SpaceJson& list);

/// What compiling and running took. other_ms: what stands in the place of launches where these
/// were not recorded. Nothing when neither compiling nor running was recorded.
[[nodiscard]] std::optional<double> seconds_of(const SpaceJson& compile_ms,
                                               const std::vector<double>& launches_ms,
                                               const SpaceJson& other_ms);

/// The beginning of a text of a stranger, as a terminal may show it.
[[nodiscard]] std::string shown(std::string_view text);

}  // namespace redtune::search
