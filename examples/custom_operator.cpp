// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// The sum of a million magnitudes, by an operator of this program's own. Usage: custom_operator
// [DEVICE]
#include <cstdlib>
#include <iostream>
#include <redtune/reducer.hpp>
#include <vector>

namespace {

const redtune::CustomOp abs_sum{"abs_sum", R"(
struct custom {
  static accumulator identity() { return 0; }
  static accumulator combine(accumulator a, accumulator b) { return a + b; }
  static accumulator transform(element x) { return x < 0 ? -accumulator(x) : accumulator(x); }
};
)"};

}  // namespace

int main(int argc, char** argv) try {
  std::vector<float> values(1'000'000, 1.5F);
  for (std::size_t i = 0; i < values.size(); i += 2) values[i] = -0.5F;

  const auto count = static_cast<std::int64_t>(values.size());
  redtune::Reducer sum(redtune::make_problem(abs_sum, redtune::DType::f32, count),
                       {.device = argc > 1 ? argv[1] : "auto"});
  std::cout << "sum of magnitudes: " << sum.reduce<float>(std::span<const float>(values)) << '\n'
            << "match: " << to_string(sum.answer().match) << '\n';
} catch (const redtune::Error& error) {
  std::cerr << error.what() << '\n';
  return EXIT_FAILURE;
}
