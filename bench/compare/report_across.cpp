// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare/report_across.hpp"

#include <algorithm>

#include "bench/compare/across.hpp"
#include "bench/compare/contest.hpp"
#include "bench/compare/text.hpp"

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
  std::string text = describe_count(cell.problem.count);
  if (cell.offset != 0) text += " +" + std::to_string(cell.offset);
  return text;
}

std::string rate_text(double rate) {
  return rate > 0 ? fixed(rate, 1) : "-";
}

std::string percent(double share) {
  return fixed(100 * share, 1) + " %";
}

}  // namespace

std::string name_of(const Cell& cell, const Findings& findings) {
  return left(op_of(cell), op_width(findings)) + left(to_string(cell.problem.in), 5) +
         left(count_text(cell), 12);
}

std::string name_heading(const Findings& findings) {
  return left("op", op_width(findings)) + left("type", 5) + left("count", 12);
}

std::string equal_bytes_of(const Findings& findings, Mode mode) {
  if (findings.options.bytes.empty()) return {};
  const double peak = findings.machine.read_peak.gbps;
  std::string text = "bandwidth at equal bytes, " + std::string(to_string(mode)) + ", GB/s" +
                     (peak > 0 ? "; reading alone gives " + fixed(peak, 1) : "") + '\n' +
                     left("bytes", 10) + name_heading(findings) + right("redtune", 9) +
                     right("of f32", 9) + right("of peak", 9) + right(contest().title, 9) +
                     right("narrow", 9) + '\n';
  for (const ByteRate& rate : byte_rates(findings.cells, mode)) {
    text += left(describe_count(bytes_of(*rate.cell)), 10) + name_of(*rate.cell, findings) +
            right(rate_text(rate.redtune), 9) +
            right(rate.of_f32 ? percent(*rate.of_f32) : "-", 9) +
            right(peak > 0 ? percent(rate.redtune / peak) : "-", 9) +
            right(rate_text(rate.library), 9) + right(rate_text(rate.narrow), 9) + '\n';
  }
  return text;
}

std::string offset_costs_of(const Findings& findings, Mode mode) {
  const auto costs = offset_costs(findings.cells, mode);
  if (costs.empty()) return {};
  std::string text = "cost of an offset, " + std::string(to_string(mode)) +
                     ": time / that of the same problem without it\n" + name_heading(findings) +
                     right("redtune", 9) + right(contest().title, 9) + '\n';
  for (const OffsetCost& cost : costs) {
    text += name_of(*cost.cell, findings) + right(fixed(cost.redtune, 3), 9) +
            right(cost.library ? fixed(*cost.library, 3) : "-", 9) + '\n';
  }
  return text;
}

}  // namespace redtune::compare
