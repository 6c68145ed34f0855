// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The store of a tuner: to be written where that can be done, else what can be read of it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cache/store/store.hpp"

namespace redtune::tuner {

/// A store to tune for; where it cannot be written, what is known of it in memory, and the reason.
struct OpenStore {
  cache::Store store;
  std::string problem;
};

/// file: nothing where there is no place for one.
[[nodiscard]] OpenStore open_store(const std::optional<std::filesystem::path>& file);

/// What is in a store now, to be asked: nothing is written, and the file need not be there. Throws
/// as cache::Store::check_place() and look_at().
[[nodiscard]] OpenStore look_at_store(const std::optional<std::filesystem::path>& file);

}  // namespace redtune::tuner
