// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "kernel_templates/reduce/config.hpp"

namespace redtune::kernels {

std::string_view to_string(Finish finish) {
  switch (finish) {
    case Finish::single_block:
      return "single_block";
    case Finish::last_block:
      return "last_block";
    case Finish::last_wave:
      return "last_wave";
    case Finish::second_pass:
      return "second_pass";
    case Finish::atomic:
      return "atomic";
    case Finish::cluster:
      return "cluster";
    case Finish::slots:
      return "slots";
    case Finish::counted:
      return "counted";
  }
  return "?";
}

std::string_view to_string(TileOrder order) {
  return order == TileOrder::strided ? "strided" : "chunked";
}

std::string_view to_string(Load load) {
  return load == Load::cached ? "cached" : "streaming";
}

std::string_view to_string(Fence fence) {
  return fence == Fence::full ? "full" : "acq_rel";
}

std::string_view to_string(Early early) {
  switch (early) {
    case Early::off:
      return "off";
    case Early::on:
      return "on";
    case Early::second:
      return "second";
  }
  return "?";
}

std::string_view to_string(SlotReader reader) {
  return reader == SlotReader::wave ? "wave" : "block";
}

std::string_view to_string(ExactTiles tiles) {
  return tiles == ExactTiles::off ? "off" : "on";
}

std::string_view to_string(SlotWait wait) {
  switch (wait) {
    case SlotWait::all:
      return "all";
    case SlotWait::missing:
      return "missing";
  }
  return "?";
}

}  // namespace redtune::kernels
