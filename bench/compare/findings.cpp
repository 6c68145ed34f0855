// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare/findings.hpp"

#include <algorithm>

#include "bench/compare/contest.hpp"

namespace redtune::compare {

std::string_view to_string(Mode mode) {
  switch (mode) {
    case Mode::between:
      return "between";
    case Mode::behind:
      return "behind";
    case Mode::stream:
      return "stream";
    case Mode::row:
      return "row";
  }
  return "?";
}

std::string_view to_string(Peer peer) {
  switch (peer) {
    case Peer::library:
      return contest().key;
    case Peer::fixed:
      return "fixed";
    case Peer::narrow:
      return "narrow";
    case Peer::thrust:
      return "thrust";
  }
  return "?";
}

std::string_view to_string(CellState state) {
  switch (state) {
    case CellState::measured:
      return "measured";
    case CellState::wrong:
      return "wrong";
    case CellState::failed:
      return "failed";
    case CellState::skipped:
      return "skipped";
  }
  return "?";
}

const Times* ModeTimes::find(std::string_view name) const {
  const auto found = std::ranges::find(contestants, name, &Times::name);
  return found == contestants.end() ? nullptr : &*found;
}

}  // namespace redtune::compare
