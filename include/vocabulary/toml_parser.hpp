// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// toml++, made safe for every text: the one place where it is included.
#pragma once

#include <string_view>

namespace redtune {
/// The parser met what it does not expect, and tells no place.
struct TomlParserIsLost {};
constexpr void toml_parser_expects(bool condition) {
  if (!condition) throw TomlParserIsLost();
}
}  // namespace redtune

// What this parser takes for granted of its input is not so for every text. It would end the
// program, or go on with what it takes for granted when compiled without assertions.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(condition) ::redtune::toml_parser_expects(static_cast<bool>(condition))
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace redtune {

/// For people: "a table", "an integer".
[[nodiscard]] inline std::string_view kind_of_toml(toml::node_type type) {
  switch (type) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a float";
    case toml::node_type::boolean:
      return "a boolean";
    default:
      return "a date or time";
  }
}

}  // namespace redtune
