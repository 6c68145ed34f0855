// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/probe/pace.hpp"

#include <fmt/format.h>

#include "kernel_templates/text/device_text.hpp"

namespace redtune::kernels {

const std::string& pace_text() {
  static const std::string text = program_text("pace.hip.h");
  return text;
}

std::string pace_name(const Limits& limits) {
  return fmt::format("redtune::pace<{}>", limits.min_block_size);
}

}  // namespace redtune::kernels
