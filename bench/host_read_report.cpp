// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/host_read.hpp"

namespace redtune::bench {
namespace {

struct Summary {
  Interval time_us;
  double gigabytes_per_second = 0;
  Interval of_plain;      ///< the plain loop's time / this time, paired by rounds
  Interval over_default;  ///< the default's time / this time, likewise
};

/// The middle half of the samples, and their median.
Interval quartiles(std::vector<double> samples) {
  std::ranges::sort(samples);
  const std::size_t n = samples.size();
  return {samples[n / 4], samples[n / 2], samples[n - 1 - n / 4]};
}

Interval ratio_quartiles(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < a.size(); ++i) ratios.push_back(a[i] / b[i]);
  return quartiles(std::move(ratios));
}

Summary summary_of(const Findings& findings, const Row& row) {
  Summary summary;
  summary.time_us = quartiles(row.times_us);
  const double bytes = static_cast<double>(findings.options.count) * sizeof(float);
  summary.gigabytes_per_second = bytes / summary.time_us.median / 1e3;
  summary.of_plain = ratio_quartiles(findings.rows[plain_loop].times_us, row.times_us);
  summary.over_default = ratio_quartiles(findings.rows[family_default].times_us, row.times_us);
  return summary;
}

nlohmann::ordered_json json_of(const Interval& interval) {
  return {{"low", interval.low}, {"median", interval.median}, {"high", interval.high}};
}

}  // namespace

std::string table_of(const Findings& findings) {
  const Options& options = findings.options;
  std::string text = fmt::format(
      "{} on {}: {} threads, {} buffers, {} rounds of {}\n{:<16}{:>10}{:>20}{:>8}{:>24}{:>24}\n",
      describe(findings.answer.problem), findings.device.name,
      findings.device.device_class.compute_units, findings.buffers, options.rounds,
      options.executions, "", "us", "middle half", "GB/s", "x plain loop", "x default");
  for (const Row& row : findings.rows) {
    const Summary of = summary_of(findings, row);
    const auto range = [](const Interval& i, int digits) {
      return fmt::format("[{:.{}f} .. {:.{}f}]", i.low, digits, i.high, digits);
    };
    const auto ratio = [&](const Interval& i) {
      return fmt::format("{:.3f} {}", i.median, range(i, 2));
    };
    text += fmt::format("{:<16}{:>10.1f}{:>20}{:>8.2f}{:>24}{:>24}\n", row.name, of.time_us.median,
                        range(of.time_us, 0), of.gigabytes_per_second, ratio(of.of_plain),
                        ratio(of.over_default));
  }
  for (const Row& row : findings.rows) {
    if (!row.settings.empty()) text += fmt::format("{}: {}\n", row.name, row.settings);
    if (!row.why_wrong.empty())
      text += fmt::format("WRONG SUM of {}: {}\n", row.name, row.why_wrong);
  }
  text += fmt::format("match: {} ({})\n", to_string(findings.answer.match),
                      findings.answer.explanation);
  if (findings.answer.match != Match::exact) {
    text += fmt::format(
        "ATTENTION: 'tuned' was not tuned for exactly this; run first: redtune tune --device host "
        "--op sum --type f32 --count {}\n",
        describe_count(options.count));
  }
  return text;
}

std::string json_of(const Findings& findings) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Row& row : findings.rows) {
    const Summary of = summary_of(findings, row);
    rows.push_back({{"name", row.name},
                    {"settings", row.settings},
                    {"value", row.value},
                    {"right", row.why_wrong.empty()},
                    {"time_us", json_of(of.time_us)},
                    {"gigabytes_per_second", of.gigabytes_per_second},
                    {"of_plain", json_of(of.of_plain)},
                    {"over_default", json_of(of.over_default)},
                    {"times_us", row.times_us}});
  }
  const nlohmann::ordered_json all{{"problem", describe(findings.answer.problem)},
                                   {"device", findings.device.name},
                                   {"threads", findings.device.device_class.compute_units},
                                   {"buffers", findings.buffers},
                                   {"rounds", findings.options.rounds},
                                   {"executions", findings.options.executions},
                                   {"match", to_string(findings.answer.match)},
                                   {"expected", findings.expected},
                                   {"rows", rows}};
  return all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace redtune::bench
