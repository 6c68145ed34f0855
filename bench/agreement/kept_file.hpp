// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Small files that a later call reads again: whole, or not there.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "redtune/interval.hpp"

namespace redtune::bench {

/// A reader finds the old text or the new one. Throws IoError.
void write_text(const std::filesystem::path& file, std::string_view text);

/// Nothing where there is no file. Throws IoError for one that is no JSON.
[[nodiscard]] std::optional<nlohmann::json> read_json(const std::filesystem::path& file);

[[nodiscard]] nlohmann::json json_of(const Interval& interval);
[[nodiscard]] Interval interval_of(const nlohmann::json& document);

}  // namespace redtune::bench
