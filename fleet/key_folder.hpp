// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The folder of the public keys that a machine believes, whether or not this build knows
// signatures.
#pragma once

#include <filesystem>
#include <vector>

namespace redtune::fleet {

/// Whether there may be no keys: somebody who has named a folder wants some.
enum class Keys { may_be_missing, must_be_there };

/// All files *.pub of a folder. Throws UsageError where it is there and cannot be read, where
/// somebody else than root and the user may change it or a file in it, and where keys must be there
/// and none are.
[[nodiscard]] std::vector<std::filesystem::path> key_files(const std::filesystem::path& folder,
                                                           Keys keys);

}  // namespace redtune::fleet
