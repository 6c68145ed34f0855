// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/text/device_text.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>

#include "redtune/error.hpp"

namespace redtune::kernels {
namespace {

constexpr std::string_view include_word = "#include \"";

std::string_view file_text(std::string_view path) {
  const auto file = std::ranges::find(embedded_files(), path, &EmbeddedFile::path);
  if (file == embedded_files().end()) throw Error(fmt::format("no kernel file '{}'", path));
  return file->text;
}

/// "device_code/ops.hip.h" for an include of "ops.hip.h" in "device_code/wave_reduce.hip.h".
std::string beside(std::string_view includer, std::string_view name) {
  return (std::filesystem::path(includer).parent_path() / name).lexically_normal().generic_string();
}

void append(std::string& program, const std::string& path, std::set<std::string>& done) {
  if (!done.insert(path).second) return;
  std::string_view text = file_text(path);
  program += fmt::format("#line 1 \"{}\"\n", path);
  for (int line = 1; !text.empty(); ++line) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view row = text.substr(0, end);
    text.remove_prefix(end);
    if (row.starts_with(include_word)) {
      const auto name = row.substr(include_word.size(), row.rfind('"') - include_word.size());
      append(program, beside(path, name), done);
      program += fmt::format("#line {} \"{}\"\n", line + 1, path);
    } else {
      program += row.starts_with("#pragma once") ? "\n" : row;
    }
  }
}

}  // namespace

std::string program_text(std::string_view path) {
  return program_text(std::span(&path, 1));
}

std::string program_text(std::span<const std::string_view> paths) {
  std::string program;
  std::set<std::string> done;
  for (const std::string_view path : paths) append(program, std::string(path), done);
  return program;
}

}  // namespace redtune::kernels
