// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The benchmarks' own kernels as they were when they were built, and programs made of them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace redtune::bench {

struct EmbeddedFile {
  std::string_view path;  ///< relative to bench/
  std::string_view text;
};

[[nodiscard]] std::span<const EmbeddedFile> embedded_files();

/// The text of a file behind the prelude of redtune's kernels, for a run-time compiler. Throws
/// Error when the file is missing.
[[nodiscard]] std::string program_text(std::string_view path);

}  // namespace redtune::bench
