// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Size classes that stay as they are until the process ends.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/size_classes.hpp"

namespace redtune::runtime {

/// What find() gave when this key was first asked for. Thread-safe.
[[nodiscard]] std::vector<SizeClass> pinned_classes(
    const std::string& key, const std::function<std::vector<SizeClass>()>& find);

}  // namespace redtune::runtime
