// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/description/json_places.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace redtune::kernels {

Place place_in(std::string_view text, std::size_t offset, const std::string& file) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0
  return {file, static_cast<int>(1 + std::ranges::count(before, '\n')),
          static_cast<int>(before.size() - line_begin) + 1, true};
}

JsonPlaces::JsonPlaces(std::string_view text, const std::string& file) : text_(text), file_(file) {
  read_value("");
}

Place JsonPlaces::of(const std::string& pointer) const {
  const auto found = offsets_.find(pointer);
  return place_in(text_, found == offsets_.end() ? 0 : found->second, file_);
}

void JsonPlaces::skip_blanks() {
  while (at_ < text_.size() &&
         std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) {
    ++at_;
  }
}

bool JsonPlaces::take(char c) {
  skip_blanks();
  if (at_ >= text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

/// Keys are told apart by their bytes; those with escapes are nobody's that asks.
std::string JsonPlaces::read_string() {
  const std::size_t begin = ++at_;
  while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
  const std::size_t end = std::min(at_, text_.size());
  ++at_;
  return std::string(text_.substr(begin, end - begin));
}

void JsonPlaces::read_value(const std::string& pointer) {
  skip_blanks();
  offsets_[pointer] = at_;
  if (take('{')) return read_members(pointer, '}');
  if (take('[')) return read_members(pointer, ']');
  if (at_ < text_.size() && text_[at_] == '"') {
    (void)read_string();
    return;
  }
  while (at_ < text_.size() &&
         std::string_view(",]} \t\r\n").find(text_[at_]) == std::string_view::npos) {
    ++at_;
  }
}

void JsonPlaces::read_members(const std::string& pointer, char end) {
  for (std::size_t number = 0; at_ < text_.size() && !take(end); ++number) {
    std::string name = fmt::format("{}", number);
    if (end == '}') {
      skip_blanks();
      name = read_string();
      (void)take(':');
    }
    read_value(fmt::format("{}/{}", pointer, name));
    (void)take(',');
  }
}

}  // namespace redtune::kernels
