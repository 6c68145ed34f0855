// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The rows of rocPRIM.
#pragma once

#include "bench/compare/type_table.cuh"

namespace redtune::compare {

[[nodiscard]] PeerRows sum_rows();
[[nodiscard]] PeerRows min_rows();
[[nodiscard]] PeerRows max_rows();

}  // namespace redtune::compare
