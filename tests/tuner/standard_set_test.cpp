// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What is tuned where nobody says what, and that the page about it shows the same.
#include "tuner/workload/standard_set.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <set>

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
    const WorkloadItem item{make_problem(Op::sum, DType::f32, std::int64_t{1} << power)};
    EXPECT_THAT(workload.items, ::testing::Contains(item)) << power;
  }
}

/// As the page shows it.
std::string line_of(const StandardRow& row) {
  return fmt::format("| `{}` | `{}` | `{}` | {} | {} |", row.ops, row.types, row.counts,
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
