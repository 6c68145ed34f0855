// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "bench/agreement/report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "bench/agreement/kept_file.hpp"
#include "bench/compare/statistics.hpp"
#include "redtune/version.hpp"
#include "tuner/measure/statistics.hpp"

namespace redtune::bench {
namespace {

using tuner::Half;

std::size_t place_of(const Timing& timing, const Settings& settings) {
  const auto found = std::ranges::find(timing.settings, settings);
  return static_cast<std::size_t>(found - timing.settings.begin());
}

std::vector<double> all_times(const Timing& timing, std::size_t place) {
  std::vector<double> times;
  for (const auto& round : timing.rounds) times.push_back(round[place]);
  return times;
}

std::vector<Winner> winners_among(std::span<const Tune> tunes) {
  std::vector<Winner> winners;
  for (const Tune& tune : tunes) {
    if (!tune.went_wrong.empty()) continue;
    auto found = std::ranges::find(winners, tune.settings, &Winner::settings);
    if (found == winners.end()) found = winners.insert(found, Winner{.settings = tune.settings});
    found->seeds.push_back(tune.seed);
    found->told_us.push_back(tune.told_us.median);
  }
  return winners;
}

Interval seconds_of(std::span<const Tune> tunes) {
  std::vector<double> seconds;
  for (const Tune& tune : tunes) {
    if (tune.went_wrong.empty()) seconds.push_back(tune.seconds);
  }
  if (seconds.empty()) return {};
  const auto [least, most] = std::ranges::minmax(seconds);
  return {least, tuner::median(seconds), most};
}

/// The places of the fastest and of the slowest winner by the odd rounds.
std::pair<std::size_t, std::size_t> ends_of(const Timing& timing,
                                            const std::vector<Winner>& winners) {
  std::vector<std::size_t> places;
  for (const Winner& winner : winners) places.push_back(place_of(timing, winner.settings));
  const auto odd_us = [&](std::size_t place) {
    return tuner::median(tuner::times_in(timing.rounds, place, Half::odd));
  };
  const auto [fastest, slowest] = std::ranges::minmax_element(places, {}, odd_us);
  return {*fastest, *slowest};
}

/// By the even rounds.
Interval ratio_of(const Timing& timing, std::size_t one, std::size_t other) {
  if (one == other) return {1, 1, 1};
  return tuner::ratio_in(timing.rounds, one, other, Half::even);
}

}  // namespace

std::vector<Settings> distinct_winners(std::span<const Tune> tunes) {
  std::vector<Settings> all;
  for (Winner& winner : winners_among(tunes)) all.push_back(std::move(winner.settings));
  return all;
}

Agreement summarized(const Problem& problem, std::vector<Tune> tunes, const Timing* timing,
                     std::optional<StoredAnswer> stored) {
  Agreement agreement{.problem = problem, .tunes = std::move(tunes), .stored = std::move(stored)};
  agreement.winners = winners_among(agreement.tunes);
  agreement.tune_seconds = seconds_of(agreement.tunes);
  if (timing == nullptr || agreement.winners.empty()) return agreement;
  for (Winner& winner : agreement.winners) {
    winner.us = tuner::median_interval(all_times(*timing, place_of(*timing, winner.settings)));
  }
  std::ranges::stable_sort(agreement.winners, {},
                           [](const Winner& winner) { return winner.us->median; });
  agreement.device = timing->device;
  agreement.default_us = tuner::median_interval(all_times(*timing, 0));
  const auto [fastest, slowest] = ends_of(*timing, agreement.winners);
  agreement.slowest_to_fastest = ratio_of(*timing, slowest, fastest);
  if (auto& answer = agreement.stored) {
    const std::size_t place = place_of(*timing, answer->settings);
    answer->us = tuner::median_interval(all_times(*timing, place));
    answer->to_fastest = ratio_of(*timing, place, fastest);
  }
  agreement.warnings = timing->warnings;
  return agreement;
}

namespace {

/// ratio(agreement): an interval, or nothing.
template <class Ratio>
std::optional<Overall> overall_of(std::span<const Agreement> all, const Ratio& ratio_in) {
  std::vector<double> ratios;
  Overall result;
  for (const Agreement& one : all) {
    const std::optional<Interval> found = ratio_in(one);
    if (!found) continue;
    const double ratio = ratios.emplace_back(found->median);
    if (ratio <= result.largest) continue;
    result.largest = ratio;
    result.largest_of = describe(one.problem);
  }
  if (ratios.empty()) return std::nullopt;
  result.problems = ratios.size();
  result.geometric_mean = compare::geometric_mean(ratios);
  return result;
}

}  // namespace

std::optional<Overall> overall(std::span<const Agreement> all) {
  return overall_of(all, [](const Agreement& one) { return one.slowest_to_fastest; });
}

std::optional<Overall> overall_stored(std::span<const Agreement> all) {
  return overall_of(
      all, [](const Agreement& one) { return one.stored ? one.stored->to_fastest : std::nullopt; });
}

namespace {

using nlohmann::json;

std::string range(const Interval& interval, int digits) {
  return fmt::format("{:.{}f} to {:.{}f}", interval.low, digits, interval.high, digits);
}

std::string row(const std::optional<Interval>& us, const std::string& told,
                const std::string& seeds, const std::string& config) {
  const std::string median = us ? fmt::format("{:.3f}", us->median) : "-";
  const std::string interval = us ? range(*us, 3) : "";
  return fmt::format("  {:>10}  {:<20}  {:<24}  {:<10}  {}\n", median, interval, told, seeds,
                     config);
}

std::string headline(const Agreement& agreement) {
  std::string text = fmt::format("{}: {} winner{} of {} tune{}", describe(agreement.problem),
                                 agreement.winners.size(), agreement.winners.size() == 1 ? "" : "s",
                                 agreement.tunes.size(), agreement.tunes.size() == 1 ? "" : "s");
  if (const auto& ratio = agreement.slowest_to_fastest) {
    text += fmt::format(", slowest / fastest {:.4f} ({})", ratio->median, range(*ratio, 4));
  }
  if (const auto& stored = agreement.stored; stored && stored->to_fastest) {
    text += fmt::format(", stored / fastest {:.4f} ({}; {})", stored->to_fastest->median,
                        range(*stored->to_fastest, 4), to_string(stored->match));
  }
  return text + fmt::format("; a tune took {:.1f} s ({})\n", agreement.tune_seconds.median,
                            range(agreement.tune_seconds, 1));
}

json json_of(const Winner& winner) {
  return {{"settings", to_string(winner.settings)},
          {"seeds", winner.seeds},
          {"told_us", winner.told_us},
          {"us", winner.us ? bench::json_of(*winner.us) : json()}};
}

json json_of(const Tune& tune) {
  json document{{"seed", tune.seed}, {"seconds", tune.seconds}};
  if (!tune.went_wrong.empty()) {
    document["went_wrong"] = tune.went_wrong;
    return document;
  }
  document["device"] = tune.device;
  document["settings"] = to_string(tune.settings);
  document["reason"] = tune.reason;
  document["told_us"] = bench::json_of(tune.told_us);
  return document;
}

json json_of(const Agreement& agreement) {
  json winners = json::array();
  for (const Winner& winner : agreement.winners) winners.push_back(json_of(winner));
  json tunes = json::array();
  for (const Tune& tune : agreement.tunes) tunes.push_back(json_of(tune));
  json document{{"problem", describe(agreement.problem)},
                {"tunes", tunes},
                {"winners", winners},
                {"tune_seconds", bench::json_of(agreement.tune_seconds)}};
  if (agreement.slowest_to_fastest) {
    document["device"] = agreement.device;
    document["default_us"] = bench::json_of(agreement.default_us);
    document["slowest_to_fastest"] = bench::json_of(*agreement.slowest_to_fastest);
    document["warnings"] = agreement.warnings;
  }
  if (const auto& stored = agreement.stored; stored && stored->to_fastest) {
    document["stored"] = {{"settings", to_string(stored->settings)},
                          {"match", to_string(stored->match)},
                          {"us", bench::json_of(*stored->us)},
                          {"to_fastest", bench::json_of(*stored->to_fastest)}};
  }
  return document;
}

}  // namespace

std::string text_of(const Agreement& agreement) {
  std::string text = headline(agreement);
  text += fmt::format("  {:>10}  {:<20}  {:<24}  {:<10}  {}\n", "us", "95 %", "told us", "seeds",
                      "config");
  for (const Winner& winner : agreement.winners) {
    text += row(winner.us, fmt::format("{:.3f}", fmt::join(winner.told_us, " ")),
                fmt::format("{}", fmt::join(winner.seeds, " ")), to_string(winner.settings));
  }
  if (const auto& stored = agreement.stored; stored && stored->us) {
    text += row(stored->us, "", "stored", to_string(stored->settings));
  }
  if (agreement.slowest_to_fastest) text += row(agreement.default_us, "", "", "the default");
  for (const Tune& tune : agreement.tunes) {
    if (tune.went_wrong.empty()) continue;
    text += fmt::format("  seed {} failed: {}\n", tune.seed, tune.went_wrong);
  }
  for (const std::string& warning : agreement.warnings) {
    text += fmt::format("  warning: {}\n", warning);
  }
  return text + '\n';
}

namespace {

std::string line_of(std::string_view who, const std::optional<Overall>& result) {
  if (!result) return {};
  return fmt::format("{} / fastest of {} problem{}: geometric mean {:.4f}, largest {:.4f} ({})\n",
                     who, result->problems, result->problems == 1 ? "" : "s",
                     result->geometric_mean, result->largest, result->largest_of);
}

json json_of(const Overall& result) {
  return {{"geometric_mean", result.geometric_mean},
          {"largest", result.largest},
          {"largest_of", result.largest_of}};
}

}  // namespace

std::string text_of_all(std::span<const Agreement> all) {
  return line_of("slowest", overall(all)) + line_of("stored", overall_stored(all));
}

std::string json_text(std::span<const Agreement> all) {
  json problems = json::array();
  for (const Agreement& one : all) problems.push_back(json_of(one));
  json document{{"redtune", version}, {"confidence", 0.95}, {"problems", problems}};
  if (const auto result = overall(all)) document["slowest_to_fastest"] = json_of(*result);
  if (const auto result = overall_stored(all)) document["stored_to_fastest"] = json_of(*result);
  return document.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace redtune::bench
