// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What commands give out. Lines for people on standard output: the one place where a text of
// somebody else's meets a terminal. JSON and exports are printed, or written into a file, as they
// are.
#pragma once

#include <fmt/format.h>
#include <string>
#include <string_view>
#include <type_traits>

#include "cli/names.hpp"
#include "tuner/text/printable.hpp"

namespace redtune::cli {

/// A text as printable() leaves it, anything else as it is.
template <class T>
auto shown(const T& value) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>)
    return printable(value);
  else
    return value;
}

template <class T>
using Shown = decltype(shown(std::declval<const T&>()));

/// Prints; of the arguments every text becomes a part of a line, whatever it holds. What is several
/// lines already (a table, JSON) is printed as it is, for what is in it was shown before.
template <class... Values>
void say(fmt::format_string<Shown<Values>...> form, const Values&... values) {
  fmt::print(form, shown(values)...);
}

/// Gives out what was said so far: what is printed next, and anywhere else, comes behind it.
/// Returns 0, or errno of the first time that it could not be done.
int flush_output();

/// One document, and nothing else, on standard output.
inline void print_json(const Json& document) {
  fmt::print("{}\n", document.dump(2, ' ', false, Json::error_handler_t::replace));
}

/// Into a file that a person named, with the modes of a file to give away, and into a pipe too;
/// others are replaced at once or not at all, see cache/files/files.hpp. Throws IoError.
void write_file(const std::string& file, const std::string& bytes);

}  // namespace redtune::cli
