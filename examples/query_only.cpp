// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Asks for the best known configuration and how it is launched, for a program that launches its own
// kernels. Nothing is compiled or launched. Usage: query_only [DEVICE]
#include <cstdlib>
#include <iostream>
#include <redtune/error.hpp>
#include <redtune/find_best.hpp>
#include <redtune/launch_shape.hpp>

int main(int argc, char** argv) try {
  const auto device = redtune::identify_device(argc > 1 ? argv[1] : "auto");
  const auto problem = redtune::make_problem(redtune::Op::sum, redtune::DType::f32, 1 << 24);
  const redtune::Answer best = redtune::find_best(problem, device);

  std::cout << describe(problem) << " on " << device.name << '\n';
  for (const auto& [name, value] : best.settings)
    std::cout << "  " << name << " = " << value << '\n';
  const auto shape = redtune::launch_shape(best, problem.count, device);
  for (const redtune::KernelLaunch& launch : shape.launches) {
    std::cout << "grid: " << launch.grid << " blocks of " << launch.block << " threads of "
              << launch.kernel << '\n';
  }
  std::cout << "workspace: " << shape.workspace_bytes << " bytes\n"
            << "match: " << to_string(best.match) << " (" << best.explanation << ")\n";
} catch (const redtune::Error& error) {
  std::cerr << error.what() << '\n';
  return EXIT_FAILURE;
}
