// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <limits>
#include <optional>

#include "bench/compare/across.hpp"
#include "bench/compare/contest.hpp"
#include "bench/compare/json.hpp"
#include "bench/compare/report.hpp"
#include "bench/compare/statistics.hpp"
#include "bench/compare/summary.hpp"

namespace redtune::compare {
namespace {

Json json_of(const Interval& interval) {
  return Json::object(
      {{"low", interval.low}, {"median", interval.median}, {"high", interval.high}});
}

Json json_of(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.add(value);
  return list;
}

Json json_of(const Times& times) {
  Json json = Json::object({{"executions", times.executions},
                            {"time_us", json_of(median_of(times.us))},
                            {"samples_us", json_of(times.us)}});
  if (!times.host_us.empty()) {
    json.add("host_time_us", json_of(median_of(times.host_us)));
    json.add("host_samples_us", json_of(times.host_us));
  }
  return json;
}

Json json_of(const Cell& cell, const ModeTimes& times) {
  Json json = Json::object({});
  for (const Times& contestant : times.contestants) json.add(contestant.name, json_of(contestant));
  for (const Peer peer : {Peer::library, Peer::narrow}) {
    const auto ratio = ratio_of(cell, times.mode, peer);
    if (ratio) json.add(std::string(to_string(peer)) + "_over_redtune", json_of(*ratio));
  }
  return json;
}

Json json_of(const Answer& answer) {
  Json settings = Json::object({});
  for (const Setting& setting : answer.settings) settings.add(setting.name, setting.value);
  return Json::object({{"match", to_string(answer.match)},
                       {"explanation", answer.explanation},
                       {"source", answer.source},
                       {"family", answer.family},
                       {"settings", settings}});
}

Json json_of(const Cell& cell) {
  const Problem& problem = cell.problem;
  Json json = Json::object({{"op", to_string(problem.op)},
                            {"type", to_string(problem.in)},
                            {"accumulator", to_string(problem.acc)},
                            {"output", to_string(problem.out)},
                            {"count", problem.count},
                            {"bytes", bytes_of(cell)},
                            {"offset", cell.offset},
                            {"cache_mode", to_string(problem.cache_mode)},
                            {"state", to_string(cell.state)},
                            {"note", cell.note},
                            {"copies", cell.copies},
                            {"value", cell.value},
                            {"checked", cell.checked}});
  if (!cell.narrow_value.empty()) json.add("narrow_value", cell.narrow_value);
  if (cell.answer) json.add("answer", json_of(*cell.answer));
  for (const ModeTimes& times : cell.modes) {
    json.add(std::string(to_string(times.mode)), json_of(cell, times));
  }
  return json;
}

Json json_of(const Machine& machine) {
  return Json::object({{"device", machine.device},
                       {"driver", machine.driver},
                       {"runtime", machine.runtime},
                       {contest().key, machine.library},
                       {"compiler", machine.compiler},
                       {"redtune", machine.redtune},
                       {"compute_units", machine.compute_units},
                       {"cache_bytes", machine.cache_bytes},
                       {"memory_bytes", machine.memory_bytes},
                       {"read_peak", Json::object({{"gb_per_s", machine.read_peak.gbps},
                                                   {"bytes", machine.read_peak.bytes},
                                                   {"shape", machine.read_peak.shape}})}});
}

/// Null where there is nothing.
Json json_of(std::optional<double> value) {
  return Json(value.value_or(std::numeric_limits<double>::quiet_NaN()));
}

/// Of one operator, type, count and offset, for tables across cells.
Json name_of(const Cell& cell) {
  return Json::object({{"op", to_string(cell.problem.op)},
                       {"type", to_string(cell.problem.in)},
                       {"bytes", bytes_of(cell)},
                       {"offset", cell.offset}});
}

std::optional<double> rate_or_nothing(double rate) {
  return rate > 0 ? std::optional(rate) : std::nullopt;
}

Json rates_of(const Findings& findings, Mode mode) {
  const double peak = findings.machine.read_peak.gbps;
  Json rows = Json::array();
  for (const ByteRate& rate : byte_rates(findings.cells, mode)) {
    Json row = name_of(*rate.cell);
    row.add("redtune_gb_per_s", rate.redtune);
    row.add(std::string(contest().key) + "_gb_per_s", json_of(rate_or_nothing(rate.library)));
    row.add("narrow_gb_per_s", json_of(rate_or_nothing(rate.narrow)));
    row.add("of_f32", json_of(rate.of_f32));
    row.add("of_read_peak", json_of(peak > 0 ? std::optional(rate.redtune / peak) : std::nullopt));
    rows.add(row);
  }
  return rows;
}

Json offset_costs_json(const Findings& findings, Mode mode) {
  Json rows = Json::array();
  for (const OffsetCost& cost : offset_costs(findings.cells, mode)) {
    Json row = name_of(*cost.cell);
    row.add("redtune", cost.redtune);
    row.add(std::string(contest().key), json_of(cost.library));
    rows.add(row);
  }
  return rows;
}

Json json_of(const Summary& summary) {
  Json json = Json::object({{"cells", summary.ratios.size()}});
  if (summary.worst != nullptr) {
    json.add("geometric_mean", geometric_mean(summary.ratios));
    json.add("smallest", summary.smallest);
    json.add("smallest_of", describe(summary.worst->problem));
    json.add("more_than_2_percent_slower", summary.slower);
  }
  if (!summary.narrow_ratios.empty()) {
    json.add("narrow_geometric_mean", geometric_mean(summary.narrow_ratios));
  }
  if (!summary.middle_ratios.empty()) {
    json.add("geometric_mean_2^13_to_2^19", geometric_mean(summary.middle_ratios));
  }
  const std::string key_of_rate = std::string(contest().key) + "_tb_per_s";
  Json bandwidths = Json::array();
  for (const Bandwidth& row : summary.bandwidths) {
    bandwidths.add(Json::object({{"of", describe(row.cell->problem)},
                                 {"redtune_tb_per_s", row.redtune},
                                 {key_of_rate, row.library}}));
  }
  json.add("f32_from_2^30", bandwidths);
  return json;
}

}  // namespace

std::string json_of(const Findings& findings) {
  const Options& options = findings.options;
  Json cells = Json::array();
  for (const Cell& cell : findings.cells) cells.add(json_of(cell));
  Json offsets = Json::array();
  for (const std::int64_t offset : options.offsets) offsets.add(offset);
  Json summary = Json::object({});
  for (const Mode mode : options.modes) {
    Json of_mode = json_of(summarize(findings.cells, mode));
    of_mode.add("rates", rates_of(findings, mode));
    of_mode.add("offset_costs", offset_costs_json(findings, mode));
    summary.add(std::string(to_string(mode)), of_mode);
  }
  const Json all = Json::object({{"machine", json_of(findings.machine)},
                                 {"input", to_string(options.input)},
                                 {"offsets", offsets},
                                 {"rounds", options.rounds},
                                 {"seed", options.seed},
                                 {"summary", summary},
                                 {"cells", cells}});
  return all.text() + '\n';
}

}  // namespace redtune::compare
