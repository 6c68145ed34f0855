// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/simulate/report.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <sstream>

#include "cli/names.hpp"
#include "cli/report/screen_text.hpp"
#include "tuner/text/counted.hpp"
#include "tuner/text/table.hpp"

namespace redtune::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;

/// Of a normal distribution, in standard deviations on both sides.
constexpr double sides_of_95_percent = 1.96;

std::vector<std::string> header() {
  std::vector<std::string> row{"strategy", "score", "95 %"};
  for (const std::size_t evaluations : search::milestones)
    row.push_back(fmt::format("@{}", evaluations));
  row.emplace_back("ask+tell us");
  return row;
}

std::string cell(const std::optional<double>& value) {
  return value ? fmt::format("{:.3f}", *value) : "-";
}

std::string interval_of(const search::Score& score) {
  const double side = sides_of_95_percent * score.deviation;
  return fmt::format("{:.3f} to {:.3f}", score.value - side, score.value + side);
}

/// search::Result or MeanResult.
template <class Scored>
void append(Rows& rows, const std::string& strategy, const Scored& result) {
  std::vector<std::string> row{strategy,
                               result.score ? fmt::format("{:.3f}", result.score->value) : "-",
                               result.score ? interval_of(*result.score) : "-"};
  for (const auto& share : result.found) row.push_back(cell(share));
  row.push_back(fmt::format("{:.2f}", result.strategy_us));
  rows.push_back(std::move(row));
}

std::string heading_of(const search::SimulatedSpace& space) {
  return fmt::format("{}: {} configs, scored for {} (to {:g})", space.recorded.name,
                     space.recorded.points.size(), counted(space.window.last, "evaluation"),
                     space.window.percentile);
}

}  // namespace

std::string table_of(const search::Simulation& simulation) {
  Rows rows{header()};
  std::vector<std::string> headings;
  const auto& strategies = simulation.terms.strategies;
  for (const search::SimulatedSpace& space : simulation.spaces) {
    headings.push_back(heading_of(space));
    for (std::size_t i = 0; i < strategies.size(); ++i) {
      append(rows, strategies[i], space.results[i]);
    }
  }
  if (simulation.spaces.size() > 1) {
    headings.push_back(fmt::format("mean of {} spaces", simulation.spaces.size()));
    for (std::size_t i = 0; i < strategies.size(); ++i) {
      append(rows, strategies[i], search::mean_over_spaces(simulation, i));
    }
  }
  // A heading stands before the rows of its space; all share their columns.
  std::istringstream lines(table(std::move(rows)));
  std::string text;
  std::string line;
  std::getline(lines, line);
  text += line + '\n';
  for (const std::string& heading : headings) {
    text += '\n' + wrapped(heading, 2);
    for (std::size_t i = 0; i < strategies.size() && std::getline(lines, line); ++i) {
      text += line + '\n';
    }
  }
  return text;
}

namespace {

/// The shortest run that did not end with its space; of those that did, the longest.
std::size_t common_length(const search::Simulation& simulation) {
  std::size_t longest = 0;
  std::size_t shortest = static_cast<std::size_t>(-1);
  for (const search::SimulatedSpace& space : simulation.spaces) {
    for (const search::Result& result : space.results) {
      for (const search::ReplayedRun& run : result.runs) {
        const std::size_t length = run.evaluated.size();
        longest = std::max(longest, length);
        if (length < space.recorded.points.size()) shortest = std::min(shortest, length);
      }
    }
  }
  return std::min(longest, shortest);
}

/// Adds to each value what a run has found by then, times a weight.
void add_run(std::vector<double>& values, const search::ReplayedRun& run,
             const search::SimulatedSpace& space, double weight) {
  double share = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i < run.evaluated.size()) {
      const auto& cost = space.recorded.records[run.evaluated[i]].cost;
      if (cost) share = std::max(share, space.scale.best() / *cost);
    }
    values[i] += share * weight;
  }
}

}  // namespace

LineChart chart_of(const search::Simulation& simulation) {
  const std::size_t spaces = simulation.spaces.size();
  const std::size_t length = common_length(simulation);
  const double weight = 1 / static_cast<double>(spaces * simulation.terms.runs);
  LineChart chart{
      spaces == 1 ? simulation.spaces[0].recorded.name : fmt::format("Mean of {} spaces", spaces),
      "evaluations",
      "optimum / best found",
      {}};
  for (std::size_t i = 0; i < simulation.terms.strategies.size(); ++i) {
    Curve curve{simulation.terms.strategies[i], std::vector<double>(length)};
    for (const search::SimulatedSpace& space : simulation.spaces) {
      for (const search::ReplayedRun& run : space.results[i].runs)
        add_run(curve.values, run, space, weight);
    }
    chart.curves.push_back(std::move(curve));
  }
  return chart;
}

