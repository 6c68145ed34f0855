// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/simulate/document.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace redtune::cli {
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
          {"batch", terms.batch},
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
