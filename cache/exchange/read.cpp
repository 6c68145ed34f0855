// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/exchange/read.hpp"

#include <algorithm>

#include "cache/exchange/of_snapshot.hpp"
#include "redtune/error.hpp"

namespace redtune::cache {

std::string shown_text(std::string_view text) {
  std::string shown(text.substr(0, 40));
  std::ranges::replace_if(
      shown, [](unsigned char c) { return c < 0x20 || c >= 0x7f; }, '?');
  return "'" + shown + "'";
}

Incoming read_exchange(std::string_view text) {
  if (is_snapshot(text)) return runs_from_snapshot(text);
  const auto document = parse_json(text);
  if (!document || !document->is_object()) {
    throw UsageError("it is not JSON, or cut short; export it again");
  }
  const bool is_t4 = document->contains("schema_version");
  return is_t4 ? runs_from_t4(*document) : runs_from_results(*document);
}

}  // namespace redtune::cache
