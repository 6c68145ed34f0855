// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Parts that several formats of exchange write alike. Private to this folder.
#pragma once

#include <optional>
#include <string_view>

#include "cache/exchange/json.hpp"
#include "cache/keys/shared_run.hpp"

namespace redtune::cache {

/// The question: family, space, problem, device, device_class, toolchain.
[[nodiscard]] Json question_json(const RunStart& start);
/// How and when: strategy, seed, budget, program_version, state, note, started_at, finished_at.
[[nodiscard]] Json run_json(const SharedRun& run);

/// From an object that holds a question's members and one that holds those of a run. Nothing for a
/// missing member, a wrong type, or a name that only another version knows.
[[nodiscard]] std::optional<SharedRun> run_from(const Json& question, const Json& run);

/// From an object that holds a question's members.
[[nodiscard]] std::optional<Question> question_from(const Json& json);

/// An interval that no measurement has for anything but three numbers.
[[nodiscard]] Interval interval_from(const Json& json);

/// An integer that an int can hold; else -1, which nothing counted is.
[[nodiscard]] int count_from(const Json& json);

/// One member or element a line; bytes that are no UTF-8 are replaced.
[[nodiscard]] std::string document_text(const Json& document);

}  // namespace redtune::cache
