// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare/contest.hpp"

namespace redtune::compare {

const Contest& contest() {
  static constexpr Peer peers[] = {Peer::library, Peer::fixed, Peer::narrow, Peer::thrust};
  static constexpr Contest cub{
      .program = "compare_cub",
      .key = "cub",
      .title = "CUB",
      .rivals = "CUB's and Thrust's",
      .platform = "CUDA",
      .device = "cuda:0",
      .peers = peers,
      .notes =
          "* Rows: CUB is cub::DeviceSegmentedReduce with offsets that are computed and not read,\n"
          "  fixed its call for segments of one size where this CUB has it; the ratio is to the\n"
          "  faster. Columns and axes in the middle have no peer.\n"
          "* narrow: cub::DeviceReduce::Sum of 16-bit floats into their own type. It accumulates\n"
          "  in 16 bits; what it finds is shown and not compared.\n"
          "* Extremes of redtune are NaN when there is one; those of CUB and Thrust need not be.\n"
          "* Thrust returns to the host: its time is that of a call that waits, by the host's "
          "clock.\n"};
  return cub;
}

}  // namespace redtune::compare
