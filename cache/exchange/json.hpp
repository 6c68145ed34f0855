// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Conversions of the cache's plain data to and from JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "cache/keys/borders.hpp"
#include "cache/keys/described_best.hpp"
#include "cache/keys/key.hpp"

namespace redtune::cache {

/// Keeps the order of members: settings stay in the order of their family's field table.
using Json = nlohmann::ordered_json;

[[nodiscard]] Json to_json(const Fields& fields);
/// Three numbers.
[[nodiscard]] Json interval_json(const Interval& interval);
/// Settings, and the members that are kept no less widely than this.
[[nodiscard]] Json members_of(const Best& best, Kept most);
[[nodiscard]] Json to_json(const StoredBest& entry);
[[nodiscard]] Json to_json(const StoredBorder& border);

/// Nothing when the text is no JSON, or deeper or wider than anything of ours. Of members with the
/// same name the last one counts.
[[nodiscard]] std::optional<Json> parse_json(std::string_view text);
/// Null where there is no such member, or no object.
[[nodiscard]] const Json& member_of(const Json& json, std::string_view name);
/// Nothing for anything but a whole number of 64 bits with a sign.
[[nodiscard]] std::optional<std::int64_t> integer_from(const Json& json);
/// Nothing for anything but an object of texts.
[[nodiscard]] std::optional<Fields> fields_from(const Json& json);

/// One line; bytes that are no UTF-8 are replaced.
[[nodiscard]] std::string dump(const Json& json);

}  // namespace redtune::cache
