// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/exchange/results.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>

#include "cache/exchange/parts.hpp"
#include "cache/exchange/read.hpp"
#include "redtune/error.hpp"

namespace redtune::cache {
namespace {

void read_member(MemberReader& reader, std::string_view name, std::string& value) {
  value = reader.text(name);
}
void read_member(MemberReader& reader, std::string_view name, double& value) {
  value = reader.number(name);
}
void read_member(MemberReader& reader, std::string_view name, int& value) {
  value = count_from(reader.any(name));
}
void read_member(MemberReader& reader, std::string_view name, Interval& value) {
  value = interval_from(reader.any(name));
}

Json result_json(const SharedRun& run, const SharedResult& result) {
  Json json = question_json(run.start);
  json["at"] = result.at;
  json.update(members_of(result.best, Kept::in_later_stores));
  json["run"] = run_json(run);
  return json;
}

std::optional<SharedRun> result_from(const JsonValue& json) {
  MemberReader reader(json);
  auto run = run_from(json, reader.any("run"));
  const auto settings = fields_from(reader.any("settings"));
  if (!run || !settings) return std::nullopt;
  Best best{.settings = *settings, .time_us = {}};
  for_each_member(best, [&](const auto& row, auto& value) {
    if (row.kept == Kept::in_later_stores && json.find(row.name) == nullptr) return;
    read_member(reader, row.name, value);
  });
  run->results.push_back({reader.text("at"), best});
  if (!reader.good()) return std::nullopt;
  return run;
}

/// Order of a file: by what was asked, then by time.
auto place_of(const SharedRun& run, const SharedResult& result) {
  const Question q = question_of(run.start);
  const Problem& p = q.problem;
  return std::tuple(q.family, q.space_key, p.op, p.in, p.acc, p.out, p.count, p.outer, p.inner,
                    p.cache_mode, p.order, p.custom, q.device_class, q.toolchain, result.at,
                    run.started_at, result.best.settings);
}

}  // namespace

std::string results_text(const std::vector<SharedRun>& runs) {
  std::vector<std::pair<const SharedRun*, const SharedResult*>> rows;
  for (const SharedRun& run : runs) {
    for (const SharedResult& result : run.results) rows.emplace_back(&run, &result);
  }
  std::ranges::sort(rows, {}, [](const auto& row) { return place_of(*row.first, *row.second); });
  Json results = Json::array();
  for (const auto& [run, result] : rows) results.push_back(result_json(*run, *result));
  return document_text({{"format", results_format}, {"results", std::move(results)}});
}

Incoming runs_from_results(const JsonValue& document) {
  const auto* format = document.find("format");
  const auto* name = format != nullptr ? std::get_if<std::string>(&format->value) : nullptr;
  if (name == nullptr || *name != results_format) {
    throw UsageError(fmt::format("its format is {}; this redtune reads '{}'",
                                 name == nullptr ? "not told" : shown_text(*name), results_format));
  }
  const auto* results = document.find("results");
  if (results == nullptr || results->array() == nullptr) throw UsageError("it has no results");
  Incoming incoming;
  for (std::size_t i = 0; i < results->array()->size(); ++i) {
    auto run = result_from((*results->array())[i]);
    const std::string why =
        run ? why_unfit(*run) : "it lacks something, or has names of another version of redtune";
    if (why.empty())
      incoming.runs.push_back(std::move(*run));
    else
      incoming.skipped.push_back(fmt::format("result {}: {}", i + 1, why));
  }
  return incoming;
}

}  // namespace redtune::cache
