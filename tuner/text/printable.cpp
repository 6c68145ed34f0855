// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/text/printable.hpp"

#include <fmt/format.h>
#include <iterator>

namespace redtune::tuner {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

/// Bytes of the character that a text begins with; 0 where it begins with none of UTF-8: overlong
/// forms, surrogates and what is beyond U+10FFFF are none (RFC 3629).
std::size_t character_bytes(std::string_view text) {
  const unsigned lead = byte_at(text, 0);
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const std::size_t bytes = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const unsigned lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const unsigned highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (byte_at(text, 1) < lowest || byte_at(text, 1) > highest) return 0;
  for (std::size_t i = 2; i < bytes; ++i) {
    if (byte_at(text, i) < 0x80 || byte_at(text, i) > 0xbf) return 0;
  }
  return bytes;
}

bool is_control(std::string_view character) {
  const unsigned first = byte_at(character, 0);
  return first < 0x20 || first == 0x7f || (first == 0xc2 && byte_at(character, 1) < 0xa0);
}

std::string escape_of(std::string_view character) {
  switch (character[0]) {
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    default:
      // A C1 character is C2 and its own number.
      return character.size() == 2 ? fmt::format("\\u{:04x}", byte_at(character, 1))
                                   : fmt::format("\\x{:02x}", byte_at(character, 0));
  }
}

std::string escaped(std::string_view text, std::string_view kept) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    const std::string_view character = text.substr(0, bytes == 0 ? 1 : bytes);
    const bool is_kept = kept.find(character[0]) != kept.npos;
    if (!is_kept && (bytes == 0 || is_control(character)))
      shown += escape_of(character);
    else
      shown += character;
    text.remove_prefix(character.size());
  }
  return shown;
}

}  // namespace

std::string printable(std::string_view text) {
  return escaped(text, "");
}

std::string printable_lines(std::string_view text) {
  return escaped(text, "\n\t");
}

}  // namespace redtune::tuner
