// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Binaries and what is said of them, as files in a folder.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "cli/report/code_objects.hpp"

namespace redtune::cli {

/// A config in the binary that it shares with the others of its batch.
struct BinaryConfig {
  std::shared_ptr<const std::vector<std::byte>> binary;
  CompiledConfig config;
};

/// One file for each binary, with a JSON of the same stem beside it. object: all but what is the
/// binary's own. Throws IoError.
void write_code_objects(const std::filesystem::path& folder, CodeObject object,
                        std::span<const BinaryConfig> configs);

}  // namespace redtune::cli
