// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The formats of recorded spaces, for a document that was parsed. Private to this folder.
// All throw UsageError whose text goes on after the name of a file.
#pragma once

#include <nlohmann/json.hpp>

#include "search/replay/recorded_space.hpp"

namespace redtune::search {

/// Members in alphabetical order, so that a space has the same axes whatever format it is in. A
/// tree that keeps their order looks through all members for each that it adds: too slow for an
/// object of a hundred thousand configurations.
using SpaceJson = nlohmann::json;

/// The open auto-tuning results format: ours, and that of other tuners.
[[nodiscard]] bool is_t4_space(const SpaceJson& document);
[[nodiscard]] RawSpace read_t4_space(const SpaceJson& document);

/// What Kernel Tuner keeps of its runs.
[[nodiscard]] bool is_kernel_tuner_space(const SpaceJson& document);
[[nodiscard]] RawSpace read_kernel_tuner_space(const SpaceJson& document);

/// What 'redtune cache export' writes unless asked for T4: it holds no space, and says what does.
[[nodiscard]] bool is_results_export(const SpaceJson& document);
[[noreturn]] RawSpace refuse_results_export(const SpaceJson& document);

}  // namespace redtune::search
