// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is tuned where nobody says what, and that the page about it shows the same.
#include "tuner/workload/standard_set.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <limits>
#include <set>

#include "kernel_templates/family/family.hpp"
#include "runtime/resolve.hpp"
#include "search/budget.hpp"
#include "tests/cache/samples.hpp"

namespace redtune::tuner {
namespace {

constexpr std::int64_t gib = std::int64_t{1} << 30;

DeviceClass gpu_with(std::int64_t memory_bytes) {
  DeviceClass device_class = cache::testing::sample_device().device_class;
  device_class.memory_bytes = memory_bytes;
  return device_class;
}

DeviceClass some_host() {
  return {.platform = "host", .isa = "x86-64-v3", .memory_bytes = 16 * gib};
}

std::size_t problems_in(const StandardTable& table) {
  std::size_t count = 0;
  for (const StandardRow& row : table.rows) count += problems_of(row).problems.size();
  return count;
}

TEST(StandardSet, OfGpusHasAtLeastTwoHundredProblems) {
  EXPECT_GE(standard_set(gpu_with(80 * gib)).items.size(), 200u);
}

TEST(StandardSet, OfTheHostIsShort) {
  const Workload workload = standard_set(some_host());
  EXPECT_GE(workload.items.size(), 12u);
  EXPECT_LE(workload.items.size(), 20u);
  for (const WorkloadItem& item : workload.items) {
    EXPECT_TRUE(search::parse_budget(item.budget).time) << describe(item.problem);
  }
}

TEST(StandardSet, NamesNoProblemTwiceAndNoneThatCannotBe) {
  for (const DeviceClass& device_class : {gpu_with(80 * gib), some_host()}) {
    const Workload workload = standard_set(device_class);
    std::set<Problem> seen;
    for (const WorkloadItem& item : workload.items) {
      EXPECT_TRUE(seen.insert(item.problem).second) << describe(item.problem);
    }
    EXPECT_EQ(workload.items.size(), problems_in(standard_table(device_class.platform)));
    for (const StandardRow& row : standard_table(device_class.platform).rows) {
      EXPECT_EQ(problems_of(row).left_out, "");
    }
  }
}

TEST(StandardSet, TakesAQuarterOfTheMemoryAtMost) {
  const auto largest = [](std::int64_t memory_bytes) {
    const Workload workload = standard_set(gpu_with(memory_bytes));
    std::size_t most = 0;
    for (const WorkloadItem& item : workload.items) {
      most = std::max(most, input_bytes(item.problem));
    }
    return most;
  };
  EXPECT_EQ(largest(16 * gib), std::size_t{4 * gib});
  EXPECT_EQ(largest(16 * gib - 1), std::size_t{2 * gib});
  EXPECT_TRUE(standard_set(gpu_with(0)).items.empty());
}

TEST(StandardSet, AnswersSumsOfFloatsAtEveryPowerOfTwo) {
  const Workload workload = standard_set(gpu_with(80 * gib));
  for (int power = 8; power <= 30; ++power) {
    const WorkloadItem item{make_problem(Op::sum, DType::f32, std::int64_t{1} << power), "brief"};
    EXPECT_THAT(workload.items, ::testing::Contains(item)) << power;
  }
}

std::vector<Problem> of_other_shapes(const DeviceClass& device_class) {
  std::vector<Problem> problems;
  const Workload workload = standard_set(device_class);
  for (const WorkloadItem& item : workload.items) {
    if (!is_whole_array(item.problem)) problems.push_back(item.problem);
  }
  return problems;
}

/// At some two seconds each, in twelve minutes.
TEST(StandardSet, OfGpusIsDoneInMinutes) {
  EXPECT_LE(standard_set(gpu_with(80 * gib)).items.size(), 360u);
}

TEST(StandardSet, HasRowsAndColumnsAndAxesInTheMiddle) {
  const auto problems = of_other_shapes(gpu_with(80 * gib));
  EXPECT_THAT(problems.size(), 146U);
  const auto count_of = [&](auto is_such) { return std::ranges::count_if(problems, is_such); };
  EXPECT_GE(count_of([](const Shape& shape) { return shape.inner == 1; }), 40);
  EXPECT_GE(count_of([](const Shape& shape) { return shape.inner > 1 && shape.outer == 1; }), 10);
  EXPECT_GE(count_of([](const Shape& shape) { return shape.inner > 1 && shape.outer > 1; }), 1);
  EXPECT_GE(count_of([](const Shape& shape) { return shape.batch > 1; }), 2);
  EXPECT_THAT(of_other_shapes(some_host()).size(),
              ::testing::AllOf(::testing::Ge(3U), ::testing::Le(6U)));
}

/// Regimes of rows of sums that a device knows: of rows that begin with vectors, from a quarter of
/// its compute units to 2^28 of them, and of those in the standard set.
struct Regimes {
  std::set<std::uint32_t> all;
  std::set<std::uint32_t> met;
  std::set<std::uint32_t> cut;  ///< met by rows that begin within vectors
};

Regimes regimes_of_sums(DType type, const Limits& limits) {
  const kernels::Family& family = kernels::find_family("reduce_rows");
  const auto regime = [&](const Shape& shape) {
    return family.regime(shape, size_of(type), limits);
  };
  Regimes regimes;
  for (int log_rows = 1; log_rows <= 28; ++log_rows) {
    if (4 << log_rows < limits.compute_units) continue;
    for (int log_length = 0; log_rows + log_length <= 28; ++log_length) {
      regimes.all.insert(
          regime(Shape::rows(std::int64_t{1} << log_rows, std::int64_t{1} << log_length)));
    }
  }
  for (const Problem& problem : of_other_shapes(gpu_with(80 * gib))) {
    const bool is_sum = problem.op == Op::sum && problem.in == type;
    if (!is_sum || !family.serves(problem)) continue;
    const auto pitch = slice_of(problem) * static_cast<std::int64_t>(size_of(type));
    const bool is_cut = pitch % 16 != 0 && 16 % pitch != 0;
    (is_cut ? regimes.cut : regimes.met).insert(regime(problem));
  }
  return regimes;
}

/// NVIDIA's and AMD's of these days, from 84 compute units to 304.
std::vector<Limits> limits_of_gpus() {
  std::vector<Limits> all;
  for (const int units : {84, 108, 114, 132, 148}) {
    all.push_back({.wave_size = 32, .compute_units = units});
  }
  for (const int units : {104, 110, 228, 304}) {
    all.push_back({.wave_size = 64, .compute_units = units});
  }
  return all;
}

TEST(StandardSet, MeetsEveryRegimeOfRowsWithSums) {
  for (const Limits& limits : limits_of_gpus()) {
    for (const DType type : {DType::f32, DType::bf16}) {
      const Regimes regimes = regimes_of_sums(type, limits);
      EXPECT_EQ(regimes.met, regimes.all) << to_string(type) << ' ' << limits.compute_units;
      EXPECT_EQ(regimes.all.size(), 12U);
      EXPECT_GE(regimes.cut.size(), 3U) << "read by a thread, a wave and a block";
    }
  }
}

/// Whether a look-up of a sum or another operation of rows finds a tuned one.
bool is_near_one_of(const std::vector<Problem>& problems, const Problem& asked,
                    const Limits& limits) {
  const kernels::Family& family = kernels::find_family("reduce_rows");
  const auto regime = [&](const Shape& shape) {
    return family.regime(shape, size_of(asked.in), limits);
  };
  return std::ranges::any_of(problems, [&](const Problem& problem) {
    return static_cast<const Operation&>(problem) == asked && family.serves(problem) &&
           regime(problem) == regime(asked) && family.tells_of(problem, asked, size_of(asked.in)) &&
           family.distance(problem, asked) / 2 <= runtime::farthest_near;
  });
}

TEST(StandardSet, IsNearPowersOfTwoAndAllLongRowsOfItsTotals) {
  const Limits limits{.wave_size = 32, .compute_units = 132};
  const auto problems = of_other_shapes(gpu_with(80 * gib));
  const auto is_near = [&](DType type, std::int64_t length) {
    const Problem asked = make_problem(Op::sum, type, Shape::rows((1 << 26) / length, length));
    return is_near_one_of(problems, asked, limits);
  };
  for (const DType type : {DType::f32, DType::bf16}) {
    for (std::int64_t length = 4; length < 1 << 15; length *= 2) {
      EXPECT_TRUE(is_near(type, length)) << length;
      if (length < 256) continue;
      EXPECT_TRUE(is_near(type, length - length / 16)) << length - length / 16;
    }
    for (std::int64_t length = 1 << 15; length < 1 << 20; length += length / 8) {
      EXPECT_TRUE(is_near(type, length)) << length;
    }
  }
}

/// Between such a run measures borders, seconds for each; rows of lengths far apart are answered by
/// their regime.
TEST(StandardSet, HasNoOtherShapesThatDifferInTheirCountAlone) {
  for (const DeviceClass& device_class : {gpu_with(80 * gib), some_host()}) {
    std::set<Problem> seen;
    for (Problem problem : of_other_shapes(device_class)) {
      const std::string text = describe(problem);
      problem.count = 1;
      EXPECT_TRUE(seen.insert(problem).second) << text;
    }
  }
}

TEST(StandardSet, HasOperatorsOfSeveralValuesWhereProgramsCallThem) {
  const auto problems = of_other_shapes(gpu_with(80 * gib));
  for (const Op op : {Op::mean_variance, Op::softmax_stats, Op::logsumexp, Op::argmax}) {
    for (const DType type : {DType::f32, DType::bf16}) {
      EXPECT_TRUE(std::ranges::any_of(problems,
                                      [&](const Problem& problem) {
                                        return problem.op == op && problem.in == type &&
                                               are_rows(problem);
                                      }))
          << to_string(op) << ' ' << to_string(type);
    }
  }
}

/// Segments of the line that the standard set keeps to: spread like that, so long on average.
Problem segments_of_line(DType type, Skew skew, std::int64_t mean) {
  constexpr std::int64_t elements = 1 << 26;
  return make_problem(Op::sum, type, Shape::segments(elements, elements / mean, 32, skew));
}

/// How far the nearest tuned one of its regime is; infinite where there is none.
double distance_of_nearest(const Problem& asked, const Limits& limits) {
  const kernels::Family& family = kernels::find_family("reduce_segments");
  const auto regime = [&](const Shape& shape) {
    return family.regime(shape, size_of(asked.in), limits);
  };
  double nearest = std::numeric_limits<double>::infinity();
  for (const Problem& problem : of_other_shapes(gpu_with(80 * gib))) {
    if (static_cast<const Operation&>(problem) != asked || !family.serves(problem)) continue;
    if (regime(problem) != regime(asked)) continue;
    nearest = std::min(nearest, family.distance(problem, asked) / 2);
  }
  return nearest;
}

/// On both sides of where a regime changes, so that no mean is answered from far away.
TEST(StandardSet, IsWithinAFactorOfTwoOfSegmentsOfLikeLengths) {
  for (const Limits& limits : limits_of_gpus()) {
    for (const DType type : {DType::f32, DType::bf16}) {
      for (std::int64_t mean = 2; mean <= 1 << 15; mean *= 2) {
        const Problem asked = segments_of_line(type, Skew::uniform, mean);
        const auto weights = kernels::family_of(asked).extent_weights();
        const double factor_of_two = weights.count + weights.outer;  // twice as long, half as many
        EXPECT_LE(distance_of_nearest(asked, limits), factor_of_two)
            << describe(asked) << ", " << limits.compute_units;
      }
    }
  }
}

TEST(StandardSet, IsNearSegmentsOfSpreadLengths) {
  for (const Limits& limits : limits_of_gpus()) {
    for (const DType type : {DType::f32, DType::bf16}) {
      for (std::int64_t mean = 1; mean <= 1 << 16; mean *= 2) {
        const Problem asked = segments_of_line(type, Skew::zipf, mean);
        EXPECT_LE(distance_of_nearest(asked, limits), runtime::farthest_near)
            << describe(asked) << ", " << limits.compute_units;
      }
    }
  }
}

/// As people write it.
std::string shapes_text(const StandardRow& row) {
  if (!row.row_lengths.empty()) {
    return fmt::format("--row-lengths {} --total {}", row.row_lengths, row.total);
  }
  if (!row.arrays.empty()) return fmt::format("--shape {} --axis {}", row.arrays, row.axis);
  if (row.segments.empty()) return fmt::format("--count {}", row.counts);
  const std::string segments = fmt::format("--count {} --segments {}", row.counts, row.segments);
  if (row.skew == Skew::uniform) return segments;
  return fmt::format("{} --skew {}", segments, to_string(row.skew));
}

/// As the page shows it.
std::string line_of(const StandardRow& row) {
  return fmt::format("| `{}` | `{}` | `{}` | {} | {} |", row.ops, row.types, shapes_text(row),
                     to_string(row.cache_mode), problems_of(row).problems.size());
}

/// How many lines of a text begin with code in a table.
std::size_t rows_in(std::string_view text) {
  constexpr std::string_view begin_of_row = "\n| `";
  std::size_t rows = 0;
  for (std::size_t at = text.find(begin_of_row); at != std::string_view::npos;
       at = text.find(begin_of_row, at + 1)) {
    ++rows;
  }
  return rows;
}

TEST(StandardSet, IsWhatThePageShows) {
  const std::string page = cache::testing::read_text(std::filesystem::path(REDTUNE_SOURCE_DIR) /
                                                     "docs/reference/workloads.md");
  const auto begin = page.find("\n## Standard set\n");
  ASSERT_NE(begin, std::string::npos);
  const std::string section = page.substr(begin, page.find("\n## ", begin + 1) - begin);
  std::size_t rows = 0;
  for (const char* platform : {"hip", "host"}) {
    const StandardTable& table = standard_table(platform);
    std::string lines;
    for (const StandardRow& row : table.rows) lines += line_of(row) + '\n';
    EXPECT_THAT(section, ::testing::HasSubstr('\n' + lines + '\n'));
    EXPECT_THAT(section, ::testing::HasSubstr(fmt::format("{} problems", problems_in(table))));
    if (!table.budget.empty()) {
      EXPECT_THAT(section, ::testing::HasSubstr(fmt::format("`{}`", table.budget)));
    }
    rows += table.rows.size();
  }
  EXPECT_EQ(rows_in(section), rows);
}

}  // namespace
}  // namespace redtune::tuner
