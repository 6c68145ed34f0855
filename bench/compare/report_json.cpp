// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <nlohmann/json.hpp>
#include <optional>

#include "bench/compare/across.hpp"
#include "bench/compare/contest.hpp"
#include "bench/compare/report.hpp"
#include "bench/compare/statistics.hpp"
#include "bench/compare/summary.hpp"

namespace redtune::compare {
namespace {

using Json = nlohmann::ordered_json;

/// The library's name before the rest of a member's.
std::string key_of(std::string_view rest) {
  return std::string(contest().key).append(rest);
}

/// Null where there is nothing.
Json json_of(std::optional<double> value) {
  return value ? Json(*value) : Json();
}

Json json_of(const Interval& interval) {
  return {{"low", interval.low}, {"median", interval.median}, {"high", interval.high}};
}

Json json_of(const Cell& cell, const Times& times) {
  const Interval us = median_of(times.us);
  Json json{{"executions", times.executions},
            {"time_us", json_of(us)},
            {"gb_per_s", gigabytes_per_second(cell, us.median)},
            {"samples_us", times.us}};
  if (!times.host_us.empty()) {
    json["host_time_us"] = json_of(median_of(times.host_us));
    json["host_samples_us"] = times.host_us;
  }
  return json;
}

Json json_of(const Cell& cell, const ModeTimes& times) {
  Json json = Json::object();
  for (const Times& contestant : times.contestants) {
    json[contestant.name] = json_of(cell, contestant);
  }
  for (const Peer peer : {Peer::library, Peer::fixed, Peer::narrow}) {
    const auto ratio = ratio_of(cell, times.mode, peer);
    if (ratio) json[std::string(to_string(peer)) + "_over_redtune"] = json_of(*ratio);
  }
  if (const auto ratio = ratio_to_rows(cell, times.mode)) {
    json["rows_over_redtune"] = json_of(*ratio);
  }
  return json;
}

Json json_of(const Answer& answer) {
  Json settings = Json::object();
  for (const Setting& setting : answer.settings) settings[setting.name] = setting.value;
  return {{"match", to_string(answer.match)},
          {"explanation", answer.explanation},
          {"source", answer.source},
          {"family", answer.family},
          {"settings", settings}};
}

Json json_of(const Cell& cell) {
  const Problem& problem = cell.problem;
  Json json{{"op", to_string(problem.op)},
            {"type", to_string(problem.in)},
            {"accumulator", to_string(problem.acc)},
            {"output", to_string(problem.out)},
            {"shape", describe_shape(problem)},
            {"outer", problem.outer},
            {"count", problem.count},
            {"inner", problem.inner},
            {"batch", problem.batch},
            {"segments", problem.segment_count},
            {"offset_bits", problem.offset_bits},
            {"skew", to_string(problem.skew)},
            {"bytes", bytes_of(cell)},
            {"groups_by_key", cell.groups},
            {"moved_bytes", moved_bytes(cell)},
            {"offset", cell.offset},
            {"cache_mode", to_string(problem.cache_mode)},
            {"state", to_string(cell.state)},
            {"note", cell.note},
            {"copies", cell.copies},
            {"value", cell.value},
            {"checked", cell.checked}};
  if (cell.mix_peak > 0) json["mix_peak_gb_per_s"] = cell.mix_peak;
  if (!cell.narrow_value.empty()) json["narrow_value"] = cell.narrow_value;
  if (cell.answer) json["answer"] = json_of(*cell.answer);
  for (const ModeTimes& times : cell.modes) {
    json[std::string(to_string(times.mode))] = json_of(cell, times);
  }
  return json;
}

Json json_of(const Machine& machine) {
  return {{"device", machine.device},
          {"driver", machine.driver},
          {"runtime", machine.runtime},
          {key_of(""), machine.library},
          {"compiler", machine.compiler},
          {"redtune", machine.redtune},
          {"compute_units", machine.compute_units},
          {"cache_bytes", machine.cache_bytes},
          {"memory_bytes", machine.memory_bytes},
          {"read_peak",
           {{"gb_per_s", machine.read_peak.gbps},
            {"bytes", machine.read_peak.bytes},
            {"shape", machine.read_peak.shape}}}};
}

/// Of one operator, type, shape and offset, for tables across cells.
Json name_of(const Cell& cell) {
  return {{"op", to_string(cell.problem.op)},
          {"type", to_string(cell.problem.in)},
          {"shape", describe_shape(cell.problem)},
          {"bytes", bytes_of(cell)},
          {"offset", cell.offset}};
}

std::optional<double> rate_or_nothing(double rate) {
  return rate > 0 ? std::optional(rate) : std::nullopt;
}

Json rates_of(const Findings& findings, Mode mode) {
  const double peak = findings.machine.read_peak.gbps;
  Json rows = Json::array();
  for (const ByteRate& rate : byte_rates(findings.cells, mode)) {
    Json row = name_of(*rate.cell);
    row["redtune_gb_per_s"] = rate.redtune;
    row[key_of("_gb_per_s")] = json_of(rate_or_nothing(rate.library));
    row["narrow_gb_per_s"] = json_of(rate_or_nothing(rate.narrow));
    row["of_f32"] = json_of(rate.of_f32);
    row["of_read_peak"] = json_of(peak > 0 ? std::optional(rate.redtune / peak) : std::nullopt);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json offset_costs_json(const Findings& findings, Mode mode) {
  Json rows = Json::array();
  for (const OffsetCost& cost : offset_costs(findings.cells, mode)) {
    Json row = name_of(*cost.cell);
    row["redtune"] = cost.redtune;
    row[key_of("")] = json_of(cost.library);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json json_of(const Summary& summary) {
  Json json{{"cells", summary.ratios.size()}};
  if (summary.worst != nullptr) {
    json["geometric_mean"] = geometric_mean(summary.ratios);
    json["smallest"] = summary.smallest;
    json["smallest_of"] = describe(summary.worst->problem);
    json["more_than_2_percent_slower"] = summary.slower;
  }
  if (!summary.fixed_ratios.empty()) {
    json["fixed_geometric_mean"] = geometric_mean(summary.fixed_ratios);
  }
  if (!summary.narrow_ratios.empty()) {
    json["narrow_geometric_mean"] = geometric_mean(summary.narrow_ratios);
  }
  if (!summary.rows_ratios.empty()) {
    json["rows_geometric_mean"] = geometric_mean(summary.rows_ratios);
    json["more_than_5_percent_slower_than_rows"] = summary.behind_rows;
  }
  if (!summary.middle_ratios.empty()) {
    json["geometric_mean_2^13_to_2^19"] = geometric_mean(summary.middle_ratios);
  }
  Json& bandwidths = json["f32_from_2^30"] = Json::array();
  for (const Bandwidth& row : summary.bandwidths) {
    bandwidths.push_back({{"of", describe(row.cell->problem)},
                          {"redtune_tb_per_s", row.redtune},
                          {key_of("_tb_per_s"), row.library}});
  }
  return json;
}

}  // namespace

std::string json_of(const Findings& findings) {
  const Options& options = findings.options;
  Json cells = Json::array();
  for (const Cell& cell : findings.cells) cells.push_back(json_of(cell));
  Json summary = Json::object();
  for (const Mode mode : options.modes) {
    Json& of_mode = summary[std::string(to_string(mode))] =
        json_of(summarize(findings.cells, mode));
    of_mode["rates"] = rates_of(findings, mode);
    of_mode["offset_costs"] = offset_costs_json(findings, mode);
  }
  const Json all{{"machine", json_of(findings.machine)},
                 {"input", to_string(options.input)},
                 {"offsets", options.offsets},
                 {"degrees", options.degrees ? Json(to_string(*options.degrees)) : Json()},
                 {"rounds", options.rounds},
                 {"seed", options.seed},
                 {"summary", summary},
                 {"cells", cells}};
  return all.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace redtune::compare
