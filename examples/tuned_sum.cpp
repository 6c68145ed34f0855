// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Sums 2^24 floats with the best known configuration. Usage: tuned_sum [DEVICE]
#include <cstdlib>
#include <iostream>
#include <redtune/reducer.hpp>
#include <vector>

int main(int argc, char** argv) try {
  const std::vector<float> values(1 << 24, 1.5F);

  const auto count = static_cast<std::int64_t>(values.size());
  redtune::Reducer sum(redtune::make_problem(redtune::Op::sum, redtune::DType::f32, count),
                       {.device = argc > 1 ? argv[1] : "auto"});
  std::cout << "sum: " << sum.reduce<float>(std::span<const float>(values)) << '\n'
            << "match: " << to_string(sum.answer().match) << '\n'
            << "configuration: " << to_string(sum.answer().settings) << '\n';
} catch (const redtune::Error& error) {
  std::cerr << error.what() << '\n';
  return EXIT_FAILURE;
}
