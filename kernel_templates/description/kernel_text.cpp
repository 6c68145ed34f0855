// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/description/kernel_text.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <set>

#include "kernel_templates/description/kernel_plan.hpp"
#include "kernel_templates/description/read_description.hpp"
#include "kernel_templates/description/statement.hpp"
#include "kernel_templates/text/device_text.hpp"
#include "redtune/error.hpp"

namespace redtune::kernels {
namespace {

/// What a line includes: the name with its marks, "<name>" or "\"name\"".
std::optional<std::string_view> included_in(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with("#")) return std::nullopt;
  line = trimmed(line.substr(1));
  constexpr std::string_view word = "include";
  if (!line.starts_with(word)) return std::nullopt;
  line = trimmed(line.substr(word.size()));
  const std::size_t end =
      line.empty() ? std::string_view::npos : line.find(line.front() == '<' ? '>' : '"', 1);
  if (end == std::string_view::npos) return std::nullopt;
  return line.substr(0, end + 1);
}

/// Headers by which vendors' compilers know the words of kernels.
bool is_of_vendor(std::string_view name) {
  return std::ranges::any_of(
      std::array<std::string_view, 3>{"hip/", "cuda", "device_launch_parameters"},
      [&](std::string_view begin) { return name.starts_with(begin); });
}

constexpr int most_includes_in_each_other = 32;

void append_file(std::string& program, const std::string& path, std::set<std::string>& once,
                 int depth) {
  const std::string text = text_of_file(path);
  program += fmt::format("#line 1 \"{}\"\n", path);
  std::string_view left = text;
  for (int number = 1; !left.empty(); ++number) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    const std::string_view line = left.substr(0, end);
    left.remove_prefix(std::min(end + 1, left.size()));
    const auto included = included_in(line);
    const std::string_view name =
        included ? included->substr(1, included->size() - 2) : std::string_view();
    const std::string file =
        (std::filesystem::path(path).parent_path() / name).lexically_normal().generic_string();
    std::error_code ignored;
    const bool lies_beside =
        included && included->starts_with('"') && std::filesystem::is_regular_file(file, ignored);
    if (included && is_of_vendor(name) && !lies_beside) {
      program += '\n';
    } else if (trimmed(line) == "#pragma once") {
      once.insert(path);
      program += '\n';
    } else if (included && included->starts_with('"')) {
      const Place place{path, number, 1 + static_cast<int>(line.find('"'))};
      if (depth == most_includes_in_each_other) {
        refuse_at(place, fmt::format("more than {} files include each other", depth));
      }
      if (!lies_beside) refuse_at(place, fmt::format("there is no file {}", file));
      if (!once.contains(file)) append_file(program, file, once, depth + 1);
      program += fmt::format("#line {} \"{}\"\n", number + 1, path);
    } else {
      program.append(line).append("\n");
    }
  }
}

}  // namespace

std::string text_with_includes(const std::string& path) {
  std::string program;
  std::set<std::string> once;
  append_file(program, path, once, 0);
  return program;
}

std::string program_of(const KernelDescription& description, const std::string& text,
                       const search::Point& config, KernelWords words, const Limits& limits) {
  std::string program;
  if (words == KernelWords::told) {
    program += fmt::format("#define warpSize {}\n", limits.wave_size);
    program += program_text("description/kernel_words.hip.h");
  }
  return program + macros_of(description, config) + text;
}

}  // namespace redtune::kernels
