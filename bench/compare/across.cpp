// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare/across.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

#include "bench/compare/contest.hpp"
#include "bench/compare/statistics.hpp"
#include "bench/compare/summary.hpp"

namespace redtune::compare {
namespace {

/// Microseconds of a contestant; 0 where it has none that count.
double us_of(const Cell& cell, Mode mode, std::string_view name) {
  const ModeTimes* times = times_of(cell, mode);
  const Times* found = times == nullptr ? nullptr : times->find(name);
  return found == nullptr ? 0 : median_of(found->us).median;
}

double rate_of(const Cell& cell, Mode mode, std::string_view name) {
  const double us = us_of(cell, mode, name);
  return us > 0 ? gigabytes_per_second(cell, us) : 0;
}

/// What cells have in common whose types are compared.
auto group_of(const ByteRate& rate) {
  const Problem& problem = rate.cell->problem;
  return std::tuple(problem.op, bytes_of(*rate.cell), problem.outer, problem.inner, problem.batch,
                    problem.segment_count, problem.skew, rate.cell->offset);
}

}  // namespace

std::int64_t bytes_of(const Cell& cell) {
  return static_cast<std::int64_t>(input_bytes(cell.problem));
}

std::vector<ByteRate> byte_rates(std::span<const Cell> cells, Mode mode) {
  std::vector<ByteRate> rates;
  for (const Cell& cell : cells) {
    const double own = rate_of(cell, mode, "redtune");
    if (own <= 0) continue;
    rates.push_back({&cell, own, rate_of(cell, mode, to_string(Peer::library)),
                     rate_of(cell, mode, to_string(Peer::narrow))});
  }
  std::ranges::stable_sort(rates, {}, group_of);
  for (ByteRate& rate : rates) {
    const auto single = std::ranges::find_if(rates, [&](const ByteRate& other) {
      return other.cell->problem.in == DType::f32 && group_of(other) == group_of(rate);
    });
    if (single != rates.end()) rate.of_f32 = rate.redtune / single->redtune;
  }
  return rates;
}

std::vector<OffsetCost> offset_costs(std::span<const Cell> cells, Mode mode) {
  std::vector<OffsetCost> costs;
  for (const Cell& cell : cells) {
    const auto aligned = std::ranges::find_if(cells, [&](const Cell& other) {
      return other.offset == 0 && other.problem == cell.problem;
    });
    if (cell.offset == 0 || aligned == cells.end()) continue;
    const double own = us_of(cell, mode, "redtune");
    const double own_aligned = us_of(*aligned, mode, "redtune");
    if (own <= 0 || own_aligned <= 0) continue;
    OffsetCost cost{.cell = &cell, .redtune = own / own_aligned};
    const double other = us_of(cell, mode, to_string(Peer::library));
    const double other_aligned = us_of(*aligned, mode, to_string(Peer::library));
    if (other > 0 && other_aligned > 0) cost.library = other / other_aligned;
    costs.push_back(cost);
  }
  return costs;
}

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

std::string shape_text(const Cell& cell, const Options& options) {
  std::string shape = describe_shape(cell.problem);
  if (options.degrees) shape += fmt::format(" {}", to_string(*options.degrees));
  return cell.offset == 0 ? shape : fmt::format("{} +{}", shape, cell.offset);
}

/// Wide enough for the shapes of all cells.
std::size_t shape_width(const Findings& findings) {
  std::size_t width = 11;
  for (const Cell& cell : findings.cells)
    width = std::max(width, shape_text(cell, findings.options).size());
  return width + 1;
}

/// What stands under such a heading is a count where whole arrays are all there is.
std::string_view shape_heading(const Findings& findings) {
  const bool are_arrays = std::ranges::all_of(
      findings.cells, [](const Cell& cell) { return is_whole_array(cell.problem); });
  return are_arrays ? "count" : "shape";
}

std::string rate_text(double rate) {
  return rate > 0 ? fmt::format("{:.1f}", rate) : "-";
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

}  // namespace

std::string name_of(const Cell& cell, const Findings& findings) {
  return fmt::format("{:<{}}{:<5}{:<{}}", op_of(cell), op_width(findings),
                     to_string(cell.problem.in), shape_text(cell, findings.options),
                     shape_width(findings));
}

std::string name_heading(const Findings& findings) {
  return fmt::format("{:<{}}{:<5}{:<{}}", "op", op_width(findings), "type", shape_heading(findings),
                     shape_width(findings));
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
