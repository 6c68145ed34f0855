// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Examines the file of a store without changing it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace redtune::cache {

/// What SQLite finds wrong with the pages, indexes and references of a store file, a line each;
/// empty when it is whole. What is no database is one line too. Throws IoError for a file that
/// cannot be read now, is too large, or belongs to another program or a newer redtune.
[[nodiscard]] std::vector<std::string> faults_of_file(const std::filesystem::path& file);

}  // namespace redtune::cache