namespace {

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

/// Whole numbers without a point, as they were recorded.
Json value_json(const search::AxisValue& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  const double number = std::get<double>(value);
  constexpr double exact = 9007199254740992;  // 2^53
  if (std::nearbyint(number) == number && std::abs(number) <= exact) {
    return static_cast<std::int64_t>(number);
  }
  return number;
}

Json axis_json(const search::RecordedAxis& axis) {
  Json values = Json::array();
  for (const search::AxisValue& value : axis.values) values.push_back(value_json(value));
  return {{"name", axis.name},
          {"kind", axis.is_ordered ? "ordered" : "categorical"},
          {"values", std::move(values)}};
}

Json space_json(const search::SimulatedSpace& space) {
  Json axes = Json::array();
  for (const search::RecordedAxis& axis : space.recorded.axes) axes.push_back(axis_json(axis));
  return {{"name", space.recorded.name},
          {"axes", std::move(axes)},
          {"configurations", space.recorded.points.size()},
          {"repeated", space.recorded.repeated},
          {"valid", space.scale.size()},
          {"best", space.scale.best()},
          {"median", space.scale.median()},
          {"scored_until_percentile", space.window.percentile},
          {"scored_evaluations", {space.window.first, space.window.last}}};
}

/// Lists of equal length, an entry for each evaluation: as objects they would be thrice as long.
Json run_json(const search::ReplayedRun& run, const search::RecordedSpace& space,
              const search::SimulationTerms& terms) {
  Json indices = Json::array();
  Json costs = Json::array();
  Json told = Json::array();
  Json bests = Json::array();
  Json seconds = Json::array();
  std::optional<double> best;
  for (std::size_t i = 0; i < run.evaluated.size(); ++i) {
    const search::Record& record = space.records[run.evaluated[i]];
    if (record.cost && !(best && *best <= *record.cost)) best = record.cost;
    const auto point = space.points[run.evaluated[i]].indices();
    indices.push_back(Json(std::vector<search::Point::Index>(point.begin(), point.end())));
    costs.push_back(or_null(record.cost));
    bests.push_back(or_null(best));
    told.push_back(std::isnan(run.told[i]) ? Json() : Json(run.told[i]));
    seconds.push_back(or_null(record.seconds));
  }
  Json json{{"seed", std::to_string(run.seed)},  // 64 bits: more than readers of JSON keep
            {"indices", std::move(indices)},
            {"cost", std::move(costs)},
            {"best", std::move(bests)}};
  if (terms.noise == search::Noise::replay) json["told"] = std::move(told);
  if (terms.unit == search::CostUnit::seconds) json["seconds"] = std::move(seconds);
  return json;
}

/// search::Result or MeanResult.
template <class Scored>
void add_scores(Json& json, const Scored& result) {
  json["score"] = result.score ? Json(result.score->value) : Json();
  json["score_deviation"] = result.score ? Json(result.score->deviation) : Json();
  for (std::size_t i = 0; i < search::milestones.size(); ++i) {
    json["found"][std::to_string(search::milestones[i])] = or_null(result.found[i]);
  }
  json["ask_tell_us"] = result.strategy_us;
}

Json terms_json(const search::SimulationTerms& terms) {
  return {{"strategies", terms.strategies},
          {"runs", terms.runs},
          {"budget", or_null(terms.budget)},
          {"until_percentile", terms.percentile},
          {"seed", std::to_string(terms.seed)},
          {"batch", terms.asks.batch},
          {"ahead", terms.asks.ahead},
          {"first", terms.asks.asked_at_first()},
          {"start", terms.start},
          {"noise", terms.noise == search::Noise::replay ? "replay" : "none"},
          {"cost", terms.unit == search::CostUnit::seconds ? "seconds" : "evaluations"}};
}

}  // namespace

Json json_of(const search::Simulation& simulation) {
  const auto& strategies = simulation.terms.strategies;
  Json spaces = Json::array();
  Json results = Json::array();
  Json means = Json::array();
  for (const search::SimulatedSpace& space : simulation.spaces) {
    for (std::size_t i = 0; i < strategies.size(); ++i) {
      Json result{{"space", spaces.size()}, {"strategy", strategies[i]}};
      add_scores(result, space.results[i]);
      result["runs"] = Json::array();
      for (const search::ReplayedRun& run : space.results[i].runs) {
        result["runs"].push_back(run_json(run, space.recorded, simulation.terms));
      }
      results.push_back(std::move(result));
    }
    spaces.push_back(space_json(space));
  }
  for (std::size_t i = 0; i < strategies.size(); ++i) {
    means.push_back({{"strategy", strategies[i]}});
    add_scores(means.back(), search::mean_over_spaces(simulation, i));
  }
  return {{"format", simulation_format},
          {"terms", terms_json(simulation.terms)},
          {"spaces", std::move(spaces)},
          {"means", std::move(means)},
          {"results", std::move(results)}};
}

}  // namespace redtune::cli
