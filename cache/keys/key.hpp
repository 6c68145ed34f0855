// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Keys: SHA-256 over named fields. The fields stay beside the hash so that a miss can be explained.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "redtune/device_identity.hpp"
#include "redtune/problem.hpp"
#include "redtune/settings.hpp"

namespace redtune::cache {

/// A named text value, of whatever it may be a part.
using Field = Setting;
using Fields = Settings;

struct Key {
  std::string hash;  ///< 64 hexadecimal digits
  Fields fields;     ///< in their natural order; the hash does not depend on it

  auto operator<=>(const Key&) const = default;
};

/// Hash of a kind of thing and its fields: sorted by name, every text preceded by its length, so
/// that no two lists of fields share a text.
[[nodiscard]] Key make_key(std::string_view kind, Fields fields);

[[nodiscard]] Fields fields_of(const Problem& problem);
[[nodiscard]] Fields fields_of(const DeviceClass& device_class);
[[nodiscard]] Fields fields_of(const Toolchain& toolchain);

[[nodiscard]] Key key_of(const Problem& problem);
[[nodiscard]] Key key_of(const DeviceClass& device_class);
[[nodiscard]] Key key_of(const Toolchain& toolchain);
[[nodiscard]] Key key_of(const Settings& settings);

/// Backwards. Nothing for a missing, unknown or unreadable field: what another version of redtune
/// wrote is not guessed at.
[[nodiscard]] std::optional<Problem> problem_from(const Fields& fields);
[[nodiscard]] std::optional<DeviceClass> device_class_from(const Fields& fields);
[[nodiscard]] std::optional<Toolchain> toolchain_from(const Fields& fields);

}  // namespace redtune::cache
