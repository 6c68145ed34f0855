// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/device_page.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "cli/plot/speed_chart.hpp"
#include "cli/report/page_parts.hpp"
#include "cli/report/shape_maps.hpp"
#include "tuner/text/counted.hpp"

namespace redtune::cli {
namespace {

/// Shares above it say that the peak is none: of a probe that was disturbed, or of inputs that
/// caches hold.
constexpr double most_believed = 1.1;

std::string device_name(const DeviceStory& device) {
  return fmt::format("{} ({} {})", device.device.name, device.device.device_class.platform,
                     device.device.device_class.isa);
}

/// The charts of one device: for each operator and kind of shape one, a line for each type.
class SpeedCharts {
 public:
  SpeedCharts(const DeviceStory& device, std::span<const PeerTimes> peers)
      : device_(device), peers_(peers) {}

  [[nodiscard]] std::string cards_with(const std::string& id) const {
    std::vector<std::pair<std::string, std::vector<const KnownResult*>>> charts;
    for (const KnownResult& result : device_.results) {
      const Problem& problem = result.stored.question.problem;
      if (problem.op == Op::kernel || result.stored.best.gigabytes_per_second <= 0) continue;
      const std::string title =
          fmt::format("{} of {}", operator_name(problem), kind_of_shape(problem));
      if (charts.empty() || charts.back().first != title) charts.emplace_back(title, 0);
      charts.back().second.push_back(&result);
    }
    std::string text;
    for (std::size_t i = 0; i < charts.size(); ++i) {
      const SpeedChart chart = chart_of(charts[i].first, charts[i].second);
      text += card(chart.title, svg_of(chart, {fmt::format("{}-speed-{}", id, i)}));
    }
    return text;
  }

 private:
  /// In the unit of the chart: per cent of the peak where that is known, else GB/s.
  [[nodiscard]] double height(const KnownResult& result, double gbps) const {
    return is_share() ? (result.peak.gbps > 0 ? 100 * gbps / result.peak.gbps : 0) : gbps;
  }
  [[nodiscard]] bool is_share() const { return device_.peaks && device_.peaks->memory_gbps > 0; }

  [[nodiscard]] SpeedChart chart_of(const std::string& title,
                                    std::span<const KnownResult* const> results) const {
    const bool is_whole = is_whole_array(results.front()->stored.question.problem);
    SpeedChart chart{.title = title,
                     .x_axis = is_whole ? "bytes of the input" : "elements of a result",
                     .y_axis = is_share() ? "% of the read peak" : "GB/s",
                     .series = {}};
    if (is_share()) chart.roof = 100;
    std::map<std::string, std::vector<const KnownResult*>> variants;
    std::vector<std::string> order;
    for (const KnownResult* result : results) {
      const std::string name = variant_of(result->stored.question.problem);
      if (variants[name].empty()) order.push_back(name);
      variants[name].push_back(result);
    }
    for (const std::string& name : order) {
      SpeedSeries own{.name = name, .points = {}};
      SpeedSeries usual{.name = name, .kind = SeriesKind::fallback, .points = {}};
      SpeedSeries peer{.name = name, .kind = SeriesKind::peer, .points = {}};
      for (const KnownResult* result : variants[name]) {
        const double x = std::max(1.0, size_for_chart(*result));
        own.points.push_back({x, height(*result, result->stored.best.gigabytes_per_second)});
        if (result->default_gbps() > 0) {
          usual.points.push_back({x, height(*result, result->default_gbps())});
        }
        for (const PeerTimes& document : peers_) {
          const PeerTime* time =
              peer_of(document, device_.device.name, result->stored.question.problem);
          if (time == nullptr) continue;
          peer.points.push_back({x, height(*result, time->gbps)});
          chart.peer_name = fmt::format("{}, {}", document.library, document.mode);
        }
      }
      const auto elements = [](const KnownResult* result) {
        return elements_of(result->stored.question.problem);
      };
      const bool are_alike =
          is_whole || std::ranges::all_of(variants[name], [&](const KnownResult* result) {
            return elements(result) == elements(variants[name].front());
          });
      for (SpeedSeries* series : {&usual, &own, &peer}) {
        std::ranges::stable_sort(series->points, {}, &SpeedPoint::x);
        // Of several results of a size none is the next one's neighbour; arrays of fewer elements
        // are slower whatever their shape.
        series->is_joined =
            are_alike && series->points.size() > 1 &&
            std::ranges::adjacent_find(series->points, {}, &SpeedPoint::x) == series->points.end();
        if (!series->points.empty()) chart.series.push_back(*series);
      }
    }
    return chart;
  }

