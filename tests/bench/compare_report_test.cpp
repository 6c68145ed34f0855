// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/compare/report.hpp"
#include "bench/compare/summary.hpp"

namespace redtune::compare {
namespace {

/// A cell in stream mode, with these times of redtune and, unless 0, of CUB.
Cell cell_of(std::int64_t count, double own_us, double cub_us) {
  Cell cell{.problem = make_problem(Op::sum, DType::f32, count, CacheMode::warm)};
  cell.checked = true;
  cell.answer = Answer{.problem = cell.problem,
                       .family = "reduce",
                       .settings = {{"block_size", "256"}, {"load", "cached"}},
                       .match = Match::near};
  ModeTimes times{.mode = Mode::stream};
  times.contestants.push_back({"redtune", 10, {own_us}, {own_us}});
  if (cub_us > 0) times.contestants.push_back({"cub", 10, {cub_us}, {cub_us}});
  times.contestants.push_back({"thrust", 3, {77}, {77}});
  cell.modes.push_back(times);
  return cell;
}

Findings findings_of(std::vector<Cell> cells) {
  Findings findings;
  findings.options.modes = {Mode::stream};
  findings.machine.device = "a \"device\"\n";
  findings.cells = std::move(cells);
  return findings;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

constexpr std::int64_t giga = std::int64_t{1} << 30;

TEST(CompareSummary, ComparesCellsThatHaveBothTimes) {
  std::vector<Cell> cells{cell_of(1 << 8, 1, 4), cell_of(1 << 10, 1, 1), cell_of(1 << 11, 1, 0)};
  const Summary summary = summarize(cells, Mode::stream);
  EXPECT_EQ(summary.ratios, (std::vector<double>{4, 1}));
  EXPECT_EQ(summary.smallest, 1);
  EXPECT_EQ(summary.worst, &cells[1]);
  EXPECT_TRUE(summarize(cells, Mode::row).ratios.empty());
  cells[0].state = CellState::wrong;  // how fast it is does not matter then
  EXPECT_EQ(summarize(cells, Mode::stream).ratios, std::vector<double>{1});
}

TEST(CompareSummary, CountsWhatIsMoreThanTwoPercentSlower) {
  const std::vector<Cell> cells{cell_of(1 << 8, 1.019, 1), cell_of(1 << 9, 1.021, 1),
                                cell_of(1 << 10, 0.5, 1)};
  EXPECT_EQ(summarize(cells, Mode::stream).slower, 1U);
}

TEST(CompareSummary, HasTheMiddleCountsAndTheLargeOnesApart) {
  std::vector<Cell> cells{cell_of(1 << 12, 1, 2), cell_of(1 << 13, 1, 3), cell_of(1 << 19, 1, 4),
                          cell_of(1 << 20, 1, 5), cell_of(giga, 1000, 2000)};
  cells.push_back(cell_of(giga, 1000, 0));
  cells.push_back(cell_of(giga, 1000, 0));
  cells.back().problem.in = DType::i32;
  const Summary summary = summarize(cells, Mode::stream);
  EXPECT_EQ(summary.middle_ratios, (std::vector<double>{3, 4}));
  ASSERT_EQ(summary.bandwidths.size(), 2U);
  EXPECT_NEAR(summary.bandwidths[0].redtune, 4.294967300, 1e-9);  // with 4 bytes of the result
  EXPECT_NEAR(summary.bandwidths[0].library, 2.147483650, 1e-9);
  EXPECT_EQ(summary.bandwidths[1].library, 0);
}

TEST(CompareReport, ShowsARowForEachCellWithWhatWasUsed) {
  Findings findings = findings_of({cell_of(1 << 20, 4, 10), cell_of(1 << 21, 4, 0)});
  findings.cells[1].note = "no peer does this: unchecked";
  findings.cells.push_back({.problem = make_problem(Op::max, DType::u64, 100),
                            .state = CellState::skipped,
                            .note = "too large"});
  const std::string table = table_of(findings, Mode::stream);
  EXPECT_TRUE(contains(table,
                       "sum  f32  2^20               4.00      10.00  2.500  2.500..2.500  1048.6"
                       "      77.00  near    block_size=256 load=cached\n"))
      << table;
  EXPECT_TRUE(contains(table, "no peer does this: unchecked; near")) << table;
  EXPECT_TRUE(contains(table, "max  u64  100         skipped: too large\n")) << table;
}

/// Rows in stream mode, with times of redtune, CUB by offsets and CUB by one size; 0: not there.
Cell rows_of(const Shape& shape, double own_us, double cub_us, double fixed_us) {
  Cell cell{.problem = make_problem(Op::sum, DType::f32, shape, {.cache_mode = CacheMode::warm})};
  cell.checked = cub_us > 0 || fixed_us > 0;
  ModeTimes times{.mode = Mode::stream};
  times.contestants.push_back({"redtune", 10, {own_us}, {own_us}});
  if (cub_us > 0) times.contestants.push_back({"cub", 10, {cub_us}, {cub_us}});
  if (fixed_us > 0) times.contestants.push_back({"fixed", 10, {fixed_us}, {fixed_us}});
  cell.modes.push_back(times);
  return cell;
}

TEST(CompareSummary, ComparesRowsWithTheFasterCall) {
  const std::vector<Cell> cells{
      rows_of(Shape::rows(64, 2), 2, 9, 3), rows_of(Shape::rows(64, 4096), 2, 4, 5),
      rows_of(Shape::rows(64, 8), 2, 7, 0), rows_of(Shape::rows(64, 9), 2, 0, 8)};
  const Summary summary = summarize(cells, Mode::stream);
  EXPECT_EQ(summary.ratios, (std::vector<double>{1.5, 2, 3.5, 4}));
  EXPECT_EQ(summary.fixed_ratios, (std::vector<double>{1.5, 2.5, 4}));
  EXPECT_EQ(summary.middle_ratios, std::vector<double>{2});  // 2^18 elements in all
  EXPECT_EQ(moved_bytes(cells[0].problem), 64 * 2 * 4 + 64 * 4);
  EXPECT_EQ(moved_bytes(make_problem(Op::argmax, DType::f32, Shape::rows(64, 2, 8))),
            64 * 2 * 4 + 64 * 16);
}

TEST(CompareSummary, CountsKeysOfElementsAndGroupsInsteadOfOffsets) {
  Cell cell{.problem = make_problem(Op::sum, DType::f32, Shape::segments(1000, 100))};
  EXPECT_EQ(moved_bytes(cell), 1000 * 4 + 101 * 4 + 100 * 4);
  cell.by_key = true;
  cell.groups = 90;
  EXPECT_EQ(moved_bytes(cell), 1000 * (4 + 4) + 90 * (4 + 4));
}

TEST(CompareReport, ShowsPlansWhereThereAreSome) {
  const Shape shape = Shape::segments(1 << 20, 1 << 10);
  Findings findings = findings_of({rows_of(shape, 4, 8, 0), rows_of(shape, 4, 8, 0)});
  EXPECT_FALSE(contains(table_of(findings, Mode::stream), "shares us"));
  std::vector<Times>& times = findings.cells[1].modes.front().contestants;
  times.push_back({std::string(plan_in_shares), 10, {3.25}, {3.25}});
  times.push_back({std::string(plan_in_bins), 10, {2.75}, {2.75}});
  const std::string table = table_of(findings, Mode::stream);
  EXPECT_TRUE(contains(table, "shares us    bins us")) << table;
  EXPECT_TRUE(contains(table, "3.25       2.75")) << table;
}

TEST(CompareReport, ShowsRowsBesideBothCallsAndTheRoof) {
  Findings findings = findings_of({rows_of(Shape::rows(1 << 27, 2), 400, 900, 500),
                                   rows_of(Shape::columns(1 << 18, 1024), 300, 0, 0)});
  findings.cells[1].note = "no peer in CUB for such a shape: unchecked";
  EXPECT_FALSE(contains(table_of(findings, Mode::stream), "of the roof"));
  findings.machine.read_peak.gbps = 5000;
  const std::string table = table_of(findings, Mode::stream);
  EXPECT_TRUE(contains(table,
                       "op   type shape        redtune us     CUB us   fixed us  ratio"
                       "          95 %    GB/s  of the roof  match"))
      << table;
  EXPECT_TRUE(contains(table,
                       "sum  f32  2^27x[2]         400.00     900.00     500.00  1.250"
                       "  1.250..1.250  4026.5       80.5 %  \n"))
      << table;
  EXPECT_TRUE(contains(table,
                       "sum  f32  [2^18]x2^10      300.00          -          -      -"
                       "             -  3579.2       71.6 %  no peer in CUB for such a shape"))
      << table;
  const std::string summary = summary_of(findings);
  EXPECT_TRUE(contains(summary, "fixed/redtune: geometric mean 1.250 of 1 cells\n")) << summary;
  EXPECT_TRUE(contains(summary,
                       "redtune/reading alone: geometric mean 75.9 % of 2 cells, smallest 71.6 % "
                       "(sum f32 [2^18]x2^10 warm)\n"))
      << summary;
}

/// Segments of one length beside the rows of their elements.
Cell equal_segments(std::int64_t length, double own_us, double rows_us) {
  Cell cell = rows_of(Shape::segments(length << 10, 1 << 10), own_us, 0, 0);
  cell.modes[0].contestants.push_back({"rows", 10, {rows_us}, {rows_us}});
  return cell;
}

TEST(CompareReport, ShowsSegmentsOfOneLengthBesideRows) {
  Findings findings = findings_of(
      {equal_segments(32, 4, 2), equal_segments(64, 4, 3.9), equal_segments(4096, 4, 3.6)});
  findings.options.degrees = Degrees::equal;
  const std::string table = table_of(findings, Mode::stream);
  EXPECT_TRUE(contains(table, "    rows us  of rows  ratio")) << table;
  EXPECT_TRUE(contains(table, "sum  f32  2^16 in 2^10 segments equal")) << table;
  EXPECT_TRUE(contains(table, "       3.60   90.0 %      -")) << table;
  EXPECT_TRUE(contains(summary_of(findings),
                       "rows/redtune: geometric mean 0.937 of 2 cells of 64 elements and more, "
                       "smallest 0.900, 1 more than 5 % slower\n"))
      << summary_of(findings);
  const auto json = nlohmann::json::parse(json_of(findings));
  EXPECT_EQ(json["degrees"], "equal");
  EXPECT_EQ(json["cells"][2]["stream"]["rows_over_redtune"]["median"], 0.9);
  EXPECT_EQ(json["summary"]["stream"]["more_than_5_percent_slower_than_rows"], 1);
  findings.cells = {cell_of(1 << 20, 4, 10)};
  findings.options.degrees = {};
  EXPECT_FALSE(contains(table_of(findings, Mode::stream), "rows us"));
  EXPECT_TRUE(nlohmann::json::parse(json_of(findings))["degrees"].is_null());
}

TEST(CompareReport, SaysWhereNothingIsCompared) {
  const Findings findings = findings_of({rows_of(Shape::columns(1 << 18, 1024), 300, 0, 0)});
  EXPECT_TRUE(contains(summary_of(findings), "stream  nothing to compare with CUB\n"));
}

TEST(CompareReport, SumsUp) {
  Findings findings = findings_of({cell_of(1 << 13, 4, 10), cell_of(giga, 1000, 990)});
  findings.cells.push_back({.problem = {}, .state = CellState::failed});
  const std::string text = summary_of(findings);
  EXPECT_TRUE(contains(text, "smallest 0.990 (sum f32 2^30 warm), 0 more than 2 % slower")) << text;
  EXPECT_TRUE(contains(text, "from 2^13 to 2^19: geometric mean 2.500 of 1 cells")) << text;
  EXPECT_TRUE(contains(text, "redtune 4.295 TB/s, CUB 4.338 TB/s")) << text;
  EXPECT_TRUE(contains(text, "cells   1 failed, 2 measured\n")) << text;
  EXPECT_TRUE(contains(text, "matches 2 near\n")) << text;
}

TEST(CompareReport, WritesJsonThatOthersRead) {
  Findings findings = findings_of({cell_of(1 << 13, 4, 10)});
  findings.cells[0].value = "\xff";  // no UTF-8
  findings.machine.read_peak.gbps = 0.0 / 0.0;
  const auto json = nlohmann::json::parse(json_of(findings));
  EXPECT_TRUE(json["machine"]["read_peak"]["gb_per_s"].is_null());
  EXPECT_EQ(json["machine"]["device"], "a \"device\"\n");
  EXPECT_EQ(json["summary"]["stream"]["geometric_mean"], 2.5);
  const auto& cell = json["cells"][0];
  EXPECT_EQ(cell["count"], 1 << 13);
  EXPECT_EQ(cell["checked"], true);
  EXPECT_EQ(cell["answer"]["match"], "near");
  EXPECT_EQ(cell["answer"]["settings"]["block_size"], "256");
  EXPECT_EQ(cell["stream"]["redtune"]["samples_us"], nlohmann::json({4}));
  EXPECT_EQ(cell["stream"]["cub"]["executions"], 10);
  EXPECT_EQ(cell["stream"]["cub_over_redtune"]["median"], 2.5);
  EXPECT_FALSE(cell.contains("graph"));
}

TEST(CompareReport, WritesShapesAndBothCallsToTheJsonFile) {
  const auto json = nlohmann::json::parse(
      json_of(findings_of({rows_of(Shape::rows(1 << 27, 2), 400, 900, 500)})));
  const auto& cell = json["cells"][0];
  EXPECT_EQ(cell["shape"], "2^27x[2]");
  EXPECT_EQ(cell["outer"], 1 << 27);
  EXPECT_EQ(cell["count"], 2);
  EXPECT_EQ(cell["inner"], 1);
  EXPECT_EQ(cell["bytes"], 1 << 30);
  EXPECT_EQ(cell["moved_bytes"], 3 << 29);
  EXPECT_EQ(cell["stream"]["cub_over_redtune"]["median"], 2.25);
  EXPECT_EQ(cell["stream"]["fixed_over_redtune"]["median"], 1.25);
  EXPECT_NEAR(cell["stream"]["fixed"]["gb_per_s"].get<double>(), 3221.225472, 1e-6);
  EXPECT_EQ(json["summary"]["stream"]["geometric_mean"], 1.25);
  EXPECT_EQ(json["summary"]["stream"]["fixed_geometric_mean"], 1.25);
}

}  // namespace
}  // namespace redtune::compare
