// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Cells of the contracts of shapes on the host: operators and types, on devices of every wave size
// and in every lane order; each with configs of a family.
#pragma once

#include <fmt/format.h>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "device/host/host_compiler.hpp"
#include "device/host/host_identity.hpp"
#include "device/host/host_platform.hpp"
#include "tests/kernels/config_samples.hpp"
#include "tests/kernels/contract_cells.hpp"
#include "tests/kernels/offered_kernels.hpp"
#include "tests/kernels/shape_contract.hpp"
#include "tests/support/samples.hpp"

namespace redtune::checks {

[[nodiscard]] inline device::host::HostOptions options_of(int wave_size,
                                                          device::host::LaneOrder order) {
  return {.wave_size = wave_size, .order = order, .seed = 11, .threads = 3};
}

struct HostCell {
  const kernels::Family* family = nullptr;
  int wave_size = 1;
  device::host::LaneOrder order = device::host::LaneOrder::forward;
  Cell cell;
  std::size_t config_count = 0;

  [[nodiscard]] device::host::HostOptions options() const { return options_of(wave_size, order); }
  [[nodiscard]] std::string name() const {
    constexpr std::string_view names[] = {"forward", "reverse", "random"};
    return fmt::format("wave{}_{}_{}", wave_size, names[static_cast<int>(order)], cell.name());
  }
  friend void PrintTo(const HostCell& one, std::ostream* out) { *out << one.name(); }

  /// kept(device, config, turn): for each of its configs.
  template <class Kept>
  void check(const Kept& kept) const {
    const Limits limits = host_limits(options());
    ConfigProgram program(*family, cell.problem, limits);
    program.compile(device::host::HostCompiler(device::host::AlignmentCheck::on),
                    sample(*family, cell.problem, limits, cell.number, config_count), "native");
    std::size_t turn = cell.number;
    const auto device = device::host::make_host_device(options());
    for (const Runner& runner : program.load(*device)) kept(*device, runner.config(), turn++);
  }
};

/// The default of cells is that of these shapes, in turn.
[[nodiscard]] inline std::vector<HostCell> host_cells(const kernels::Family& family,
                                                      std::span<const Shape> shapes,
                                                      std::size_t config_count) {
  using device::host::LaneOrder;
  std::vector<HostCell> cells;
  for (Cell& cell : contract_cells(1)) {
    cell.problem = with_shape(cell.problem, shapes[cell.number % shapes.size()]);
    for (const int wave_size : {1, 32, 64}) {
      for (const LaneOrder order : {LaneOrder::forward, LaneOrder::reverse, LaneOrder::random}) {
        cells.push_back({&family, wave_size, order, cell, config_count});
      }
    }
  }
  return cells;
}

/// Every operator, every type on every wave size, and every choice of a caller.
[[nodiscard]] inline Axes axes_of(const HostCell& one) {
  const Problem& problem = one.cell.problem;
  return {std::string(to_string(problem.op)),
          fmt::format("{} on {}", to_string(problem.in), one.wave_size),
          fmt::format("{} in {}", to_string(problem.in), to_string(problem.acc)),
          fmt::format("gives {}", to_string(problem.out)),
          problem.order == Order::any ? "any order" : "one order",
          fmt::format("{} on {}", static_cast<int>(one.order), one.wave_size)};
}

/// Fewer: every operator, type, wave size and order, where kernels differ little from others that
/// are tried with all of the above.
[[nodiscard]] inline Axes few_axes_of(const HostCell& one) {
  const Problem& problem = one.cell.problem;
  return {std::string(to_string(problem.op)), std::string(to_string(problem.in)),
          fmt::format("{} on {}", static_cast<int>(one.order), one.wave_size)};
}

/// Each cell has axes of its own.
template <class AxesOf>
auto with_its_name(const AxesOf& axes) {
  return [axes](const HostCell& one) {
    Axes all = axes(one);
    all.push_back(one.name());
    return all;
  };
}

/// Of these every value of every axis, each with so many configs.
template <class AxesOf>
std::vector<HostCell> some_of(const std::vector<HostCell>& all, const AxesOf& axes,
                              std::size_t config_count) {
  auto some = every_value(all, axes);
  for (HostCell& one : some) one.config_count = config_count;
  return some;
}

/// An operator of a user's, of which no element that changes nothing is known.
[[nodiscard]] inline CustomOp squares_and_ones() {
  return {.name = "mine", .source = R"(struct custom {
  static accumulator identity() { return 0; }
  static accumulator combine(accumulator a, accumulator b) { return a + b; }
  static accumulator transform(element x) { return x * x + 1; }
  static result finish(accumulator a, i64 n) { return a + 2 * n; }
};)"};
}

}  // namespace redtune::checks