  const DeviceStory& device_;
  std::span<const PeerTimes> peers_;
};

std::string facts_of(const DeviceStory& device) {
  const DeviceClass& what = device.device.device_class;
  FactList facts;
  facts.add("Device", fmt::format("{} {}, {}", what.platform, what.isa,
                                  counted(static_cast<std::size_t>(std::max(0, what.compute_units)),
                                          "compute unit")));
  facts.add("Memory", fmt::format("{} MiB, last-level cache {} MiB", what.memory_bytes >> 20,
                                  what.last_level_cache_bytes >> 20));
  facts.add("Driver", device.device.toolchain.driver);
  facts.add("Runtime", device.device.toolchain.runtime);
  facts.add("Compiler", device.device.toolchain.compiler);
  if (device.toolchains > 1) {
    facts.add("Toolchains",
              fmt::format("{}; this is the one of the newest result", device.toolchains));
  }
  if (device.peaks) {
    std::string peaks = fmt::format("{:.0f} GB/s from memory", device.peaks->memory_gbps);
    if (device.peaks->cache_gbps > 0) {
      peaks += fmt::format(", {:.0f} GB/s from the last-level cache", device.peaks->cache_gbps);
    }
    facts.add("Reads at most", peaks);
  }
  facts.add("Known", fmt::format("{}, {} measured between them, {}",
                                 counted(device.results.size(), "result"),
                                 counted(device.borders.size(), "border"),
                                 counted(device.predictions, "prediction")));
  return facts.whole();
}

/// What is worth a sentence: the mean gain and who gained most.
std::string verdict_of_device(const DeviceStory& device) {
  double logs = 0;
  std::size_t gains = 0;
  const KnownResult* most = nullptr;
  for (const KnownResult& result : device.results) {
    const double gain = result.stored.best.gain.median;
    if (!(gain > 0)) continue;
    logs += std::log(gain);
    ++gains;
    if (most == nullptr || gain > most->stored.best.gain.median) most = &result;
  }
  if (most == nullptr) return "Nothing is known to be faster than the default.";
  return fmt::format(
      "{} as fast as the default in the geometric mean of {}; most is gained by {}: {}.",
      ratio_text(std::exp(logs / static_cast<double>(gains))), counted(gains, "result"), most->name,
      ratio_text(most->stored.best.gain.median));
}

std::string speeds_of(const DeviceStory& device, std::span<const PeerTimes> peers,
                      const std::string& id) {
  const std::string shown = SpeedCharts(device, peers).cards_with(id);
  if (shown.empty()) return paragraph("No speed of a reduction is known.");
  std::string text = paragraph(
      "Each dot is a tuned problem; a broken line is the default at the same sizes, in the same "
      "run. Where nothing was tuned there is no dot.");
  const bool is_exceeded = std::ranges::any_of(
      device.results, [](const KnownResult& result) { return result.share() > most_believed; });
  if (is_exceeded) {
    text += paragraph(
        "Some are far above the peak: it was measured while the device was disturbed or slow, or "
        "caches hold the input. There the share is no measure of how good a result is.",
        "warning");
  }
  for (const PeerTimes& document : peers) {
    if (document.device == device.device.name) continue;
    text += paragraph(fmt::format("{} is of another device, {}: not shown here.", document.file,
                                  document.device.empty() ? "not named" : document.device));
  }
  return text + cards(shown);
}

/// Empty where no arrays of several rows and columns were tuned.
std::string maps_of(const DeviceStory& device, const std::string& id) {
  std::string shown;
  const std::vector<HeatMap> maps = shape_maps(device);
  for (std::size_t i = 0; i < maps.size(); ++i) {
    shown += card(maps[i].title, svg_of(maps[i], {fmt::format("{}-map-{}", id, i)}));
  }
  if (shown.empty()) return shown;
  return paragraph(
             "How many times as long a reduction takes as reading its input at the peak would; "
             "hatched: not tuned.") +
         cards(shown);
}

std::string count_text(const std::optional<std::int64_t>& count) {
  return count ? describe_count(*count) : "not measured";
}

std::string classes_table(const DeviceStory& device) {
  const auto classes = size_classes(device);
  if (classes.empty()) return paragraph("No whole array was tuned.");
  std::string rows;
  for (const SizeClass& one : classes) {
    const Problem& first = one.first->stored.question.problem;
    const Problem& last = one.last->stored.question.problem;
    const std::string counts =
        one.results == 1 ? describe_count(first.count)
                         : fmt::format("{} to {} ({} results)", describe_count(first.count),
                                       describe_count(last.count), one.results);
    rows += fmt::format(
        "<tr><td class=\"word\">{}</td><td class=\"word\">{}</td><td class=\"word\">{}</td>"
        "<td class=\"word\">{}</td><td class=\"word\">{}</td><td class=\"long\">{}</td></tr>\n",
        markup(operator_name(first)), markup(variant_of(first)), markup(counts),
        markup(count_text(one.from)), markup(count_text(one.to)), markup(one.first->differences));
  }
  return scrolling(
      "Classes of counts",
      "<table>\n<caption>Neighbouring counts that one configuration answers. First and last "
      "count: where the border to the neighbour was measured.</caption>\n<thead><tr><th "
      "scope=\"col\">op</th><th scope=\"col\">type</th><th scope=\"col\">tuned counts</th><th "
      "scope=\"col\">first count</th><th scope=\"col\">last count</th><th scope=\"col\">differs "
      "from the default in</th></tr></thead>\n<tbody>\n" +
          rows + "</tbody>\n</table>\n");
}

/// What a cell of the grid holds, for eyes that see no colour too.
std::string_view letter_of(Match match) {
  switch (match) {
    case Match::exact:
      return "E";
    case Match::drift:
      return "T";
    case Match::sibling:
      return "S";
    case Match::near:
      return "N";
    case Match::predicted:
      return "P";
    case Match::fallback:
      return "–";
  }
  return "?";
}

std::string coverage_grid(const cache::Snapshot& answers, const DeviceStory& device) {
  std::string heads = "<th scope=\"col\">problem</th>";
  for (const std::int64_t count : coverage_counts()) {
    heads += fmt::format("<th scope=\"col\">{}</th>", describe_count(count));
  }
  std::string rows;
  std::size_t by_default = 0;
  std::map<Match, std::size_t> counts;
  for (const CoverageRow& row : coverage_of(answers, device)) {
    for (const Match match : row.matches) ++counts[match];
    if (std::ranges::all_of(row.matches, [](Match one) { return one == Match::fallback; })) {
      ++by_default;
      continue;
    }
    rows += fmt::format("<tr><th scope=\"row\">{}</th>", markup(row.name));
    for (const Match match : row.matches) {
      rows += fmt::format("<td class=\"m-{0}\" title=\"{0}\">{1}</td>", to_string(match),
                          letter_of(match));
    }
    rows += "</tr>\n";
  }
  std::string summary;
  for (const auto& [match, count] : counts) {
    summary += fmt::format("{}{} {}", summary.empty() ? "" : ", ", count, to_string(match));
  }
  std::string text = paragraph(
      "What a program is answered that asks for a whole array outside the caches, with the newest "
      "toolchain: E exact, T tuned with another toolchain, S on a sibling, N near, P predicted by "
      "a "
      "model, – the default. Of all cells: " +
      summary + ".");
  if (by_default > 0) {
    text += paragraph(fmt::format(
        "Pairs of operator and type with the default at every size are left out: {}.", by_default));
  }
  if (rows.empty()) return text;
  return text +
         scrolling("Coverage", "<table class=\"coverage\">\n<thead><tr>" + heads +
                                   "</tr></thead>\n<tbody>\n" + rows + "</tbody>\n</table>\n");
}

/// A table's heads and a row of it.
struct ResultTable {
  std::string heads;
  std::string rows;

