// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Reduces an array that is on the device already, on the program's own stream, of HIP or CUDA.
// Without a GPU the host takes its place. Usage: own_stream
#include <cstdlib>
#include <iostream>
#include <redtune/reducer.hpp>
#include <vector>

#include "gpu.hpp"

int main() try {
  const std::int64_t count = 1'000'000;
  const gpu::Stream stream;
  const gpu::Array<float> values(count);
  const gpu::Array<float> total(1);
  values.write(std::vector<float>(count, 1.5F), stream);

  const auto problem = redtune::make_problem(redtune::Op::sum, redtune::DType::f32, count);
  redtune::Reducer sum(problem, {.device = gpu::device_name()});
  sum.launch(values.data(), count, total.data(), stream.get());
  sum.synchronize(stream.get());

  const float result = total.first(stream);
  std::cout << "sum on " << sum.device().name << ": " << result << '\n'
            << "match: " << to_string(sum.answer().match) << '\n';
  return result == 1'500'000.0F ? 0 : 1;
} catch (const redtune::Error& error) {
  std::cerr << error.what() << '\n';
  return EXIT_FAILURE;
}
