// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/description/read_description.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <utility>

#include "redtune/error.hpp"

namespace redtune::kernels {

std::string text_of_file(const std::string& path) {
  constexpr std::uintmax_t most_bytes = std::uintmax_t{4} << 20;
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (error || !std::filesystem::exists(status)) {
    throw UsageError(fmt::format("cannot read {}: {}", path, std::strerror(ENOENT)));
  }
  if (!std::filesystem::is_regular_file(status)) {
    throw UsageError(fmt::format("{} is not a regular file", path));
  }
  if (std::filesystem::file_size(path, error) > most_bytes) {
    throw UsageError(fmt::format("{} has more than {} MiB", path, most_bytes >> 20));
  }
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw UsageError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  return text;
}

DescriptionSource description_source(const std::string& path) {
  std::string text = text_of_file(path);
  if (path.ends_with(".toml") || path.ends_with(".json")) return {path, std::move(text)};
  std::error_code ignored;
  const std::string beside = path + ".toml";
  if (!has_annotations(text) && std::filesystem::exists(beside, ignored)) {
    return {beside, text_of_file(beside)};
  }
  return {path, std::move(text)};
}

KernelDescription description_in(const DescriptionSource& source) {
  const auto& [path, text] = source;
  if (path.ends_with(".toml")) return description_from_toml(text, path);
  if (path.ends_with(".json")) return description_from_t1(text, path);
  return description_in_comments(text, path);
}

KernelDescription read_description(const std::string& path) {
  return description_in(description_source(path));
}

}  // namespace redtune::kernels
