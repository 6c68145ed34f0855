// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Some texts as one .tar.gz to send to somebody: packed by tar, which is on every Linux.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace redtune::cli {

/// A file of a bundle; its name may have folders in it.
struct BundleMember {
  std::string name;
  std::string text;
};

/// Throws UsageError when the file is there already or is not to be a .tar.gz, IoError when its
/// folder cannot be written or there is no tar.
void check_bundle_file(const std::filesystem::path& file);

/// Packs the members as they are, in a folder named after the file; its size in bytes. The archive
/// itself names no owner. Throws IoError when it cannot be written, and leaves no part of it.
std::uintmax_t write_bundle(const std::filesystem::path& file,
                            const std::vector<BundleMember>& members);

}  // namespace redtune::cli
