// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/compare/across.hpp"
#include "bench/compare/report.hpp"

namespace redtune::compare {
namespace {

constexpr std::int64_t a_giga = std::int64_t{1} << 30;

/// Of as many bytes: with the results of 8 bytes for u8 and 4 for f32.
constexpr double of_single = 0.8 * (a_giga + 8) / (a_giga + 4);

/// Median microseconds of the contestants; 0: not there.
struct Medians {
  double own = 0;
  double cub = 0;
  double narrow = 0;
};

/// A cell in graph mode with an input of so many bytes.
Cell cell_of(Op op, DType type, std::int64_t bytes, Medians us) {
  const auto count = bytes / static_cast<std::int64_t>(size_of(type));
  Cell cell{.problem = make_problem(op, type, count, CacheMode::warm)};
  ModeTimes times{.mode = Mode::row};
  times.contestants.push_back({"redtune", 10, {us.own}, {}});
  if (us.cub > 0) times.contestants.push_back({"cub", 10, {us.cub}, {}});
  if (us.narrow > 0) times.contestants.push_back({"narrow", 10, {us.narrow}, {}});
  cell.modes.push_back(times);
  return cell;
}

Cell at_offset(std::int64_t offset, Cell cell) {
  cell.offset = offset;
  return cell;
}

Findings findings_with(std::vector<Cell> cells) {
  Findings findings;
  findings.options.modes = {Mode::row};
  findings.cells = std::move(cells);
  return findings;
}

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(CompareAcross, ComparesTypesWithSinglesOfTheSameBytes) {
  const std::vector<Cell> cells{cell_of(Op::sum, DType::u8, a_giga, {.own = 250, .cub = 500}),
                                cell_of(Op::sum, DType::u8, 2 * a_giga, {.own = 500}),
                                cell_of(Op::sum, DType::f32, a_giga, {.own = 200, .cub = 220}),
                                cell_of(Op::max, DType::u8, a_giga, {.own = 200}),
                                at_offset(1, cell_of(Op::sum, DType::u8, a_giga, {.own = 400}))};
  const auto rates = byte_rates(cells, Mode::row);
  ASSERT_EQ(rates.size(), 5U);
  EXPECT_EQ(rates[0].cell, cells.data());
  EXPECT_NEAR(rates[0].redtune, 4294.967, 1e-3);
  EXPECT_NEAR(rates[0].library, 2147.484, 1e-3);
  EXPECT_EQ(rates[0].narrow, 0);
  EXPECT_DOUBLE_EQ(rates[0].of_f32.value_or(0), of_single);
  EXPECT_EQ(rates[1].cell, &cells[2]);  // beside the other sum of as many bytes
  EXPECT_EQ(rates[1].of_f32, 1);
  for (std::size_t i = 2; i < 5; ++i) {  // other offsets, other bytes, another operator
    EXPECT_FALSE(rates[i].of_f32.has_value()) << i;
  }
}

TEST(CompareAcross, ComparesTypesOfTheSameShapes) {
  std::vector<Cell> cells{cell_of(Op::sum, DType::f32, a_giga, {.own = 200}),
                          cell_of(Op::sum, DType::f16, a_giga, {.own = 400}),
                          cell_of(Op::sum, DType::f32, a_giga, {.own = 800})};
  for (const std::size_t i : {1, 2}) {
    cells[i].problem.outer = 1 << 10;
    cells[i].problem.count >>= 10;
  }
  const auto rates = byte_rates(cells, Mode::row);
  ASSERT_EQ(rates.size(), 3U);
  EXPECT_EQ(rates[1].cell, &cells[1]);
  EXPECT_NEAR(rates[1].of_f32.value_or(0), 2, 1e-5);  // of rows, not of the whole array
}

TEST(CompareAcross, TakesNoCellThatIsWrongOrWithoutTimes) {
  std::vector<Cell> cells{cell_of(Op::sum, DType::u8, a_giga, {.own = 250})};
  EXPECT_TRUE(byte_rates(cells, Mode::stream).empty());
  cells[0].state = CellState::wrong;
  EXPECT_TRUE(byte_rates(cells, Mode::row).empty());
}

TEST(CompareAcross, ComparesAnOffsetWithNone) {
  const std::vector<Cell> cells{
      at_offset(0, cell_of(Op::sum, DType::f32, a_giga, {.own = 200, .cub = 220})),
      at_offset(1, cell_of(Op::sum, DType::f32, a_giga, {.own = 202, .cub = 440})),
      at_offset(3, cell_of(Op::sum, DType::f32, a_giga, {.own = 210})),
      at_offset(1, cell_of(Op::sum, DType::f64, a_giga, {.own = 200}))};  // with nothing to compare
  const auto costs = offset_costs(cells, Mode::row);
  ASSERT_EQ(costs.size(), 2U);
  EXPECT_DOUBLE_EQ(costs[0].redtune, 1.01);
  EXPECT_DOUBLE_EQ(costs[0].library.value_or(0), 2);
  EXPECT_DOUBLE_EQ(costs[1].redtune, 1.05);
  EXPECT_FALSE(costs[1].library.has_value());
  EXPECT_TRUE(offset_costs(cells, Mode::stream).empty());
}

TEST(CompareAcross, ShowsTypesAtEqualBytesWhenAskedForBytes) {
  Findings findings =
      findings_with({cell_of(Op::sum, DType::f16, a_giga, {.own = 250, .cub = 400, .narrow = 300}),
                     cell_of(Op::sum, DType::f32, a_giga, {.own = 240})});
  EXPECT_FALSE(says(summary_of(findings), "equal bytes"));
  findings.options.bytes = {a_giga};
  findings.machine.read_peak.gbps = 4500;
  const std::string text = summary_of(findings);
  EXPECT_TRUE(says(text,
                   "bandwidth at equal bytes, row, GB/s; reading alone gives 4500.0\n"
                   "bytes     op   type count         redtune   of f32  of peak      CUB"
                   "   narrow\n"
                   "2^30      sum  f16  2^29           4295.0   96.0 %   95.4 %   2684.4"
                   "   3579.1\n"
                   "2^30      sum  f32  2^28           4473.9  100.0 %   99.4 %        -"
                   "        -\n"))
      << text;
}

TEST(CompareAcross, ShowsWhatAnOffsetCosts) {
  const Findings findings =
      findings_with({cell_of(Op::sum, DType::f32, a_giga, {.own = 200, .cub = 220}),
                     at_offset(1, cell_of(Op::sum, DType::f32, a_giga, {.own = 202, .cub = 231}))});
  const std::string text = summary_of(findings);
  EXPECT_TRUE(says(text, "sum  f32  2^28 +1         1.010    1.050\n")) << text;
  EXPECT_TRUE(says(table_of(findings, Mode::row), "sum  f32  2^28 +1          202.00"));
  EXPECT_FALSE(says(summary_of(findings_with({findings.cells[1]})), "cost of an offset"));
}

TEST(CompareAcross, HasColumnsAsWideAsTheOperators) {
  const Findings findings = findings_with({cell_of(Op::sum, DType::f32, a_giga, {.own = 200}),
                                           cell_of(Op::count_nonzero, DType::i16, 16, {.own = 2})});
  const std::string table = table_of(findings, Mode::row);
  EXPECT_TRUE(says(table, "\nop            type count ")) << table;
  EXPECT_TRUE(says(table, "\nsum           f32  2^28 ")) << table;
  EXPECT_TRUE(says(table, "\ncount_nonzero i16  8 ")) << table;
}

TEST(CompareAcross, ShowsANarrowAccumulatorWhereThereIsOne) {
  Findings findings =
      findings_with({cell_of(Op::sum, DType::f32, a_giga, {.own = 200, .cub = 220})});
  EXPECT_FALSE(says(table_of(findings, Mode::row), "narrow"));
  findings.cells.push_back(
      cell_of(Op::sum, DType::f16, a_giga, {.own = 200, .cub = 220, .narrow = 300}));
  findings.cells[1].narrow_value = "inf";
  EXPECT_TRUE(says(table_of(findings, Mode::row), "narrow us"));
  EXPECT_TRUE(says(table_of(findings, Mode::row), " 300.00 ")) << summary_of(findings);
  EXPECT_TRUE(says(summary_of(findings), "narrow/redtune: geometric mean 1.500 of 1 cells"));
  const auto json = nlohmann::json::parse(json_of(findings));
  EXPECT_EQ(json["cells"][1]["row"]["narrow_over_redtune"]["median"], 1.5);
  EXPECT_EQ(json["cells"][1]["narrow_value"], "inf");
  EXPECT_FALSE(json["cells"][0]["row"].contains("narrow_over_redtune"));
}

TEST(CompareAcross, WritesEverythingToTheJsonFile) {
  Findings findings =
      findings_with({cell_of(Op::sum, DType::u8, a_giga, {.own = 250, .cub = 500}),
                     cell_of(Op::sum, DType::f32, a_giga, {.own = 200}),
                     at_offset(1, cell_of(Op::sum, DType::f32, a_giga, {.own = 202}))});
  findings.options.offsets = {0, 1};
  findings.machine.read_peak = {.gbps = 5000, .bytes = 2 * a_giga, .shape = "wide"};
  const auto json = nlohmann::json::parse(json_of(findings));
  EXPECT_EQ(json["machine"]["read_peak"]["gb_per_s"], 5000);
  EXPECT_EQ(json["offsets"], nlohmann::json({0, 1}));
  EXPECT_EQ(json["cells"][2]["offset"], 1);
  EXPECT_EQ(json["cells"][0]["bytes"], a_giga);
  const auto& rate = json["summary"]["row"]["rates"][0];
  EXPECT_EQ(rate["type"], "u8");
  EXPECT_DOUBLE_EQ(rate["of_f32"], of_single);
  EXPECT_NEAR(rate["of_read_peak"], 0.859, 1e-3);
  EXPECT_TRUE(rate["narrow_gb_per_s"].is_null());
  const auto& cost = json["summary"]["row"]["offset_costs"][0];
  EXPECT_EQ(cost["redtune"], 1.01);
  EXPECT_TRUE(cost["cub"].is_null());
}

}  // namespace
}  // namespace redtune::compare
