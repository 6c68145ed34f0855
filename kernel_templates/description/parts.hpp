// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What single statements say; private to this folder. Each throws UsageError with the place of what
// is wrong and how it is written.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "kernel_templates/description/kernel_description.hpp"
#include "kernel_templates/description/statement.hpp"

namespace redtune::kernels {

/// "BLOCK = 64, 128, 256 default 128".
[[nodiscard]] Tunable read_tunable(const Statement& statement);
/// "n = 2^20, 2^24".
[[nodiscard]] NamedSize read_size(const Statement& statement);
/// "const float in[n] uniform(-1, 1)", "int n". folder: of files that it names.
[[nodiscard]] KernelArgument read_argument(const Statement& statement, const std::string& folder);

struct WrittenName {
  std::string name;
  Place place;
};

/// A launch before its arguments are known.
struct WrittenLaunch {
  KernelLaunch launch;
  std::vector<WrittenName> arguments;  ///< none: all
};

/// "block = BLOCK grid = ceil(n / BLOCK)", with a kernel before that or without.
[[nodiscard]] WrittenLaunch read_launch(const Statement& statement);

/// A check before outputs and references are known.
struct WrittenCheck {
  WrittenName output;
  OutputCheck check;
  WrittenName reference;  ///< where the authority is a kernel
};

/// "out within 1e-5 of default". folder: of files that it names.
[[nodiscard]] WrittenCheck read_check(const Statement& statement, const std::string& folder);

/// A kernel's name without its template arguments. Throws as the others.
[[nodiscard]] std::string plain_name_of(std::string_view kernel, const Place& place);

/// A file that another one names.
[[nodiscard]] std::string path_beside(const std::string& folder, const std::string& name);

/// The first of a list that has a name.
template <class Named>
[[nodiscard]] const Named* find_named(const std::vector<Named>& all, std::string_view name) {
  for (const Named& one : all) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

}  // namespace redtune::kernels
