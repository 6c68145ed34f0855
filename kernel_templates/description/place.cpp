// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/description/place.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "redtune/error.hpp"

namespace redtune::kernels {

Place Place::behind(std::size_t bytes) const {
  Place place = *this;
  if (is_fixed) return place;
  place.column += static_cast<int>(bytes);
  place.offset += bytes;
  if (!further) return place;
  for (const FurtherLine& one : *further) {
    if (one.offset > place.offset || one.line < line) continue;
    place.line = one.line;
    place.column = one.column + static_cast<int>(place.offset - one.offset);
  }
  return place;
}

void refuse_at(const Place& place, std::string_view why) {
  std::string line(why);
  std::ranges::replace_if(
      line, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
  throw UsageError(fmt::format("{}:{}:{}: {}", place.file, place.line, place.column, line));
}

}  // namespace redtune::kernels
