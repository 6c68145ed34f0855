// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/compare_cub/json.hpp"
#include "bench/compare_cub/report.hpp"
#include "bench/compare_cub/statistics.hpp"
#include "bench/compare_cub/summary.hpp"

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
  if (const auto ratio = ratio_of(cell, times.mode)) json.add("cub_over_redtune", json_of(*ratio));
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
                            {"cache_mode", to_string(problem.cache_mode)},
                            {"state", to_string(cell.state)},
                            {"note", cell.note},
                            {"copies", cell.copies},
                            {"value", cell.value},
                            {"checked", cell.checked}});
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
                       {"cub", machine.cub},
                       {"compiler", machine.compiler},
                       {"redtune", machine.redtune},
                       {"compute_units", machine.compute_units},
                       {"cache_bytes", machine.cache_bytes},
                       {"memory_bytes", machine.memory_bytes}});
}

Json json_of(const Summary& summary) {
  Json json = Json::object({{"cells", summary.ratios.size()}});
  if (summary.worst != nullptr) {
    json.add("geometric_mean", geometric_mean(summary.ratios));
    json.add("smallest", summary.smallest);
    json.add("smallest_of", describe(summary.worst->problem));
    json.add("more_than_2_percent_slower", summary.slower);
  }
  if (!summary.middle_ratios.empty()) {
    json.add("geometric_mean_2^13_to_2^19", geometric_mean(summary.middle_ratios));
  }
  Json bandwidths = Json::array();
  for (const Bandwidth& row : summary.bandwidths) {
    bandwidths.add(Json::object({{"of", describe(row.cell->problem)},
                                 {"redtune_tb_per_s", row.redtune},
                                 {"cub_tb_per_s", row.cub}}));
  }
  json.add("f32_from_2^30", bandwidths);
  return json;
}

}  // namespace

std::string json_of(const Findings& findings) {
  const Options& options = findings.options;
  Json cells = Json::array();
  for (const Cell& cell : findings.cells) cells.add(json_of(cell));
  Json summary = Json::object({});
  for (const Mode mode : options.modes) {
    summary.add(std::string(to_string(mode)), json_of(summarize(findings.cells, mode)));
  }
  const Json all = Json::object({{"machine", json_of(findings.machine)},
                                 {"input", to_string(options.input)},
                                 {"offset", options.offset},
                                 {"rounds", options.rounds},
                                 {"seed", options.seed},
                                 {"summary", summary},
                                 {"cells", cells}});
  return all.text() + '\n';
}

}  // namespace redtune::compare
