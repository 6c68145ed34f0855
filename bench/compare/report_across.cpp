// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare/report_across.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "bench/compare/across.hpp"
#include "bench/compare/contest.hpp"

namespace redtune::compare {
namespace {

std::string_view op_of(const Cell& cell) {
  return to_string(cell.problem.op);
}

/// Wide enough for the operators of all cells.
std::size_t op_width(const Findings& findings) {
  std::size_t width = 4;
  for (const Cell& cell : findings.cells) width = std::max(width, op_of(cell).size());
  return width + 1;
}

std::string count_text(const Cell& cell) {
  const std::string count = describe_count(cell.problem.count);
  return cell.offset == 0 ? count : fmt::format("{} +{}", count, cell.offset);
}

std::string rate_text(double rate) {
  return rate > 0 ? fmt::format("{:.1f}", rate) : "-";
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

}  // namespace

std::string name_of(const Cell& cell, const Findings& findings) {
  return fmt::format("{:<{}}{:<5}{:<12}", op_of(cell), op_width(findings),
                     to_string(cell.problem.in), count_text(cell));
}

std::string name_heading(const Findings& findings) {
  return fmt::format("{:<{}}{:<5}{:<12}", "op", op_width(findings), "type", "count");
}

std::string equal_bytes_of(const Findings& findings, Mode mode) {
  if (findings.options.bytes.empty()) return {};
  const double peak = findings.machine.read_peak.gbps;
  std::string text = fmt::format(
      "bandwidth at equal bytes, {}, GB/s{}\n{:<10}{}{:>9}{:>9}{:>9}{:>9}{:>9}\n", to_string(mode),
      peak > 0 ? fmt::format("; reading alone gives {:.1f}", peak) : "", "bytes",
      name_heading(findings), "redtune", "of f32", "of peak", contest().title, "narrow");
  for (const ByteRate& rate : byte_rates(findings.cells, mode)) {
    text += fmt::format("{:<10}{}{:>9}{:>9}{:>9}{:>9}{:>9}\n", describe_count(bytes_of(*rate.cell)),
                        name_of(*rate.cell, findings), rate_text(rate.redtune),
                        rate.of_f32 ? percent(*rate.of_f32) : "-",
                        peak > 0 ? percent(rate.redtune / peak) : "-", rate_text(rate.library),
                        rate_text(rate.narrow));
  }
  return text;
}

std::string offset_costs_of(const Findings& findings, Mode mode) {
  const auto costs = offset_costs(findings.cells, mode);
  if (costs.empty()) return {};
  std::string text = fmt::format(
      "cost of an offset, {}: time / that of the same problem without it\n{}{:>9}{:>9}\n",
      to_string(mode), name_heading(findings), "redtune", contest().title);
  for (const OffsetCost& cost : costs) {
    text += fmt::format("{}{:>9.3f}{:>9}\n", name_of(*cost.cell, findings), cost.redtune,
                        cost.library ? fmt::format("{:.3f}", *cost.library) : "-");
  }
  return text;
}

}  // namespace redtune::compare
