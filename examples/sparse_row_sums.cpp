// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The sum of each row of a sparse matrix in compressed rows: its values one behind the other, and
// offsets that tell where each row begins and the last ends. Rows have any lengths, also none.
// Without a GPU the host takes its place. Usage: sparse_row_sums
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <redtune/reducer.hpp>
#include <vector>

#include "gpu.hpp"

int main() try {
  std::vector<std::int32_t> offsets{0};  // of 1000 rows: 0 to 6 values each, and one full row
  for (int row = 0; row < 1000; ++row) {
    offsets.push_back(offsets.back() + (row == 500 ? 4000 : row % 7));
  }
  const std::int64_t rows = 1000;
  const std::int64_t count = offsets.back();
  const gpu::Stream stream;
  const gpu::Array<float> values(static_cast<std::size_t>(count));
  const gpu::Array<std::int32_t> begins(offsets.size());
  const gpu::Array<float> sums(rows);
  values.write(std::vector<float>(static_cast<std::size_t>(count), 0.5F), stream);
  begins.write(offsets, stream);

  // Half of all values are one row's: that is what is said of their lengths.
  const auto problem =
      redtune::make_problem(redtune::Op::sum, redtune::DType::f32,
                            redtune::Shape::segments(count, rows, 32, redtune::Skew::giant));
  redtune::Reducer sum(problem, {.device = gpu::device_name()});
  sum.launch(values.data(), count, redtune::segments_at(begins.data(), rows), sums.data(),
             stream.get());
  sum.synchronize(stream.get());

  std::vector<float> results(rows);
  gpu::copy_out(results.data(), sums.data(), results.size() * sizeof(float), stream);
  std::cout << rows << " rows: " << results[0] << ", " << results[1] << ", ... " << results[500]
            << ", ... " << results[999] << '\n'
            << "match: " << to_string(sum.answer().match) << '\n';
  return results[500] == 2000 ? 0 : 1;
} catch (const redtune::Error& error) {
  std::cerr << error.what() << '\n';
  return EXIT_FAILURE;
}
