// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/columns/config.hpp"

namespace redtune::kernels {

std::string_view to_string(ColumnWay way) {
  switch (way) {
    case ColumnWay::tiles:
      return "tiles";
    case ColumnWay::tickets:
      return "tickets";
    case ColumnWay::slots:
      return "slots";
  }
  return "?";
}

}  // namespace redtune::kernels
