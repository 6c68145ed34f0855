// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The calls and errors of calls.def and errors.def by name.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace redtune::testing::hip {

enum class Library { hip, hiprtc, comgr };
enum class Purpose { work, give_back, after_failure };
enum class Persistence { passing, sticky };

struct CallRow {
  std::string_view name;
  Library library = Library::hip;
  Purpose purpose = Purpose::work;
};
[[nodiscard]] std::span<const CallRow> all_calls();

struct ErrorRow {
  std::string_view name;
  Library library = Library::hip;
  int value = 0;
  Persistence persistence = Persistence::passing;
  const char* description = "";
};
[[nodiscard]] std::span<const ErrorRow> all_errors();

[[nodiscard]] bool is_call(std::string_view name);
/// Of the library that the call is one of; nothing when that has no such error.
[[nodiscard]] std::optional<int> error_of(std::string_view call, std::string_view error);
/// Null: none that is listed.
[[nodiscard]] const ErrorRow* find_error(Library library, int value);

}  // namespace redtune::testing::hip
