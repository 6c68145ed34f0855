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

Json result_json(const SharedRun& run, const SharedResult& result) {
  Json json = question_json(run.start);
  json["at"] = result.at;
  json.update(members_of(result.best, Kept::in_later_stores));
  json["run"] = run_json(run);
  return json;
}

std::optional<SharedRun> result_from(const Json& json) try {
  auto run = run_from(json, json.at("run"));
  const auto settings = fields_from(json.at("settings"));
  if (!run || !settings) return std::nullopt;
  Best best{.settings = *settings, .time_us = {}};
  for_each_member(best, [&]<class Value>(const auto& row, Value& value) {
    if (row.kept == Kept::in_later_stores && !json.contains(row.name)) return;
    const Json& member = json.at(row.name);
    if constexpr (std::is_same_v<Value, Interval>)
      value = interval_from(member);
    else if constexpr (std::is_same_v<Value, int>)
      value = count_from(member);
    else
      member.get_to(value);
  });
  run->results.push_back({json.at("at").get<std::string>(), best});
  return run;
} catch (const Json::exception&) {
  return std::nullopt;
}

std::optional<StoredBorder> border_from(const Json& json) try {
  const auto question = question_from(json);
  if (!question) return std::nullopt;
  StoredBorder stored{.question = *question};
  for_each_member(stored.border, [&]<class Value>(const auto& row, Value& value) {
    const Json& member = json.at(row.name);
    if constexpr (std::is_same_v<Value, std::string>)
      member.get_to(value);
    else
      value = integer_from(member).value_or(-1);
  });
  json.at("at").get_to(stored.at);
  return stored;
} catch (const Json::exception&) {
  return std::nullopt;
}

/// Files of before there were any have none.
void read_borders(const Json& borders, Incoming& incoming) {
  if (borders.is_null()) return;
  if (!borders.is_array()) throw UsageError("its borders are no list");
  for (std::size_t i = 0; i < borders.size(); ++i) {
    auto border = border_from(borders[i]);
    const std::string why =
        border ? why_unfit(*border)
               : "a member is missing, or has a value that this version does not know";
    if (why.empty())
      incoming.borders.push_back(std::move(*border));
    else
      incoming.skipped.push_back(fmt::format("border {}: {}", i + 1, why));
  }
}

/// Order of a file: by what was asked, then by time.
auto place_of(const SharedRun& run, const SharedResult& result) {
  const Question q = question_of(run.start);
  const Problem& p = q.problem;
  return std::tuple(q.family, q.space_key, p.op, p.in, p.acc, p.out, p.count, p.outer, p.inner,
                    p.outer_pitch, p.count_pitch, p.batch, p.batch_pitch, p.segment_count,
                    p.offset_bits, p.skew, p.cache_mode, p.order, p.custom, q.device_class,
                    q.toolchain, result.at, run.started_at, result.best.settings);
}

}  // namespace

std::string results_text(const std::vector<SharedRun>& runs,
                         std::span<const StoredBorder> borders) {
  std::vector<std::pair<const SharedRun*, const SharedResult*>> rows;
  for (const SharedRun& run : runs) {
    for (const SharedResult& result : run.results) rows.emplace_back(&run, &result);
  }
  std::ranges::sort(rows, {}, [](const auto& row) { return place_of(*row.first, *row.second); });
  Json results = Json::array();
  for (const auto& [run, result] : rows) results.push_back(result_json(*run, *result));
  Json document{{"format", results_format}, {"results", std::move(results)}};
  std::vector<StoredBorder> sorted(borders.begin(), borders.end());
  std::ranges::sort(sorted);
  for (const StoredBorder& border : sorted) document["borders"].push_back(to_json(border));
  return document_text(document);
}

Incoming runs_from_results(const Json& document) {
  const Json& format = member_of(document, "format");
  if (format != results_format) {
    throw UsageError(fmt::format(
        "its format is {}; this redtune reads '{}'",
        format.is_string() ? shown_text(format.get<std::string>()) : "missing", results_format));
  }
  const Json& results = member_of(document, "results");
  if (!results.is_array()) throw UsageError("it has no results");
  Incoming incoming;
  for (std::size_t i = 0; i < results.size(); ++i) {
    auto run = result_from(results[i]);
    const std::string why =
        run ? why_unfit(*run)
            : "a member is missing, or has a value that this version does not know";
    if (why.empty())
      incoming.runs.push_back(std::move(*run));
    else
      incoming.skipped.push_back(fmt::format("result {}: {}", i + 1, why));
  }
  read_borders(member_of(document, "borders"), incoming);
  return incoming;
}

}  // namespace redtune::cache
