// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare/across.hpp"

#include <algorithm>
#include <tuple>

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
  return us > 0 ? gigabytes_per_second(cell.problem, us) : 0;
}

/// What cells have in common whose types are compared.
auto group_of(const ByteRate& rate) {
  return std::tuple(rate.cell->problem.op, bytes_of(*rate.cell), rate.cell->offset);
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

}  // namespace redtune::compare
