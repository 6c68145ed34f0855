// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Named text values as one JSON object of texts: how stores write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cache/keys/key.hpp"

namespace redtune::cache {

/// {"name":"value",...} in the given order; bytes that are no UTF-8 are replaced.
/// Throws UsageError when a name comes twice.
[[nodiscard]] std::string to_json_text(const Fields& fields);

/// Nothing when the text is anything but one JSON object of texts.
[[nodiscard]] std::optional<Fields> fields_from_json_text(std::string_view text);

}  // namespace redtune::cache
