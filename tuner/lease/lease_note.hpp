// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The text in the file of a lease: JSON for whoever finds the device taken.
#pragma once

#include <optional>

#include "tuner/lease/lease.hpp"

namespace redtune::tuner {

/// Replaces the content of an open file. A note that cannot be written is none: the lock counts.
void write_note(int descriptor, const LeaseNote& note);

/// Nothing where the text is no note, or not all of it is there yet.
[[nodiscard]] std::optional<LeaseNote> read_note(int descriptor);

}  // namespace redtune::tuner
