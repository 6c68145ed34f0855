// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// A description from whichever file has it: comments in the kernel's own file, a TOML file beside
// it, or a T1 file in JSON, as other tuners write them. All become the same.
#pragma once

#include <string>
#include <string_view>

#include "kernel_templates/description/kernel_description.hpp"

namespace redtune::kernels {

/// The file that has a description, and what stands in it.
struct DescriptionSource {
  std::string path;
  std::string text;
};

/// The file itself; one without annotations that has a TOML file of its name beside it, with .toml
/// behind, is described there. Throws UsageError.
[[nodiscard]] DescriptionSource description_source(const std::string& path);
/// By the name's end. Throws as read_description().
[[nodiscard]] KernelDescription description_in(const DescriptionSource& source);

/// By the name's end: .toml and .json say so; in any other file there are comments, and where it
/// has none there is a TOML file of its name with .toml behind. Throws UsageError: one line, with
/// file, line and column where something in a file is wrong.
[[nodiscard]] KernelDescription read_description(const std::string& path);

/// From the lines that begin with "// redtune:". file: that the text is in. Throws UsageError.
[[nodiscard]] KernelDescription description_in_comments(std::string_view text,
                                                        const std::string& file);
/// Whether there is such a line.
[[nodiscard]] bool has_annotations(std::string_view text);
[[nodiscard]] KernelDescription description_from_toml(std::string_view text,
                                                      const std::string& file);
[[nodiscard]] KernelDescription description_from_t1(std::string_view text, const std::string& file);

/// A text file of 4 MiB at most. Throws UsageError.
[[nodiscard]] std::string text_of_file(const std::string& path);

}  // namespace redtune::kernels
