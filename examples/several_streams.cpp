// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Several threads share one Reducer, each with a stream and a workspace of its own.
// Usage: several_streams
#include <cstdlib>
#include <iostream>
#include <redtune/reducer.hpp>
#include <thread>
#include <vector>

#include "gpu.hpp"

namespace {

/// Sums of counts of many sizes; how many are wrong.
void reduce_some(const redtune::Reducer& sum, const float* values, int& wrong) try {
  const gpu::Stream stream;
  const gpu::Array<float> total(1);
  redtune::Workspace workspace = sum.make_workspace();
  for (std::int64_t count = 1; count <= 1'000'000; count *= 10) {
    sum.launch(values, count, total.data(), workspace, stream.get());
    sum.synchronize(stream.get());
    if (total.first(stream) != static_cast<float>(count)) ++wrong;
  }
} catch (const redtune::Error& error) {
  std::cerr << error.what() << '\n';
  ++wrong;
}

}  // namespace

int main() try {
  const std::int64_t count = 1'000'000;
  const gpu::Array<float> values(count);
  values.write(std::vector<float>(count, 1.0F), gpu::Stream());
  const redtune::Reducer sum(redtune::make_problem(redtune::Op::sum, redtune::DType::f32, count),
                             {.device = gpu::device_name()});

  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (int& mine : wrong) {
    threads.emplace_back(reduce_some, std::cref(sum), values.data(), std::ref(mine));
  }
  for (std::thread& thread : threads) thread.join();

  std::cout << "match of launches so far:";
  for (const auto match : {redtune::Match::exact, redtune::Match::near, redtune::Match::fallback}) {
    std::cout << ' ' << to_string(match) << ' ' << sum.hits(match);
  }
  std::cout << '\n';
  for (const int mine : wrong) {
    if (mine > 0) return 1;
  }
  std::cout << "all sums are right\n";
  return 0;
} catch (const redtune::Error& error) {
  std::cerr << error.what() << '\n';
  return EXIT_FAILURE;
}
