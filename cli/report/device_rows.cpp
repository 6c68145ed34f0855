// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// What a store knows of devices, for people's own notebooks: docs/reference/report.md has the
// columns.
#include <fmt/format.h>
#include <utility>

#include "cli/report/csv_text.hpp"
#include "cli/report/device_page.hpp"
#include "tuner/text/measured_json.hpp"

namespace redtune::cli {

std::string csv_of(const DevicesReport& report) {
  CsvText csv;
  csv.add({"result",   "run",           "device",     "platform",  "isa",       "driver",
           "runtime",  "compiler",      "problem",    "op",        "type",      "accumulator",
           "output",   "order",         "cache_mode", "count",     "outer",     "inner",
           "batch",    "segments",      "bytes",      "median_us", "low_us",    "high_us",
           "gb_per_s", "peak_gb_per_s", "gain",       "gain_low",  "gain_high", "default_us",
           "at",       "settings"});
  for (const DeviceStory& device : report.devices) {
    for (const KnownResult& result : device.results) {
      const cache::StoredBest& stored = result.stored;
      const auto& [family, space, problem, what, toolchain] = stored.question;
      const cache::Best& best = stored.best;
      const auto number = [](double value) { return fmt::format("{}", value); };
      csv.add({std::to_string(stored.generation),
               std::to_string(static_cast<std::int64_t>(stored.run)),
               stored.device_name,
               what.platform,
               what.isa,
               toolchain.driver,
               toolchain.runtime,
               toolchain.compiler,
               result.name,
               operator_name(problem),
               std::string(to_string(problem.in)),
               std::string(to_string(problem.acc)),
               std::string(to_string(problem.out)),
               std::string(to_string(problem.order)),
               std::string(to_string(problem.cache_mode)),
               std::to_string(problem.count),
               std::to_string(problem.outer),
               std::to_string(problem.inner),
               std::to_string(problem.batch),
               std::to_string(problem.segment_count),
               number(result.bytes),
               number(best.time_us.median),
               number(best.time_us.low),
               number(best.time_us.high),
               number(best.gigabytes_per_second),
               result.peak.gbps > 0 ? number(result.peak.gbps) : "",
               number(best.gain.median),
               number(best.gain.low),
               number(best.gain.high),
               number(best.default_us),
               stored.at,
               to_string(best.settings)});
    }
  }
  return std::move(csv).whole();
}

Json json_of(const DevicesReport& report) {
  Json document{{"devices", Json::array()}};
  for (const DeviceStory& device : report.devices) {
    Json identity = tuner::json_of(device.device);
    identity.erase("address");
    Json results = Json::array();
    for (const KnownResult& result : device.results) {
      const cache::Best& best = result.stored.best;
      results.push_back({{"result", result.stored.generation},
                         {"run", static_cast<std::int64_t>(result.stored.run)},
                         {"problem", tuner::json_of(result.stored.question.problem)},
                         {"compiler", result.stored.question.toolchain.compiler},
                         {"bytes", result.bytes},
                         {"time_us", tuner::json_of(best.time_us)},
                         {"gigabytes_per_second", best.gigabytes_per_second},
                         {"peak", result.peak.gbps > 0 ? tuner::json_of(result.peak) : Json()},
                         {"gain", tuner::json_of(best.gain)},
                         {"default_us", best.default_us},
                         {"at", result.stored.at},
                         {"settings", tuner::json_of(best.settings)}});
    }
    Json coverage = Json::object();
    for (const CoverageRow& row : coverage_of(report.answers, device)) {
      Json& cells = coverage[row.name] = Json::array();
      for (const Match match : row.matches) cells.push_back(to_string(match));
    }
    document["devices"].push_back({{"device", std::move(identity)},
                                   {"results", std::move(results)},
                                   {"coverage_counts", coverage_counts()},
                                   {"coverage", std::move(coverage)}});
  }
  return document;
}

}  // namespace redtune::cli
