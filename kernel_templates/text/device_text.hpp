// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The kernel files as they were when redtune was built, and programs made of them.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace redtune::kernels {

struct EmbeddedFile {
  std::string_view path;  ///< relative to kernel_templates/
  std::string_view text;
};

[[nodiscard]] std::span<const EmbeddedFile> embedded_files();

/// The text of a file with everything it includes, each file once, with #line marks that name the
/// files. Throws Error when a file is missing.
[[nodiscard]] std::string program_text(std::string_view path);
/// The same of several files, what they share once.
[[nodiscard]] std::string program_text(std::span<const std::string_view> paths);

}  // namespace redtune::kernels
