// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Whom a comparing program measures redtune beside: each program has one, and the rest of the text
// is the same for all.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "bench/compare/findings.hpp"

namespace redtune::compare {

struct Contest {
  std::string_view program;   ///< its name on the command line
  std::string_view key;       ///< the library in options, column names and JSON
  std::string_view title;     ///< and for people
  std::string_view rivals;    ///< all peers for people: "CUB's and Thrust's"
  std::string_view platform;  ///< of the devices, for people
  const char* device;         ///< what is measured, as redtune names it: device 0 of the runtime
  std::span<const Peer> peers;
  std::string_view notes;  ///< what a reader must know of the library; whole lines
};

/// Defined once in each program, as is what follows.
[[nodiscard]] const Contest& contest();

/// Of a driver or runtime, as the vendor writes versions.
[[nodiscard]] std::string version_text(int number);
[[nodiscard]] std::string library_version();
/// Of the compiler that compiled the library's templates.
[[nodiscard]] std::string compiler_version();

}  // namespace redtune::compare