  void head(std::string_view name, bool is_number) {
    heads += fmt::format("<th scope=\"col\"{}>{}</th>", is_number ? " class=\"number\"" : "",
                         markup(name));
  }
  void word(std::string_view text) {
    rows += fmt::format("<td class=\"word\">{}</td>", markup(text));
  }
  void number(const std::string& text) {
    rows += fmt::format("<td class=\"number\">{}</td>", text);
  }
};

std::string results_table(const DevicesReport& report) {
  ResultTable table;
  const bool has_devices = report.devices.size() > 1;
  if (has_devices) table.head("device", false);
  for (const char* name : {"op", "type", "shape"}) table.head(name, false);
  for (const char* name : {"time µs", "low", "high", "GB/s", "% of peak", "gain"}) {
    table.head(name, true);
  }
  for (const PeerTimes& document : report.peers) {
    table.head(fmt::format("vs {}", document.library), true);
  }
  table.head("tuned", false);
  table.head("differs from the default in", false);
  for (const DeviceStory& device : report.devices) {
    for (const KnownResult& result : device.results) {
      const cache::Best& best = result.stored.best;
      const Problem& problem = result.stored.question.problem;
      table.rows += "<tr>";
      if (has_devices) table.word(device.device.name);
      table.word(operator_name(problem));
      table.word(variant_of(problem));
      table.word(problem.op == Op::kernel ? result.name : describe_shape(problem));
      table.number(figure_text(best.time_us.median));
      table.number(figure_text(best.time_us.low));
      table.number(figure_text(best.time_us.high));
      table.number(best.gigabytes_per_second > 0 ? figure_text(best.gigabytes_per_second) : "");
      table.number(result.share() > 0 ? fmt::format("{:.1f}", 100 * result.share()) : "");
      table.number(fmt::format("{:.3g}", best.gain.median));
      for (const PeerTimes& document : report.peers) {
        const PeerTime* time = peer_of(document, device.device.name, problem);
        const bool has_both = time != nullptr && time->redtune_us > 0;
        table.number(has_both ? fmt::format("{:.3g}", time->time_us / time->redtune_us) : "");
      }
      table.word(result.stored.at.substr(0, 10));
      table.rows += fmt::format("<td class=\"long\">{}</td></tr>\n", markup(result.differences));
    }
  }
  const std::string caption =
      report.peers.empty()
          ? "Times are medians with 95 % intervals; gain: times as fast as the default."
          : "Times are medians with 95 % intervals; gain: times as fast as the default; vs: times "
            "as "
            "fast as the library, both timed in the rounds of the comparison.";
  return filtered_table(
      "Results", "op",
      fmt::format(
          "<table id=\"rows\">\n<caption>{}</caption>\n<thead><tr>{}</tr></thead>\n<tbody>\n"
          "{}</tbody>\n</table>\n",
          caption, table.heads, table.rows));
}

std::string device_sections(const DevicesReport& report, const DeviceStory& device,
                            std::size_t number) {
  const std::string id = fmt::format("device-{}", number);
  const std::string prefix = report.devices.size() > 1 ? markup(device.device.name) + ": " : "";
  std::string text;
  if (report.devices.size() > 1) {
    text += page_section(id, markup(device_name(device)),
                         paragraph(verdict_of_device(device), "choice") + facts_of(device));
  }
  text += page_section(id + "-speed", prefix + "How near to the most the device reads",
                       speeds_of(device, report.peers, id));
  if (const std::string maps = maps_of(device, id); !maps.empty()) {
    text += page_section(id + "-maps", prefix + "Rows and columns", maps);
  }
  text += page_section(id + "-classes", prefix + "Which configuration answers which counts",
                       classes_table(device));
  text += page_section(id + "-coverage", prefix + "What is answered, and how well",
                       coverage_grid(report.answers, device));
  return text;
}

}  // namespace

std::string page_of(const DevicesReport& report) {
  const bool is_one = report.devices.size() == 1;
  const std::string title =
      is_one ? device_name(report.devices.front())
             : fmt::format("{} known to redtune", counted(report.devices.size(), "device"));
  std::string head = fmt::format("<header>\n<h1>{}</h1>\n", markup(title));
  if (is_one) {
    head += fmt::format("<p class=\"verdict\">{}</p>\n{}",
                        markup(verdict_of_device(report.devices.front())),
                        facts_of(report.devices.front()));
  }
  std::string body = head + "</header>\n<main>\n";
  for (std::size_t i = 0; i < report.devices.size(); ++i) {
    body += device_sections(report, report.devices[i], i);
  }
  body += page_section("all", "All results", results_table(report)) + "</main>\n";
  return document_of(title, body);
}

}  // namespace redtune::cli
