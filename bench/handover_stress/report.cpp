// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/handover_stress/report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernel_templates/family/config_axes.hpp"
#include "kernel_templates/reduce/config.hpp"
#include "redtune/version.hpp"

namespace redtune::bench {
namespace {

using nlohmann::json;

double launches_per_second(const Tally& tally) {
  return tally.seconds > 0 ? static_cast<double>(tally.launches) / tally.seconds : 0;
}

/// Settings that are not as they are when nobody says anything.
std::string text_of(const StressCase& what) {
  const Settings usual = kernels::settings_of(kernels::ReduceConfig{});
  Settings telling;
  for (const Setting& setting : what.settings) {
    if (std::ranges::find(usual, setting) == usual.end()) telling.push_back(setting);
  }
  return fmt::format("{}, {} blocks, {}", describe(what.problem), what.blocks, to_string(telling));
}

}  // namespace

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::stream:
      return "stream";
    case Kind::pair:
      return "pair";
    case Kind::broken_off:
      return "broken off";
    case Kind::groups:
      return "groups";
  }
  return "";
}

std::string table_head() {
  return fmt::format("{:<10} {:>10} {:>7} {:>9} {:>10}  case\n", "kind", "launches", "wrong",
                     "not zero", "a second");
}

std::string row_of(const Finding& finding) {
  const Tally& tally = finding.tally;
  const double rate = launches_per_second(tally);
  std::string text =
      fmt::format("{:<10} {:>10} {:>7} {:>9} {:>10}  {}\n", to_string(finding.kind), tally.launches,
                  tally.wrong, tally.dirty, rate > 0 ? fmt::format("{:.0f}", rate) : "-",
                  text_of(finding.what));
  if (tally.wrong > 0) text += fmt::format("  WRONG: {}\n", tally.first_wrong);
  if (tally.dirty > 0) text += "  WRONG: the workspace was not left zero\n";
  return text;
}

std::string verdict_of(std::span<const Finding> findings) {
  std::int64_t launches = 0;
  std::int64_t wrong = 0;
  std::int64_t dirty = 0;
  std::int64_t launches_before = 0;
  std::int64_t wrong_before = 0;
  std::int64_t launches_after = 0;
  std::int64_t wrong_after = 0;
  for (const Finding& one : findings) {
    launches += one.tally.launches;
    wrong += one.tally.wrong;
    dirty += one.tally.dirty;
    launches_before += one.launches_before;
    wrong_before += one.wrong_before;
    if (one.kind != Kind::broken_off) continue;
    launches_after += one.tally.launches;
    wrong_after += one.tally.wrong;
  }
  return fmt::format(
      "\n{} launches: {} wrong; {} batches left a workspace that was not zero\n"
      "in workspaces as broken-off launches leave them: {} of {} launches wrong; cleared: {} of "
      "{}\n",
      launches, wrong, dirty, wrong_before, launches_before, wrong_after, launches_after);
}

std::string json_of(std::span<const Finding> findings, std::string_view device) {
  json cases = json::array();
  for (const Finding& one : findings) {
    cases.push_back({{"kind", to_string(one.kind)},
                     {"problem", describe(one.what.problem)},
                     {"settings", to_string(one.what.settings)},
                     {"blocks", one.what.blocks},
                     {"launches", one.tally.launches},
                     {"wrong", one.tally.wrong},
                     {"batches_not_zero", one.tally.dirty},
                     {"first_wrong", one.tally.first_wrong},
                     {"seconds", one.tally.seconds}});
    if (one.kind != Kind::broken_off) continue;
    cases.back()["launches_before_clearing"] = one.launches_before;
    cases.back()["wrong_before_clearing"] = one.wrong_before;
  }
  const json document{{"redtune", version},
                      {"device", device},
                      {"all_right", is_all_right(findings)},
                      {"cases", cases}};
  return document.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

bool is_all_right(std::span<const Finding> findings) {
  return std::ranges::all_of(findings, [](const Finding& one) { return one.tally.is_right(); });
}

}  // namespace redtune::bench
