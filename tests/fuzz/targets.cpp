// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tests/fuzz/targets.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace redtune::fuzz {

std::span<const Target> targets() {
  static constexpr std::array all{
      Target{"snapshot", read_snapshot, snapshot_samples},
      Target{"json", read_json, json_samples},
      Target{"options", read_options, option_samples},
      Target{"compile_frame", read_compile_frame, compile_frame_samples},
      Target{"worker_frame", read_worker_frame, worker_frame_samples},
  };
  return all;
}

void promise(bool kept, const char* what) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

}  // namespace redtune::fuzz
