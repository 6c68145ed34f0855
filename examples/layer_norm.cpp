// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a layer norm and a softmax need of a row, each in one pass over it: mean and variance, the
// largest element and the sum of exponentials. Usage: layer_norm [DEVICE]
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <redtune/reducer.hpp>
#include <vector>

int main(int argc, char** argv) try {
  std::vector<float> row(4096);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = 1000.0F + static_cast<float>(i % 5);
  const std::span<const float> values(row);

  // Of many rows on a device: Shape::rows(rows, columns) in the place of the count, and launch().
  const auto count = static_cast<std::int64_t>(row.size());
  const redtune::ReducerOptions options{.device = argc > 1 ? argv[1] : "auto"};
  const auto reducer = [&](redtune::Op op) {
    return redtune::Reducer(redtune::make_problem(op, redtune::DType::f32, count), options);
  };
  const auto [mean, variance] =
      reducer(redtune::Op::mean_variance).reduce<redtune::MeanVariance<float>>(values);
  const auto [max, sum] =
      reducer(redtune::Op::softmax_stats).reduce<redtune::SoftmaxStats<float>>(values);

  std::cout << "mean " << mean << ", variance " << variance << '\n'
            << "normalised: " << (row[0] - mean) / std::sqrt(variance + 1e-5F) << '\n'
            << "largest " << max << ", sum of exponentials " << sum << '\n'
            << "softmax: " << std::exp(row[0] - max) / sum << '\n';
} catch (const redtune::Error& error) {
  std::cerr << error.what() << '\n';
  return EXIT_FAILURE;
}
