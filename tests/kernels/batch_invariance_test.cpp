// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// Of Order::rows every config that is offered gives the same bits for the same row, and the same
// column, among any others.
#include "tests/kernels/batch_invariance.hpp"

#include "device/host/host_compiler.hpp"
#include "device/host/host_identity.hpp"
#include "device/host/host_platform.hpp"
#include "tests/kernels/columns_contract.hpp"
#include "tests/kernels/config_samples.hpp"
#include "tests/kernels/rows_contract.hpp"

namespace redtune {
namespace {

using checks::BatchInvariance;
using device::host::HostOptions;
using device::host::LaneOrder;

constexpr std::int64_t lengths[] = {1, 3, 5, 17, 63, 300, 1025, 4097};
constexpr std::int64_t longest_of_many = 1025;
constexpr std::int64_t many = 1100;  // of more parts than blocks share

std::vector<Shape> row_shapes(std::int64_t length) {
  std::vector<Shape> shapes{Shape::rows(7, length),
                            Shape::rows(1, length),
                            Shape::rows(1, length),
                            Shape::rows(2, length),
                            Shape::rows(2, length),
                            Shape::rows(7, length),
                            Shape::rows(7, length, length + 1),
                            Shape::rows(5, length, length + 2),
                            Shape::rows(40, length, length + 3)};
  if (length <= longest_of_many) shapes.push_back(Shape::rows(many, length));
  return shapes;
}

std::vector<Shape> column_shapes(std::int64_t length) {
  std::vector<Shape> shapes{
      Shape::columns(length, 7),
      Shape::columns(length, 2),
      Shape::columns(length, 3),
      Shape::columns(length, 8),
      Shape::columns(length, 64),
      Shape::columns(length, 65),
      Shape::columns(length, 7, 9),
      Shape::columns(length, 16, 32),
      {.count = length, .outer = 3, .inner = 5},
      {.count = length, .outer = 20, .inner = 4, .outer_pitch = 0, .count_pitch = 5}};
  if (length <= longest_of_many) shapes.push_back(Shape::columns(length, many));
  return shapes;
}

Shape tuned_for(const kernels::Family& family, std::int64_t length) {
  return family.name() == "reduce_rows" ? Shape::rows(100, length) : Shape::columns(length, 100);
}

/// A sample of all that may run, and what shares results most.
std::vector<Settings> configs_of(const kernels::Family& family, const Problem& problem,
                                 const Limits& limits) {
  std::vector<Settings> all = checks::sample(family, problem, limits, 5, 12);
  const std::vector<std::string_view> of_rows{
      "way=tickets block_size=32 threads_per_row=32 loads_per_thread=2 vector_width=1 "
      "blocks_per_row=256"};
  const std::vector<std::string_view> of_columns{
      "way=tickets block_size=64 threads_across=16 loads_per_thread=1 vector_width=1 "
      "blocks_per_column=256",
      "way=tickets block_size=64 threads_across=2 loads_per_thread=1 vector_width=1 "
      "blocks_per_column=256"};
  for (const std::string_view text : family.name() == "reduce_rows" ? of_rows : of_columns) {
    all.push_back(family.completed(parse_settings(text), limits));
    EXPECT_EQ(family.why_invalid(all.back(), problem, limits), "") << text;
  }
  return all;
}

template <class In>
void expect_batch_invariant(const kernels::Family& family, Op op, DType type,
                            const HostOptions& options) {
  const Limits limits = host_limits(options);
  const Problem problem = make_problem(op, type, tuned_for(family, 1000), {.order = Order::rows});
  ASSERT_TRUE(is_batch_invariant(problem));
  checks::ConfigProgram program(family, problem, limits);
  program.compile(device::host::HostCompiler(device::host::AlignmentCheck::on),
                  configs_of(family, problem, limits), "native");
  const auto device = device::host::make_host_device(options);
  for (const checks::Runner& runner : program.load(*device)) {
    BatchInvariance<In> check(*device, runner.config());
    const bool are_rows = family.name() == "reduce_rows";
    if (are_rows) {
      checks::expect_rows_kept<In>(*device, runner.config(), 0);
    } else {
      checks::expect_columns_kept<In>(*device, runner.config(), 0);
    }
    for (const std::int64_t length : lengths) {
      EXPECT_EQ(check.count_different(are_rows ? row_shapes(length) : column_shapes(length)), 0)
          << check.last();
    }
  }
}

class OrderOfRows : public testing::TestWithParam<std::string> {
 protected:
  const kernels::Family& family_ = kernels::find_family(GetParam());
};

TEST_P(OrderOfRows, GivesTheSameBitsAmongAnyOthers) {
  expect_batch_invariant<float>(family_, Op::sum, DType::f32,
                                {.wave_size = 32, .order = LaneOrder::random, .threads = 2});
}

TEST_P(OrderOfRows, GivesTheSameBitsOfSmallElementsOnWavesOfOne) {
  expect_batch_invariant<bfloat16>(family_, Op::sum_of_squares, DType::bf16,
                                   {.wave_size = 1, .threads = 2});
}

class OrderOfRowsOfTwoValues : public OrderOfRows {};

TEST_P(OrderOfRowsOfTwoValues, GivesTheSameBitsAmongAnyOthers) {
  for (const Op op : {Op::mean_variance, Op::softmax_stats}) {
    expect_batch_invariant<float>(family_, op, DType::f32, {.wave_size = 32, .threads = 2});
  }
}
INSTANTIATE_TEST_SUITE_P(Full, OrderOfRowsOfTwoValues,
                         testing::Values("reduce_rows", "reduce_columns"),
                         [](const auto& family) { return family.param; });

/// What the check is worth: vectors begin where memory has them, and other threads then add.
TEST_P(OrderOfRows, IsMissedByConfigsForAFixedOrder) {
  const HostOptions options{.wave_size = 32, .threads = 2};
  const Problem problem = make_problem(Op::sum, DType::f32, tuned_for(family_, 1000));
  const bool are_rows = GetParam() == "reduce_rows";
  const Settings settings = parse_settings(
      are_rows ? "way=groups block_size=64 threads_per_row=8 vector_width=4 loads_per_thread=2"
               : "way=tiles block_size=64 threads_across=16 vector_width=4 loads_per_thread=2");
  checks::ConfigProgram program(family_, problem, host_limits(options));
  program.compile(device::host::HostCompiler(device::host::AlignmentCheck::on),
                  {family_.completed(settings, host_limits(options))}, "native");
  const auto device = device::host::make_host_device(options);
  const auto runners = program.load(*device);
  BatchInvariance<float> check(*device, runners.front().config());
  EXPECT_GT(check.count_different(are_rows ? row_shapes(300) : column_shapes(300)), 0);
}

INSTANTIATE_TEST_SUITE_P(Families, OrderOfRows, testing::Values("reduce_rows", "reduce_columns"),
                         [](const auto& family) { return family.param; });

/// A default is a function of a row's length.
TEST_P(OrderOfRows, HasOneDefaultForAnyNumber) {
  for (const int wave_size : {1, 32, 64}) {
    for (const std::int64_t length : {0, 1, 7, 100, 1000, 4097, 1 << 17, 1 << 24}) {
      const Limits limits = device::host::host_limits({.wave_size = wave_size});
      const auto default_of = [&](const Shape& shape) {
        const Problem problem = make_problem(Op::sum, DType::f32, shape, {.order = Order::rows});
        const Settings settings = family_.default_settings(problem, limits);
        EXPECT_EQ(family_.why_invalid(settings, problem, limits), "");
        EXPECT_TRUE(family_.space(problem, limits).contains(family_.point_of(settings)));
        return settings;
      };
      const bool are_rows = GetParam() == "reduce_rows";
      const auto shape_of = [&](std::int64_t number, std::int64_t pitch) {
        return are_rows ? Shape::rows(number, length, pitch == 0 ? 0 : length + pitch)
                        : Shape::columns(length, number, pitch == 0 ? 0 : number + pitch);
      };
      const Settings usual = default_of(shape_of(2, 0));
      for (const std::int64_t number : {2, 3, 100, 5000}) {
        for (const std::int64_t pitch : {0, 1}) {
          EXPECT_EQ(default_of(shape_of(number, pitch)), usual) << number << " of " << length;
        }
      }
    }
  }
}

/// Of what is offered nothing depends on where a row begins.
TEST_P(OrderOfRows, OffersNoConfigThatDependsOnAPlace) {
  const Limits limits = device::host::host_limits({.wave_size = 32});
  for (const std::int64_t length : lengths) {
    const Problem problem =
        make_problem(Op::sum, DType::f32, tuned_for(family_, length), {.order = Order::rows});
    const search::Space space = family_.space(problem, limits);
    int seen = 0;
    for (const search::Point& point : space.points()) {
      const Settings settings = family_.settings_at(point);
      const auto value = [&](std::string_view name) {
        return std::ranges::find(settings, name, &Setting::name)->value;
      };
      ASSERT_TRUE(value("way") == "staged" || value("vector_width") == "1");
      ASSERT_NE(value("way"), "slots");
      ++seen;
    }
    EXPECT_GT(seen, 3);
  }
}

TEST(OrderOfRowsItself, IsAFixedOneOfIntegers) {
  const ProblemChoices rows{.order = Order::rows};
  EXPECT_EQ(make_problem(Op::sum, DType::i32, 100, rows).order, Order::fixed);
  EXPECT_EQ(make_problem(Op::count_nonzero, DType::f32, 100, rows).order, Order::fixed);
  EXPECT_EQ(make_problem(Op::max, DType::f32, 100, rows).order, Order::rows);
  EXPECT_EQ(describe(make_problem(Op::sum, DType::f32, 100, rows)), "sum f32 100 cold rows order");
}

TEST(OrderOfRowsItself, TakesAWholeArrayForARow) {
  const ProblemChoices rows{.order = Order::rows};
  EXPECT_EQ(kernels::family_of(make_problem(Op::sum, DType::f32, 100)).name(), "reduce");
  EXPECT_EQ(kernels::family_of(make_problem(Op::sum, DType::f32, 100, rows)).name(), "reduce_rows");
}

}  // namespace
}  // namespace redtune
