// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/segments/config.hpp"

namespace redtune::kernels {

std::string_view to_string(SegmentWay way) {
  switch (way) {
    case SegmentWay::tiles:
      return "tiles";
    case SegmentWay::tickets:
      return "tickets";
    case SegmentWay::slots:
      return "slots";
    case SegmentWay::bins:
      return "bins";
  }
  return "?";
}

std::string_view to_string(Staging staging) {
  switch (staging) {
    case Staging::off:
      return "off";
    case Staging::on:
      return "on";
    case Staging::stream:
      return "stream";
  }
  return "?";
}

}  // namespace redtune::kernels
