// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "tests/compile_matrix/matrix_target.hpp"

#include <fmt/format.h>

#include "cache/keys/sha256.hpp"
#include "kernel_templates/family/family.hpp"
#include "redtune/error.hpp"
#include "runtime/resolve.hpp"
#include "search/rng.hpp"
#include "tests/kernels/kernel_configs.hpp"
#include "tests/kernels/offered_kernels.hpp"

namespace redtune::checks {

Target parse_target(const std::string& text) {
  const auto colon = text.find(':');
  if (colon == std::string::npos) {
    throw UsageError(
        fmt::format("'{}' is not a target; write PLATFORM:ARCH, e.g. hip:gfx90a", text));
  }
  device::Platform& platform = runtime::registry().platform(text.substr(0, colon));
  const std::string arch = text.substr(colon + 1);
  return {text, std::string(platform.name()), arch, with_units(platform.limits_of(arch)),
          platform.compiler().version()};
}

std::vector<MatrixCell> matrix_cells() {
  std::vector<MatrixCell> cells;
  for (const kernels::Family* family : kernels::all_families()) {
    for (const Cell& cell : contract_cells(0)) cells.push_back({cells.size(), family, cell});
  }
  return cells;
}

namespace {

/// As many of a cell's kernels as it is to have, each of another shape's space: to list all kernels
/// takes longer than to compile a few.
std::vector<Settings> sample_of(const Target& target, const MatrixCell& cell) {
  std::vector<Shape> shapes = shapes_of_all_kinds();
  std::erase_if(shapes, [&](const Shape& shape) {
    Problem problem = cell.operation.problem;
    static_cast<Shape&>(problem) = shape;
    return !cell.family->serves(problem);
  });
  search::Rng rng((cell.seed << 20U) + cell.number);
  std::vector<Settings> sample;
  while (sample.size() < cell.sample) {
    const Shape shape = shapes[rng.below(shapes.size())];
    const auto kernels =
        offered_kernels(*cell.family, cell.operation.problem, target.limits, {shape});
    sample.push_back(kernels[rng.below(kernels.size())]);
  }
  return sample;
}

}  // namespace

std::vector<tuner::CompileUnit> units_of(const Target& target, const MatrixCell& cell) {
  const Problem& problem = cell.operation.problem;
  std::vector<tuner::CompileUnit> units;
  for (const Settings& settings : cell.sample > 0
                                      ? sample_of(target, cell)
                                      : offered_kernels(*cell.family, problem, target.limits)) {
    const Problem asked = with_shapes_in_turn(*cell.family, problem, cell.seed + units.size());
    units.push_back(cell.family->name_expressions(settings, asked, target.limits.wave_size));
  }
  return units;
}

std::string key_of(const Target& target, const MatrixCell& cell) {
  std::string all = cell.family->device_text(Problem{}) + target.version;
  for (const tuner::CompileUnit& unit : units_of(target, cell)) {
    for (const std::string& name : unit) all += '\n' + name;
  }
  return fmt::format("{},{},{}", target.text, cell.name(), cache::sha256_hex(all).substr(0, 12));
}

}  // namespace redtune::checks
