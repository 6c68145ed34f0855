// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tuner/session/open_store.hpp"

#include "redtune/error.hpp"

namespace redtune::tuner {
namespace {

/// What is known already helps, also where nothing can be added to it.
cache::Store readable_copy(const std::filesystem::path& path) {
  try {
    return cache::Store::look_at(path);
  } catch (const Error&) {
    return cache::Store::in_memory();
  }
}

}  // namespace

OpenStore open_store(const std::optional<std::filesystem::path>& file) {
  if (!file) return {cache::Store::in_memory(), "neither XDG_DATA_HOME nor HOME is set"};
  try {
    return {cache::Store::open(*file), {}};
  } catch (const IoError& error) {
    return {readable_copy(*file), error.what()};
  }
}

OpenStore look_at_store(const std::optional<std::filesystem::path>& file) {
  constexpr const char* why = "the store is only looked at";
  if (!file) return {cache::Store::in_memory(), why};
  cache::Store::check_place(*file);
  return {cache::Store::look_at(*file), why};
}

}  // namespace redtune::tuner
