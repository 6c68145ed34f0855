// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Layers that a process opens once: asked again, a file that has not changed is not opened again.
#pragma once

#include <span>
#include <vector>

#include "cache/lookup/lookup.hpp"

namespace redtune::cache {

/// As load(), from any thread. A file that was published since is seen at once: each call asks for
/// the file's status, and for no more. Few files are kept, those asked for last.
[[nodiscard]] std::vector<LoadedLayer> load_shared(std::span<const Layer> layers);

/// The same for one question by this thread: of a file that nobody has asked before only what that
/// question needs is read, and nothing is kept. Whoever asks it again reads it whole.
[[nodiscard]] std::vector<LoadedLayer> load_for_one_question(std::span<const Layer> layers);

}  // namespace redtune::cache
