// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/rows/config.hpp"

namespace redtune::kernels {

std::string_view to_string(RowWay way) {
  switch (way) {
    case RowWay::groups:
      return "groups";
    case RowWay::staged:
      return "staged";
    case RowWay::tickets:
      return "tickets";
    case RowWay::slots:
      return "slots";
  }
  return "?";
}

}  // namespace redtune::kernels
