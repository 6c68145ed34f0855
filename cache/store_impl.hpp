// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a Store holds; private to this folder.
#pragma once

#include "cache/sqlite.hpp"
#include "cache/store.hpp"

namespace redtune::cache {

struct Store::Impl {
  Database database;
  std::optional<std::filesystem::path> file;
  std::vector<std::string> warnings;
};

}  // namespace redtune::cache
