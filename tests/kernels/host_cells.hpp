// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Cells of the contracts of shapes on the host: operators and types, on devices of every wave size
// and in every lane order; each with configs of a family.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <ostream>
#include <span>
#include <string>
#include <utility>
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

/// Every operator, type, accumulator and result, and every lane order on every wave size. Every
/// type on every wave size has the contract of reduce, whose folds are those of all families.
[[nodiscard]] inline Axes axes_of(const HostCell& one) {
  const Problem& problem = one.cell.problem;
  return {std::string(to_string(problem.op)),
          std::string(to_string(problem.in)),
          fmt::format("in {}", to_string(problem.acc)),
          fmt::format("gives {}", to_string(problem.out)),
          problem.order == Order::any ? "any order" : "one order",
          fmt::format("{} on {}", static_cast<int>(one.order), one.wave_size)};
}

/// Of these every value of every axis, each with so many configs.
[[nodiscard]] inline std::vector<HostCell> some_of(const std::vector<HostCell>& all,
                                                   std::size_t config_count) {
  auto some = every_value(all, axes_of);
  for (HostCell& one : some) one.config_count = config_count;
  return some;
}

/// The others: each cell has a name of its own.
[[nodiscard]] inline std::vector<HostCell> others(const std::vector<HostCell>& some,
                                                  const std::vector<HostCell>& all) {
  return all_but(some, all, [](const HostCell& one) { return Axes{one.name()}; });
}

/// The cells of a contract: those of ordinary runs, and the others.
struct HostCells {
  std::vector<HostCell> some;
  std::vector<HostCell> others;
};
/// How many configs cells have, and those of ordinary runs.
struct ConfigCounts {
  std::size_t of_cell;
  std::size_t of_some;
};
[[nodiscard]] inline HostCells cells_of(const kernels::Family& family,
                                        std::span<const Shape> shapes,
                                        const ConfigCounts& configs) {
  const auto all = host_cells(family, shapes, configs.of_cell);
  auto some = some_of(all, configs.of_some);
  auto rest = others(some, all);
  return {std::move(some), std::move(rest)};
}

/// Configs, and the text of their kernels where it is not that of the family.
struct Configs {
  std::vector<Settings> all;
  std::string text = {};
};
[[nodiscard]] inline ConfigProgram compiled(const kernels::Family& family, const Problem& problem,
                                            const device::host::HostOptions& options,
                                            Configs configs) {
  ConfigProgram program(family, problem, host_limits(options));
  if (!configs.text.empty()) program.set_text(std::move(configs.text));
  program.compile(device::host::HostCompiler(device::host::AlignmentCheck::on),
                  std::move(configs.all), "native");
  return program;
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

/// What squares_and_ones() gives for an array of small numbers of any shape.
inline void expect_squares_and_ones(device::Device& device, const runtime::LoadedConfig& config,
                                    const Shape& shape) {
  const runtime::Workspace workspace = config.make_workspace(device);
  const auto span = static_cast<std::size_t>(std::max<std::int64_t>(span_of(shape), 0));
  std::vector<std::int16_t> in(span + 1);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int16_t>(i % 5);
  std::vector<std::int64_t> out(static_cast<std::size_t>(results_of(shape)));
  const device::Buffer there = device.allocate(in.size() * 2);
  const device::Buffer results = device.allocate(out.size() * 8);
  device.copy_to_device(there.data(), in.data(), in.size() * 2);
  const auto* const first = static_cast<std::int16_t*>(there.data()) + 1;
  device.launch(config.launches({first, shape, results.data()}, workspace), {});
  device.synchronize({});
  device.copy_to_host(out.data(), results.data(), out.size() * 8);
  const std::int64_t count = elements_of_result(shape);
  for (std::int64_t result = 0; result < results_of(shape); ++result) {
    std::int64_t expected = 2 * count;
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t x = in[static_cast<std::size_t>(place_of(shape, result, k)) + 1];
      expected += x * x + 1;
    }
    ASSERT_EQ(out[static_cast<std::size_t>(result)], expected)
        << describe_shape(shape) << ", " << to_string(config.choice().settings);
  }
}

/// On these shapes, with so many configs of the family for a usual one.
inline void expect_squares_and_ones(const kernels::Family& family, const Shape& usual,
                                    std::size_t many, const std::vector<Shape>& shapes) {
  const Problem problem = make_problem(squares_and_ones(), DType::i16, usual);
  const auto options = options_of(32, device::host::LaneOrder::forward);
  const auto program =
      compiled(family, problem, options, {sample(family, problem, host_limits(options), 3, many)});
  const auto device = device::host::make_host_device(options);
  for (const Runner& runner : program.load(*device)) {
    for (const Shape& shape : shapes) expect_squares_and_ones(*device, runner.config(), shape);
  }
}

}  // namespace redtune::checks
