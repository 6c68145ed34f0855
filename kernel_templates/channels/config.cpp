// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/channels/config.hpp"

namespace redtune::kernels {

std::string_view to_string(ChannelWay way) {
  switch (way) {
    case ChannelWay::blocks:
      return "blocks";
    case ChannelWay::tickets:
      return "tickets";
    case ChannelWay::slots:
      return "slots";
  }
  return "?";
}

}  // namespace redtune::kernels
