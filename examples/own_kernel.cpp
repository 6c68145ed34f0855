// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Launches a kernel of one's own with the best known configuration for its size, and checks the
// sum that it gives. `redtune tune tree_sum.hip.cpp` finds configurations; without them the default
// runs. Usage: own_kernel [DEVICE [FILE]]
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <redtune/kernel.hpp>
#include <string>
#include <vector>

#include "gpu.hpp"

int main(int argc, char** argv) try {
  const std::string device = argc > 1 ? argv[1] : gpu::device_name();
  const std::string file = argc > 2 ? argv[2] : EXAMPLE_KERNELS "/tree_sum.hip.cpp";
  const redtune::Kernel tree_sum(file, {.device = device});
  const int n = 1'000'000;
  tree_sum.prepare({{"n", n}});  // or the first launch does

  const gpu::Stream stream;
  const gpu::Array<float> in(n);
  const gpu::Array<float> out(1);
  // What its two launches leave for each other: how much, the configuration decides.
  const gpu::Array<float> partials(
      static_cast<std::size_t>(tree_sum.elements({{"n", n}}, "partials")));
  in.write(std::vector<float>(n, 0.25F), stream);

  // The description's arguments in their order. `blocks`, which depends on tunables, is not given.
  tree_sum.launch(stream.get(), {{"n", n}}, out.data(), partials.data(), in.data(), n);
  tree_sum.synchronize(stream.get());

  const float sum = out.first(stream);
  const redtune::Answer answer = tree_sum.answer({{"n", n}});
  std::cout << "sum: " << sum << '\n'
            << "match: " << to_string(answer.match) << " (" << answer.explanation << ")\n"
            << "configuration: " << to_string(answer.settings) << '\n';
  return std::abs(sum - 250'000.0F) < 1 ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const redtune::Error& error) {
  std::cerr << error.what() << '\n';
  return EXIT_FAILURE;
}
