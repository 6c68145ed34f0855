// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Asks for the best known configuration, for a program that launches its own kernels. Nothing is
// compiled or launched. Usage: query_only [DEVICE]
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <redtune/error.hpp>
#include <redtune/find_best.hpp>
#include <string>

/// Blocks to launch: so many per compute unit, but never more than there are tiles.
std::int64_t grid_for(const redtune::Answer& best, const redtune::DeviceIdentity& device) {
  const auto number = [&](const char* name) { return std::stoll(value_of(best.settings, name)); };
  const std::int64_t tile = number("block_size") * number("items_per_thread");
  const std::int64_t tiles = (best.problem.count + tile - 1) / tile;
  if (value_of(best.settings, "finish") == "single_block") return 1;
  if (number("blocks_per_unit") == 0) return tiles;
  return std::min<std::int64_t>(tiles,
                                number("blocks_per_unit") * device.device_class.compute_units);
}

int main(int argc, char** argv) try {
  const auto device = redtune::identify_device(argc > 1 ? argv[1] : "auto");
  const auto problem = redtune::make_problem(redtune::Op::sum, redtune::DType::f32, 1 << 24);
  const redtune::Answer best = redtune::find_best(problem, device);

  std::cout << describe(problem) << " on " << device.name << '\n';
  for (const auto& [name, value] : best.settings)
    std::cout << "  " << name << " = " << value << '\n';
  std::cout << "grid: " << grid_for(best, device) << " blocks\n"
            << "match: " << to_string(best.match) << " (" << best.explanation << ")\n";
} catch (const redtune::Error& error) {
  std::cerr << error.what() << '\n';
  return static_cast<int>(error.exit_code());
}
