// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Statements into a description, whichever file they come from.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "kernel_templates/description/kernel_description.hpp"
#include "kernel_templates/description/statement.hpp"

namespace redtune::kernels {

/// What a description has beside its statements.
struct DescribedFile {
  std::string file;       ///< that holds the statements
  std::string text_file;  ///< that holds the kernel

  /// Where files that it names lie.
  [[nodiscard]] std::string folder() const;
};

/// The keys of statements. May each stand several times, and what it says in short.
struct StatementKey {
  std::string_view name;
  bool repeats = false;
};
[[nodiscard]] std::span<const StatementKey> statement_keys();

/// Throws UsageError with the place at the first key that there is not.
void require_key(std::string_view key, const Place& place);

/// Throws UsageError: one line with file, line and column, and what would be right.
[[nodiscard]] KernelDescription describe(const DescribedFile& from,
                                         std::span<const Statement> statements);

}  // namespace redtune::kernels
