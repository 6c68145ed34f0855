// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Captures a reduction into a graph and launches the graph again and again, each time over other
// numbers in the same place. Usage: graph_capture
#include <cstdlib>
#include <iostream>
#include <redtune/reducer.hpp>
#include <vector>

#include "gpu.hpp"

int main() try {
  const std::int64_t count = 100'000;
  const gpu::Stream stream;
  const gpu::Array<std::int32_t> values(count);
  const gpu::Array<std::int64_t> total(1);

  redtune::Reducer sum(redtune::make_problem(redtune::Op::sum, redtune::DType::i32, count),
                       {.device = gpu::device_name()});
  // A graph uses the workspace that it was captured with: it needs one of its own.
  redtune::Workspace workspace = sum.make_workspace();
  const auto reduce = [&] {
    sum.launch(values.data(), count, total.data(), workspace, stream.get());
  };
  const gpu::Graph graph(stream, reduce);

  for (std::int32_t each = 1; each <= 3; ++each) {
    values.write(std::vector<std::int32_t>(count, each), stream);
    if (gpu::is_here())
      graph.launch(stream);
    else
      reduce();  // the host has no graphs
    sum.synchronize(stream.get());
    const std::int64_t result = total.first(stream);
    std::cout << count << " times " << each << ": " << result << '\n';
    if (result != count * each) return 1;
  }
  return 0;
} catch (const redtune::Error& error) {
  std::cerr << error.what() << '\n';
  return EXIT_FAILURE;
}
