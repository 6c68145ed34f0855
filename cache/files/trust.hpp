// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Whether a results file is its owner's alone: what somebody else can write is not read unasked.
#pragma once

#include <filesystem>
#include <string>

namespace redtune::cache {

/// Why a file is not to be trusted, as the end of a sentence that begins with its name; empty when
/// nothing speaks against it. The file and its folder must be no symbolic links; these and all
/// folders above must belong to the user or to root, and nobody else may change them. A group that
/// has its owner's number is taken for the owner's own, and a sticky folder for nobody's. A file
/// that is not there is trusted.
[[nodiscard]] std::string why_untrusted(const std::filesystem::path& file);

}  // namespace redtune::cache
