// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/files/paths.hpp"

#include <cstdlib>
#include <string>

namespace redtune::cache {
namespace {

namespace fs = std::filesystem;

/// An absolute folder from the environment; the XDG rules tell to ignore anything else.
std::optional<fs::path> folder_from(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr) return std::nullopt;
  fs::path folder(value);
  if (!folder.is_absolute()) return std::nullopt;
  return folder;
}

std::optional<fs::path> user_folder(const char* variable, const char* below_home) {
  if (const auto base = folder_from(variable)) return *base / "redtune";
  if (const auto home = folder_from("HOME")) return *home / below_home / "redtune";
  return std::nullopt;
}

}  // namespace

std::optional<fs::path> results_folder() {
  return user_folder("XDG_DATA_HOME", ".local/share");
}

std::optional<fs::path> logs_folder() {
  return user_folder("XDG_STATE_HOME", ".local/state");
}

std::optional<fs::path> binaries_folder() {
  return user_folder("XDG_CACHE_HOME", ".cache");
}

std::optional<fs::path> named_store(std::string_view option) {
  if (!option.empty()) return fs::path(option);
  const char* variable = std::getenv("REDTUNE_CACHE");
  if (variable == nullptr || *variable == '\0') return std::nullopt;
  return fs::path(variable);
}

std::optional<fs::path> store_path(std::string_view option) {
  if (auto named = named_store(option)) return named;
  const auto folder = results_folder();
  if (!folder) return std::nullopt;
  return *folder / store_name;
}

fs::path follow_link(const fs::path& file) {
  std::error_code error;
  if (!fs::is_symlink(fs::symlink_status(file, error))) return file;
  fs::path real = fs::canonical(file, error);
  return error ? file : real;
}

fs::path snapshot_of(const fs::path& named) {
  if (names_snapshot(named)) return named;
  const fs::path store = follow_link(named);
  const std::string name = store.filename().string();
  const std::string suffix = name == store_name ? "" : name + ".";
  return store.parent_path() / (suffix + std::string(snapshot_name));
}

bool names_snapshot(const fs::path& file) {
  return file.filename().string().ends_with(snapshot_suffix);
}

}  // namespace redtune::cache
