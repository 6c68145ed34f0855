// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare/contest.hpp"

namespace redtune::compare {

const Contest& contest() {
  static constexpr Peer peers[] = {Peer::library};
  static constexpr Contest rocprim{
      .program = "compare_rocprim",
      .key = "rocprim",
      .title = "rocPRIM",
      .rivals = "rocPRIM's",
      .platform = "HIP",
      .device = "hip:0",
      .peers = peers,
      .notes =
          "* Rows: rocPRIM is rocprim::segmented_reduce with offsets that are computed and not\n"
          "  read. Columns and axes in the middle have no peer.\n"
          "* Extremes of redtune are NaN when there is one; those of rocPRIM need not be.\n"
          "* rocPRIM has no argmin and argmax: those of redtune run alone and unchecked.\n"};
  return rocprim;
}

}  // namespace redtune::compare
