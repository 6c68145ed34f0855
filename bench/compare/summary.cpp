// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare/summary.hpp"

#include <algorithm>

#include "bench/compare/statistics.hpp"

namespace redtune::compare {
namespace {

double terabytes_per_second(const Cell& cell, const Times* times) {
  if (times == nullptr) return 0;
  return gigabytes_per_second(cell, median_of(times->us).median) / 1e3;
}

void add_ratio(Summary& summary, const Cell& cell, double ratio) {
  summary.ratios.push_back(ratio);
  const std::int64_t count = elements_of(cell.problem);
  if (count >= middle_from && count <= middle_to) summary.middle_ratios.push_back(ratio);
  if (ratio * (1 + clearly_slower) < 1) ++summary.slower;
  if (summary.worst == nullptr || ratio < summary.smallest) {
    summary.worst = &cell;
    summary.smallest = ratio;
  }
}

/// Whoever's time / redtune's.
std::optional<Interval> ratio_to(const Cell& cell, Mode mode, std::string_view name) {
  const ModeTimes* times = times_of(cell, mode);
  if (times == nullptr) return std::nullopt;
  const Times* own = times->find("redtune");
  const Times* other = times->find(name);
  if (own == nullptr || other == nullptr) return std::nullopt;
  return median_ratio(other->us, own->us);
}

}  // namespace

const ModeTimes* times_of(const Cell& cell, Mode mode) {
  if (cell.state != CellState::measured) return nullptr;
  const auto found = std::ranges::find(cell.modes, mode, &ModeTimes::mode);
  return found == cell.modes.end() ? nullptr : &*found;
}

std::optional<Interval> ratio_of(const Cell& cell, Mode mode, Peer peer) {
  return ratio_to(cell, mode, to_string(peer));
}

std::optional<Interval> ratio_to_rows(const Cell& cell, Mode mode) {
  return ratio_to(cell, mode, rows_beside_segments);
}

std::optional<Interval> ratio_of(const Cell& cell, Mode mode) {
  const auto library = ratio_of(cell, mode, Peer::library);
  const auto fixed = ratio_of(cell, mode, Peer::fixed);
  return library && (!fixed || library->median <= fixed->median) ? library : fixed;
}

double moved_bytes(const Problem& problem) {
  return static_cast<double>(elements_of(problem)) * static_cast<double>(size_of(problem.in)) +
         static_cast<double>(output_bytes(problem)) + static_cast<double>(offsets_bytes(problem));
}

double moved_bytes(const Cell& cell) {
  const Problem& problem = cell.problem;
  if (!cell.by_key) return moved_bytes(problem);
  const auto elements = static_cast<double>(problem.count);
  const auto groups = static_cast<double>(cell.groups);
  return elements * static_cast<double>(size_of(problem.in) + key_bytes) +
         groups * static_cast<double>(result_bytes(problem) + key_bytes);
}

double gigabytes_per_second(const Cell& cell, double us) {
  return moved_bytes(cell) / us / 1e3;
}

Summary summarize(std::span<const Cell> cells, Mode mode) {
  Summary summary{.mode = mode};
  for (const Cell& cell : cells) {
    if (const auto ratio = ratio_of(cell, mode)) add_ratio(summary, cell, ratio->median);
    if (const auto ratio = ratio_of(cell, mode, Peer::fixed)) {
      summary.fixed_ratios.push_back(ratio->median);
    }
    if (const auto ratio = ratio_of(cell, mode, Peer::narrow)) {
      summary.narrow_ratios.push_back(ratio->median);
    }
    const auto to_rows = ratio_to_rows(cell, mode);
    if (to_rows && mean_length(cell.problem) >= rows_from) {
      summary.rows_ratios.push_back(to_rows->median);
      if (to_rows->median * (1 + behind_rows_by) < 1) ++summary.behind_rows;
    }
    const ModeTimes* times = times_of(cell, mode);
    const bool is_large =
        cell.problem.in == DType::f32 && elements_of(cell.problem) >= bandwidth_from;
    if (times == nullptr || !is_large) continue;
    summary.bandwidths.push_back(
        {&cell, terabytes_per_second(cell, times->find("redtune")),
         terabytes_per_second(cell, times->find(to_string(Peer::library)))});
  }
  return summary;
}

}  // namespace redtune::compare
