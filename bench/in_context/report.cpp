// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/in_context/report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

#include "tuner/text/table.hpp"

namespace redtune::bench {
namespace {

using Json = nlohmann::ordered_json;
using Row = std::vector<std::string>;

std::string text_of(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "-";
}

std::string text_of(const std::optional<Regret>& regret) {
  return regret ? fmt::format("{:.3f} +-{:.3f}", regret->ratio, regret->noise) : "-";
}

/// Two rows of a pattern: what it is beside what the score tells of it, then what the row tells.
void append(std::vector<Row>& rows, const PatternVerdict& verdict) {
  Row facts{std::string(verdict.name),
            fmt::format("{:.2f}", verdict.alone_us),
            fmt::format("{:.2f}", verdict.best_own_us),
            fmt::format("{:.2f}", verdict.noise_us),
            fmt::format("{}", verdict.ranks),
            text_of(verdict.itself, 2),
            fmt::format("{}", verdict.near)};
  for (const auto& [name, prediction] :
       {std::pair{"score", verdict.by_score}, std::pair{"row", verdict.by_row}}) {
    Row row = std::exchange(facts, Row(facts.size()));
    row.insert(row.end(),
               {name, text_of(prediction.correlation, 2), text_of(prediction.near_correlation, 2),
                text_of(prediction.own_regret), text_of(prediction.step_regret)});
    rows.push_back(std::move(row));
  }
}

std::string line_of(std::string_view name, const ScoreFacts& facts,
                    const std::vector<ContestantTimes>& contestants) {
  const ContestantTimes& winner = contestants[facts.winner];
  return fmt::format("{}: {:.2f} to {:.2f} us, noise {:.2f} us, {} ranks; best: {} ({})\n", name,
                     facts.best_us, facts.worst_us, facts.noise_us, facts.ranks,
                     to_string(winner.settings), winner.origin);
}

void append(std::vector<Row>& rows, const PatternSummary& summary) {
  Row facts{std::string(summary.name), text_of(summary.itself, 2)};
  for (const auto& [name, means] :
       {std::pair{"score", summary.by_score}, std::pair{"row", summary.by_row}}) {
    Row row = std::exchange(facts, Row(facts.size()));
    row.insert(row.end(), {name, text_of(means.correlation, 2), text_of(means.near_correlation, 2),
                           text_of(means.own_regret, 3), text_of(means.worst_own_regret, 3),
                           text_of(means.step_regret, 3)});
    rows.push_back(std::move(row));
  }
}

template <class T>
Json json_of(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json json_of(const std::optional<Regret>& regret) {
  if (!regret) return {};
  return {{"ratio", regret->ratio}, {"noise", regret->noise}};
}

Json json_of(const Prediction& prediction) {
  return {{"rank_correlation", json_of(prediction.correlation)},
          {"near_rank_correlation", json_of(prediction.near_correlation)},
          {"own_regret", json_of(prediction.own_regret)},
          {"step_regret", json_of(prediction.step_regret)}};
}

Json json_of(const ScoreFacts& facts) {
  return {{"winner", facts.winner},
          {"best_us", facts.best_us},
          {"worst_us", facts.worst_us},
          {"noise_us", facts.noise_us},
          {"ranks", facts.ranks}};
}

Json json_of(const PatternVerdict& verdict, const PatternFacts& facts) {
  return {{"name", verdict.name},
          {"steps", facts.steps},
          {"alone_us", verdict.alone_us},
          {"best_own_us", verdict.best_own_us},
          {"noise_us", verdict.noise_us},
          {"ranks", verdict.ranks},
          {"near", verdict.near},
          {"score", json_of(verdict.by_score)},
          {"row", json_of(verdict.by_row)},
          {"itself", json_of(verdict.itself)},
          {"alone_us_by_round", facts.alone_us}};
}

Json json_of(const ContestantTimes& one, const std::vector<PatternFacts>& facts) {
  Json patterns = Json::object();
  for (std::size_t i = 0; i < one.patterns.size(); ++i) {
    patterns[std::string(facts[i].name)] = {{"own_us", one.patterns[i].own_us},
                                            {"step_us", one.patterns[i].step_us}};
  }
  return {{"settings", to_string(one.settings)},
          {"origin", one.origin},
          {"launches", one.launches},
          {"score_us", one.score_us},
          {"uncharged_us", one.uncharged_us},
          {"share_us", one.share_us},
          {"row_us", one.row_us},
          {"patterns", patterns}};
}

Json json_of(const ProblemFindings& findings, const ProblemVerdict& verdict) {
  Json patterns = Json::array();
  for (std::size_t i = 0; i < verdict.patterns.size(); ++i) {
    patterns.push_back(json_of(verdict.patterns[i], findings.patterns[i]));
  }
  Json contestants = Json::array();
  for (const ContestantTimes& one : findings.contestants) {
    contestants.push_back(json_of(one, findings.patterns));
  }
  return {{"problem", describe(findings.problem)},
          {"count", findings.problem.count},
          {"rounds", findings.rounds},
          {"seconds", findings.seconds},
          {"left_out_as_slow", findings.left_out_as_slow},
          {"left_out", findings.left_out},
          {"warnings", findings.warnings},
          {"score", json_of(verdict.score)},
          {"row", json_of(verdict.row)},
          {"patterns", patterns},
          {"contestants", contestants}};
}

Json json_of(const PatternSummary::Means& means) {
  return {{"rank_correlation", json_of(means.correlation)},
          {"near_rank_correlation", json_of(means.near_correlation)},
          {"own_regret", json_of(means.own_regret)},
          {"worst_own_regret", json_of(means.worst_own_regret)},
          {"step_regret", json_of(means.step_regret)}};
}

}  // namespace

std::string text_of(const ProblemFindings& findings, const ProblemVerdict& verdict) {
  std::string text = fmt::format(
      "{}: {} configs, {} rounds, {:.0f} s; left out: {} as slow, {} for other reasons\n",
      describe(findings.problem), findings.contestants.size(), findings.rounds, findings.seconds,
      findings.left_out_as_slow, findings.left_out.size());
  text += line_of("score", verdict.score, findings.contestants);
  text += line_of("row  ", verdict.row, findings.contestants);
  for (const std::string& warning : findings.warnings) text += "warning: " + warning + '\n';
  for (const std::string& one : findings.left_out) text += "left out: " + one + '\n';
  std::vector<Row> rows{{"pattern", "alone us", "best us", "noise us", "ranks", "itself", "near",
                         "by", "rho", "near rho", "own regret", "step regret"}};
  for (const PatternVerdict& one : verdict.patterns) append(rows, one);
  return text + tuner::table(std::move(rows));
}

std::string text_of(const std::vector<PatternSummary>& summaries, std::size_t counts) {
  std::vector<Row> rows{
      {"pattern", "itself", "by", "rho", "near rho", "own regret", "worst", "step regret"}};
  for (const PatternSummary& summary : summaries) append(rows, summary);
  return fmt::format("all {} counts: means of rho, geometric means of regrets\n{}", counts,
                     tuner::table(std::move(rows)));
}

std::string json_of(const DeviceIdentity& device, const std::vector<ProblemFindings>& findings,
                    const std::vector<ProblemVerdict>& verdicts) {
  Json problems = Json::array();
  for (std::size_t i = 0; i < findings.size(); ++i) {
    problems.push_back(json_of(findings[i], verdicts[i]));
  }
  Json summaries = Json::array();
  for (const PatternSummary& summary : summary_of(verdicts)) {
    summaries.push_back({{"name", summary.name},
                         {"score", json_of(summary.by_score)},
                         {"row", json_of(summary.by_row)},
                         {"itself", json_of(summary.itself)}});
  }
  const Json all{{"device", device.name}, {"problems", problems}, {"all_counts", summaries}};
  return all.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace redtune::bench
