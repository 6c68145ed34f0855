// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/device_texts.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "kernel_templates/text/device_text.hpp"
#include "redtune/error.hpp"

namespace redtune::bench {
namespace {

/// What a compiler of one text without files has no use for; the lines keep their numbers.
bool is_for_editors(std::string_view line) {
  return line.starts_with("#pragma once") || line.starts_with("#include \"");
}

}  // namespace

std::string program_text(std::string_view path) {
  const auto file = std::ranges::find(embedded_files(), path, &EmbeddedFile::path);
  if (file == embedded_files().end()) throw Error(fmt::format("no kernel file '{}'", path));
  std::string program = kernels::program_text("device_code/prelude.hip.h");
  program += fmt::format("#line 1 \"{}\"\n", path);
  for (std::string_view text = file->text; !text.empty();) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    program += is_for_editors(line) ? "\n" : line;
  }
  return program;
}

}  // namespace redtune::bench
