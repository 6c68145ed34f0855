// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What libraries of reductions have been seen to get wrong, each as a check of its own. The host's
// test and the GPU's are two drivers of them.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "tests/kernels/config_samples.hpp"
#include "tests/kernels/reduction_checks.hpp"

namespace redtune::checks {

class Traps {
 public:
  /// Compiles and loads configs of a problem.
  using Loader = std::function<std::vector<Runner>(const Problem&, std::vector<Settings>)>;

  Traps(device::Device& device, Loader loader) : device_(device), loader_(std::move(loader)) {}

  /// A float of 16 bits stops counting at 2^11 or 2^8: sums must not be accumulated in it.
  void half_sums_do_not_saturate() {
    expect<half>(make_problem(Op::sum, DType::f16, 70000), ones<half>(70000), 70000.0F);
    expect<bfloat16>(make_problem(Op::sum, DType::bf16, 1000), ones<bfloat16>(1000), 1000.0F);
    // Rounded once, at the end: 2^11 + 1 is no half, and 2051 lies between 2050 and 2052.
    expect<half>(make_problem(Op::sum, DType::f16, 2051, {.out = DType::f16}), ones<half>(2051),
                 half(2052.0F));
    expect<half>(make_problem(Op::mean, DType::f16, 70000), ones<half>(70000), 1.0F);
  }

  /// One NaN, wherever it stands, and the same elements backwards.
  void extremes_do_not_depend_on_the_place_of_nan() {
    constexpr std::int64_t count = 1000;
    for (const Op op : {Op::min, Op::max, Op::abs_max}) {
      auto runners = load(make_problem(op, DType::f32, count));
      for (const std::int64_t place : {0, 1, 31, 32, 499, 998, 999}) {
        std::vector<float> values = make_input(mixed<float>(), count);
        values[static_cast<std::size_t>(place)] = not_a_number<float>();
        expect_nan(runners, values);
        std::ranges::reverse(values);
        expect_nan(runners, values);
      }
    }
  }

  /// An implementation that starts from the largest finite number returns that.
  void extremes_of_infinities_are_infinite() {
    const std::vector<float> all_high(1000, highest<float>());
    const std::vector<float> all_low(1000, lowest<float>());
    expect<float>(make_problem(Op::min, DType::f32, 1000), all_high, highest<float>());
    expect<float>(make_problem(Op::max, DType::f32, 1000), all_low, lowest<float>());
    using Indexed = IndexedValue<float>;
    expect<float>(make_problem(Op::argmin, DType::f32, 1000), all_high,
                  Indexed{highest<float>(), 0});
    expect<float>(make_problem(Op::argmax, DType::f32, 1000), all_low, Indexed{lowest<float>(), 0});
  }

  /// What is left when NaN does not count may equal the start of the search: it still has an index.
  void infinities_among_nan_have_their_index() {
    constexpr std::int64_t count = 70001;
    const Problem problem = make_problem(Op::argmin_ignore_nan, DType::f32, count);
    auto runners = load(problem);
    for (const std::int64_t place : {-1, 0, 1, 500, 33333, 69990, 70000}) {
      std::vector<float> values(count, not_a_number<float>());
      if (place >= 0) values[static_cast<std::size_t>(place)] = highest<float>();
      const PlacedInput<float> input(device_, values, Place::one_behind);
      for (Runner& runner : runners) {
        const auto found = value_in<IndexedValue<float>>(runner.run(input.data(), count));
        EXPECT_EQ(found.index, place) << to_string(runner.config().choice().settings);
        EXPECT_EQ(found.value, highest<float>());
      }
    }
  }

  /// Nothing gives the identity, and an index that no element has.
  void nothing_has_a_stated_result() {
    expect<float>(make_problem(Op::sum, DType::f32, 0), {}, 0.0F);
    expect<float>(make_problem(Op::min, DType::f32, 0), {}, highest<float>());
    expect<float>(make_problem(Op::argmax, DType::f32, 0), {},
                  IndexedValue<float>{lowest<float>(), -1});
    auto runners = load(make_problem(Op::mean, DType::f32, 0));
    expect_nan(runners, {});
  }

  /// Vector loads must not be asked of addresses that are no multiple of a vector.
  template <class T>
  void any_element_may_be_the_first() {
    constexpr std::int64_t count = 3000;
    const std::vector<T> values = make_input(mixed<T>(), count);
    const device::Buffer buffer = device_.allocate((count + 64) * sizeof(T));
    for (Runner& runner : load(make_problem(Op::sum, dtype_of<T>(), count))) {
      const Expectation expected(runner.config().choice().problem, std::span<const T>(values));
      for (int behind = 0; behind <= 16; ++behind) {
        T* const place = static_cast<T*>(buffer.data()) + behind;
        device_.copy_to_device(place, values.data(), values.size() * sizeof(T));
        EXPECT_TRUE(expected.met_by(runner.run(place, count),
                                    runner.config().longest_chain({.count = count})))
            << behind << " behind, " << to_string(runner.config().choice().settings);
      }
    }
  }

 private:
  template <class T>
  static std::vector<T> ones(std::size_t count) {
    return std::vector<T>(count, T(1.0F));
  }

  /// The default config, with a tile for each block as well, and one for each finish that there is.
  std::vector<Runner> load(const Problem& problem) {
    const kernels::Family& family = kernels::find_family("reduce");
    Problem large = problem;  // of which every finish has a config
    large.count = std::int64_t{1} << 20;
    const std::size_t many = 7;
    auto configs = sample(family, large, device_.limits(), 0, many);
    Settings normal = family.default_settings(large, device_.limits());
    configs.push_back(family.default_settings(problem, device_.limits()));
    std::ranges::find(normal, "blocks_per_unit", &Setting::name)->value = "0";
    configs.push_back(std::move(normal));
    return loader_(problem, std::move(configs));
  }

  template <class In, class Judge>
  void expect_each(std::vector<Runner>& runners, const std::vector<In>& values, Judge&& judge) {
    const PlacedInput<In> input(device_, values, Place::one_behind);
    for (Runner& runner : runners) {
      const Output output = runner.run(input.data(), static_cast<std::int64_t>(values.size()));
      const auto& choice = runner.config().choice();
      EXPECT_TRUE(judge(output)) << describe(choice.problem) << ", " << to_string(choice.settings);
    }
  }
  template <class In, class Out>
  void expect(const Problem& problem, const std::vector<In>& values, Out expected) {
    auto runners = load(problem);
    expect_each(runners, values, [&](const Output& output) {
      if constexpr (is_indexed_v<Out>)
        return value_in<Out>(output) == expected;
      else
        return number(value_in<Out>(output)) == number(expected);
    });
  }
  void expect_nan(std::vector<Runner>& runners, const std::vector<float>& values) {
    expect_each(runners, values,
                [](const Output& output) { return std::isnan(value_in<float>(output)); });
  }

  device::Device& device_;
  Loader loader_;
};

}  // namespace redtune::checks
