// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "targets.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace redtune::testing::hip {
namespace {

// Features by processor: LLVM's AMDGPU user guide.
constexpr Target targets[] = {
    {"gfx900", " xnack "},
    {"gfx906", " sramecc xnack "},
    {"gfx908", " sramecc xnack "},
    {"gfx90a", " sramecc xnack "},
    {"gfx942", " sramecc xnack "},
    {"gfx950", " sramecc xnack "},
    {"gfx1010", " xnack "},
    {"gfx1030", ""},
    {"gfx1031", ""},
    {"gfx1100", ""},
    {"gfx1101", ""},
    {"gfx1200", ""},
    {"gfx1201", ""},
};

std::string_view take_word(std::string_view& text) {
  const auto end = std::min(text.find(':'), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

}  // namespace

std::span<const Target> all_targets() {
  return targets;
}

bool is_target(std::string_view isa) {
  const std::string_view processor = take_word(isa);
  const auto* target = std::ranges::find(targets, processor, &Target::processor);
  if (target == std::end(targets)) return false;
  std::set<std::string_view> seen;
  while (!isa.empty()) {
    isa.remove_prefix(1);
    std::string_view feature = take_word(isa);
    if (!feature.ends_with('+') && !feature.ends_with('-')) return false;
    feature.remove_suffix(1);
    const std::string wanted = " " + std::string(feature) + " ";
    if (target->features.find(wanted) == std::string_view::npos) return false;
    if (!seen.insert(feature).second) return false;
  }
  return true;
}

int wave_size_of(std::string_view isa) {
  return isa.starts_with("gfx9") ? 64 : 32;
}

}  // namespace redtune::testing::hip
