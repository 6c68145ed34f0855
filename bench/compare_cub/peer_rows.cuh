// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The rows of CUB and Thrust.
#pragma once

#include "bench/compare/type_table.cuh"

namespace redtune::compare {

// By operator, and by type where one file would take long to compile.
[[nodiscard]] PeerRows float_sum_rows();
[[nodiscard]] PeerRows integer_sum_rows();
[[nodiscard]] PeerRows float_extreme_rows();
[[nodiscard]] PeerRows signed_extreme_rows();
[[nodiscard]] PeerRows unsigned_extreme_rows();
[[nodiscard]] PeerRows float_index_rows();
[[nodiscard]] PeerRows integer_index_rows();
[[nodiscard]] PeerRows product_rows();
[[nodiscard]] PeerRows square_rows();
[[nodiscard]] PeerRows nonzero_rows();
[[nodiscard]] PeerRows magnitude_rows();

}  // namespace redtune::compare
