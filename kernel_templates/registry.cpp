// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <array>
#include <fmt/format.h>
#include <vector>

#include "kernel_templates/family/family.hpp"
#include "kernel_templates/reduce/family.hpp"
#include "redtune/error.hpp"
#include "redtune/suggest.hpp"

namespace redtune::kernels {

std::string_view to_string(Argument argument) {
  switch (argument) {
    case Argument::in:
      return "in";
    case Argument::count:
      return "count";
    case Argument::out:
      return "out";
    case Argument::partials:
      return "partials";
    case Argument::slots:
      return "slots";
    case Argument::counter:
      return "counter";
    case Argument::run:
      return "run";
    case Argument::partial_count:
      return "partial_count";
  }
  return "?";
}

std::span<const Family* const> all_families() {
  static const ReduceFamily reduce;
  static const std::array<const Family*, 1> families{&reduce};
  return families;
}

const Family& find_family(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Family* family : all_families()) {
    if (family->name() == name) return *family;
    names.push_back(family->name());
  }
  throw UsageError(fmt::format("unknown kernel family '{}'{}; known: {}", name,
                               suggest(name, names), join(names)));
}

const Family& family_of(const Problem& problem) {
  for (const Family* family : all_families()) {
    if (family->serves(problem)) return *family;
  }
  throw UsageError(fmt::format("no kernel family serves {}", describe(problem)));
}

}  // namespace redtune::kernels
