// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/run_page.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "cache/keys/sha256.hpp"
#include "cli/plot/charts.hpp"
#include "cli/plot/run_charts.hpp"
#include "cli/report/page_assets.hpp"
#include "cli/report/trial_rows.hpp"
#include "tuner/measure/peak.hpp"
#include "tuner/text/counted.hpp"

namespace redtune::cli {
namespace {

// What of a long text is shown.
constexpr std::size_t most_of_line = 160;
constexpr std::size_t most_of_log = 4000;
constexpr std::size_t most_reasons = 5;  // of a status
constexpr std::size_t most_values = 40;  // of a tunable

/// For a policy: the hash of what stands between two tags.
std::string policy_hash(std::string_view text) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const cache::Digest digest = cache::sha256(text);
  std::string base64;
  for (std::size_t i = 0; i < digest.size(); i += 3) {
    const auto byte = [&](std::size_t at) {
      return at < digest.size() ? std::uint32_t{digest[at]} : 0U;
    };
    const std::uint32_t bits = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (std::size_t part = 0; part < 4; ++part) {
      const bool is_padding = i + part > digest.size();
      base64 += is_padding ? '=' : digits[bits >> (18 - 6 * part) & 63];
    }
  }
  return "'sha256-" + base64 + "'";
}

std::string first_line(std::string_view text) {
  return shortened(text.substr(0, text.find('\n')), most_of_line);
}

/// Four significant digits.
std::string figure_text(double value) {
  return value >= 1e4 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string share_text_of(double ratio) {
  return fmt::format("{:.{}f}×", ratio, ratio < 10 ? 2 : ratio < 100 ? 1 : 0);
}

bool is_ok(const cache::Trial& trial) {
  return trial.status == "ok" && trial.time_us;
}

bool is_failure(const cache::Trial& trial) {
  return trial.status != "ok" && trial.status != "slow";
}

/// Whether numbers come in their order, and other values by the alphabet behind them.
bool comes_before(const std::string& a, const std::string& b) {
  const auto number = [](const std::string& text) -> std::optional<double> {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
  };
  const auto left = number(a);
  const auto right = number(b);
  if (left && right && *left != *right) return *left < *right;
  if (left.has_value() != right.has_value()) return left.has_value();
  return a < b;
}

std::string card(const std::string& heading, const std::string& content) {
  return fmt::format("<div class=\"card\">\n<h3>{}</h3>\n{}</div>\n", markup(heading), content);
}

std::string paragraph(std::string_view text, std::string_view kind = "quiet") {
  return fmt::format("<p class=\"{}\">{}</p>\n", kind, markup(text));
}

std::string page_section(const char* id, const char* heading, const std::string& content) {
  return fmt::format(
      "<section aria-labelledby=\"{0}-heading\">\n<h2 id=\"{0}-heading\">{1}</h2>\n{2}"
      "</section>\n",
      id, heading, content);
}

/// A wide thing that scrolls by itself, also by the keyboard.
std::string scrolling(const std::string& name, const std::string& content) {
  return fmt::format(
      "<div class=\"scroll\" role=\"region\" aria-label=\"{}\" tabindex=\"0\">\n{}</div>\n",
      markup(name), content);
}

/// So many of the fastest values, in the order in which they were.
std::vector<StripRow> fastest_of(std::vector<StripRow> rows, std::size_t most) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  constexpr double never = std::numeric_limits<double>::max();
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rows[i].best.value_or(never); });
  order.resize(most);
  std::ranges::sort(order);
  std::vector<StripRow> kept;
  for (const std::size_t i : order) kept.push_back(std::move(rows[i]));
  return kept;
}

/// One page of one run.
class RunPage {
 public:
  explicit RunPage(const RunStory& story) : story_(story), tunables_(tunables_of(story.trials)) {
    for (const std::string& name : tunables_) {
      std::set<std::string> values;
      for (const cache::StoredTrial& row : story.trials) {
        values.emplace(setting_in(row.trial.settings, name));
      }
      (values.size() > 1 ? varied_ : constant_).push_back(name);
    }
    if (story.result) winner_ = story.result->stored.best.settings;
  }

  [[nodiscard]] std::string head() const {
    return fmt::format("<header>\n<h1>{}</h1>\n<p class=\"verdict\">{}</p>\n{}</header>\n",
                       markup(title()), markup(verdict_of(story_)), facts());
  }
  [[nodiscard]] std::string title() const {
    return fmt::format("Run {}: {} on {}", number_of_run(story_.run.id),
                       describe(story_.run.start.problem), story_.run.start.device.name);
  }
  [[nodiscard]] std::string finalists() const;
  [[nodiscard]] std::string progress() const;
  [[nodiscard]] std::string strips() const;
  [[nodiscard]] std::string failures() const;
  [[nodiscard]] std::string time() const;
  [[nodiscard]] std::string conditions() const;
  [[nodiscard]] std::string trials() const;

 private:
  [[nodiscard]] std::string facts() const;
  [[nodiscard]] std::string statuses() const;
  [[nodiscard]] std::string progress_chart(bool over_seconds) const;
  [[nodiscard]] StripChart strip_of(const std::string& name) const;
  [[nodiscard]] std::pair<double, double> times() const;
  [[nodiscard]] std::string trial_row(const cache::StoredTrial& row) const;
  [[nodiscard]] bool is_winner(const Settings& settings) const {
    return winner_ && *winner_ == settings;
  }

  const RunStory& story_;
  std::vector<std::string> tunables_;
  std::vector<std::string> varied_;    ///< tunables of which several values were tried
  std::vector<std::string> constant_;  ///< the others
  std::optional<Settings> winner_;
};

std::string RunPage::facts() const {
  const cache::RunSummary& run = story_.run;
  std::string list;
  const auto add = [&](std::string_view what, std::string_view text) {
    if (text.empty()) return;
    list += fmt::format("<dt>{}</dt><dd>{}</dd>\n", what, markup(text));
  };
  if (story_.result) {
    const cache::Best& best = story_.result->stored.best;
    add("Configuration", to_string(best.settings));
    add("Differs from the default in", differences(best.settings, story_.default_settings));
    std::string speed = fmt::format("{:.4g} GB/s", best.gigabytes_per_second);
    if (story_.peak.gbps > 0) {
      speed += ", " + share_text(best.gigabytes_per_second, story_.peak);
    }
    if (best.gigabytes_per_second > 0) add("Speed", speed);
  }
  add("State", to_string(run.state));
  add("Note", run.note);
  add("Started", run.started_at);
  add("Finished", run.finished_at);
  if (run.resumed > 0) {
    add("Gone on with", counted(static_cast<std::size_t>(run.resumed), "time"));
  }
  add("Taken over from", run.origin);
  const DeviceClass& device = run.start.device.device_class;
  add("Device", fmt::format("{}, {} {}, {}", run.start.device.name, device.platform, device.isa,
                            counted(static_cast<std::size_t>(std::max(0, device.compute_units)),
                                    "compute unit")));
  const Toolchain& toolchain = run.start.device.toolchain;
  add("Driver", toolchain.driver);
  add("Runtime", toolchain.runtime);
  add("Compiler", toolchain.compiler);
  add("Strategy", fmt::format("{}, seed {}, budget {}", run.start.strategy, run.start.seed,
                              run.start.budget.empty() ? "not known" : run.start.budget));
  add("Program", run.start.program_version);
  add("Trials", statuses());
  return "<dl class=\"facts\">\n" + list + "</dl>\n";
}

std::string RunPage::statuses() const {
  if (story_.trials.empty()) return "none";
  std::map<std::string, std::size_t> counts;
  for (const cache::StoredTrial& row : story_.trials) ++counts[row.trial.status];
  std::string text = fmt::format("{}:", story_.trials.size());
  for (const auto& [status, count] : counts) {
    text += fmt::format("{} {} {}", text.ends_with(':') ? "" : ",", count, status);
  }
  return text;
}

/// What tells a finalist from the others, the default apart: not what they have in common.
std::string telling_name(const Finalist& finalist, const std::vector<Finalist>& all) {
  Settings telling = finalist.settings;
  std::erase_if(telling, [&](const Setting& setting) {
    return std::ranges::all_of(all, [&](const Finalist& other) {
      return other.is_default || std::ranges::find(other.settings, setting) != other.settings.end();
    });
  });
  return differences(telling.empty() ? finalist.settings : telling, std::nullopt);
}

std::string RunPage::finalists() const {
  if (story_.finalists.empty()) {
    return page_section(
        "finalists", "Finalists",
        paragraph("The run had no final: nothing was compared with the default, or no "
                  "record of it is here."));
  }
  IntervalChart chart{"Times of the finalists", "µs", {}};
  std::vector<const Finalist*> sorted;
  for (const Finalist& finalist : story_.finalists) sorted.push_back(&finalist);
  std::ranges::stable_sort(sorted, {}, [](const Finalist* one) { return one->time_us.median; });
  bool has_ties = false;
  for (const Finalist* finalist : sorted) {
    std::string mark;
    const auto add = [&](bool is, const char* name) {
      if (is) mark += (mark.empty() ? "" : ", ") + std::string(name);
    };
    add(finalist->is_winner, "winner");
    add(finalist->is_fastest, "fastest");
    add(finalist->is_default, "default");
    chart.rows.push_back(
        {.mark = mark,
         .name = finalist->is_default ? "" : telling_name(*finalist, story_.finalists),
         .label = figure_text(finalist->time_us.median) + " µs",
         .interval = finalist->time_us,
         .is_shaded = finalist->is_tie || finalist->is_fastest,
         .is_default = finalist->is_default});
    has_ties = has_ties || finalist->is_tie;
  }
  // A single one that is shaded would say nothing.
  if (!has_ties) {
    for (IntervalRow& row : chart.rows) row.is_shaded = false;
  }
  const std::string choice = choice_of(story_);
  std::string text = choice.empty() ? "" : paragraph(choice, "choice");
  text += paragraph(
      fmt::format("Points are medians, lines 95 % intervals. Names are what "
                  "tells them from each other.{}",
                  has_ties ? " Those that are shaded cannot be told from the fastest." : ""));
  std::string rows;
  for (const Finalist* finalist : sorted) {
    rows += fmt::format("<li>{} µs ({} to {}): {}</li>\n", figure_text(finalist->time_us.median),
                        figure_text(finalist->time_us.low), figure_text(finalist->time_us.high),
                        markup(to_string(finalist->settings)));
  }
  text += "<div class=\"cards\">\n" + card(chart.title, svg_of(chart, {"finalists"})) +
          card("In full", "<details><summary>All settings of the finalists</summary>\n<ol>\n" +
                              rows + "</ol></details>\n") +
          "</div>\n";
  return page_section("finalists", "Finalists", text);
}

std::string RunPage::progress_chart(bool over_seconds) const {
  ProgressChart chart{over_seconds ? "Best found over time" : "Best found over evaluations",
                      over_seconds ? "seconds since the run began" : "evaluations",
                      "time, µs",
                      {}};
  std::size_t number = 0;
  for (const cache::StoredTrial& row : story_.trials) {
    ++number;
    if (!row.trial.time_us || !(row.trial.time_us->median > 0)) continue;
    double x = static_cast<double>(number);
    if (over_seconds) {
      const auto seconds = seconds_until(story_, row);
      if (!seconds) continue;
      x = *seconds;
    }
    chart.points.push_back({x, row.trial.time_us->median, is_ok(row.trial)});
  }
  if (chart.points.empty()) return {};
  std::ranges::stable_sort(chart.points, {}, &TrialPoint::x);
  if (story_.default_us) {
    chart.reference = story_.default_us;
    chart.reference_name = "default";
  }
  return card(chart.title, svg_of(chart, {over_seconds ? "seconds" : "evaluations"}));
}

std::string RunPage::progress() const {
  const std::string cards = progress_chart(false) + progress_chart(true);
  if (cards.empty()) {
    return page_section("progress", "How the search went on", paragraph("No trial was measured."));
  }
  std::string text = paragraph(
      "Each dot is a trial, the line the best so far. Trials that were given up as slow are dots "
      "at "
      "the time they had by then; they do not count for the line.");
  if (story_.run.resumed > 0) {
    text += paragraph("The run was gone on with: seconds include the pauses between sessions.");
  }
  return page_section("progress", "How the search went on",
                      text + "<div class=\"cards\">\n" + cards + "</div>\n");
}

std::pair<double, double> RunPage::times() const {
  double low = 0;
  double high = 0;
  for (const cache::StoredTrial& row : story_.trials) {
    if (!row.trial.time_us || !(row.trial.time_us->median > 0)) continue;
    const double time = row.trial.time_us->median;
    low = low == 0 ? time : std::min(low, time);
    high = std::max(high, time);
  }
  return {low, high};
}

StripChart RunPage::strip_of(const std::string& name) const {
  struct Value {
    std::vector<double> all;
    std::optional<double> best;   ///< measured in full
    std::optional<double> rough;  ///< of those given up
  };
  std::map<std::string, Value, decltype(&comes_before)> values(&comes_before);
  for (const cache::StoredTrial& row : story_.trials) {
    Value& value = values[std::string(setting_in(row.trial.settings, name))];
    if (!row.trial.time_us || !(row.trial.time_us->median > 0)) continue;
    const double time = row.trial.time_us->median;
    value.all.push_back(time);
    std::optional<double>& least = is_ok(row.trial) ? value.best : value.rough;
    least = std::min(least.value_or(time), time);
  }
  const cache::Trial* fastest = story_.fastest_trial();
  StripChart chart{.title = name, .axis = "µs", .rows = {}};
  std::tie(chart.low, chart.high) = times();
  for (auto& [text, value] : values) {
    StripRow row{.name = text.empty() ? "(not set)" : text, .label = "not measured"};
    row.is_rough = value.rough && (!value.best || *value.rough < *value.best);
    row.best = row.is_rough ? value.rough : value.best;
    row.all = std::move(value.all);
    if (row.best && fastest != nullptr) {
      row.label =
          (row.is_rough ? "about " : "") + share_text_of(*row.best / fastest->time_us->median);
    } else if (row.best) {
      row.label = "given up";
    }
    row.is_default = story_.default_settings && setting_in(*story_.default_settings, name) == text;
    row.is_winner = winner_ && setting_in(*winner_, name) == text;
    chart.rows.push_back(std::move(row));
  }
  return chart;
}

std::string RunPage::strips() const {
  const char* const heading = "What it costs to set this wrong";
  if (times().second == 0) {
    return page_section("strips", heading, paragraph("No trial was measured."));
  }
  struct Strip {
    StripChart chart;
    double cost = 1;
    std::size_t left_out = 0;
  };
  std::vector<Strip> strips;
  for (const std::string& name : varied_) {
    Strip strip{strip_of(name)};
    double low = 0;
    double high = 0;
    for (const StripRow& row : strip.chart.rows) {
      if (!row.best) continue;
      low = low == 0 ? *row.best : std::min(low, *row.best);
      high = std::max(high, *row.best);
    }
    strip.cost = low > 0 ? high / low : 1;
    auto& rows = strip.chart.rows;
    if (rows.size() > most_values) {
      strip.left_out = rows.size() - most_values;
      rows = fastest_of(std::move(rows), most_values);
    }
    strips.push_back(std::move(strip));
  }
  std::ranges::stable_sort(strips, std::greater{}, &Strip::cost);
  std::string cards;
  for (std::size_t i = 0; i < strips.size(); ++i) {
    const Strip& strip = strips[i];
    std::string content = svg_of(strip.chart, {fmt::format("strip-{}", i)});
    content += paragraph(
        fmt::format("With the worst value the best trial took {} the time of that with the best{}.",
                    share_text_of(strip.cost),
                    strip.left_out == 0
                        ? ""
                        : fmt::format("; not shown: {}", counted(strip.left_out, "slower value"))));
    cards += card(strip.chart.title, content);
  }
  std::string text = paragraph(
      "For each value of a tunable the best time with it, as a multiple of the fastest trial's; "
      "short strokes are all trials that had it: where there are few, little is known. A hollow "
      "ring is the default's value, a large dot and bold print the winner's; grey is the best of "
      "trials that were given up. Tunables that matter most come first.");
  if (!cards.empty()) text += "<div class=\"cards\">\n" + cards + "</div>\n";
  if (!constant_.empty()) {
    std::string same;
    for (const std::string& name : constant_) {
      same += fmt::format("{}{}={}", same.empty() ? "" : ", ", name,
                          setting_in(story_.trials.front().trial.settings, name));
    }
    text += paragraph("The same in all trials: " + same + ".");
  }
  return page_section("strips", heading, text);
}

std::string RunPage::failures() const {
  struct Reason {
    std::size_t count = 0;
    const cache::Trial* first = nullptr;
  };
  std::map<std::string, std::map<std::string, Reason>> statuses;
  for (const cache::StoredTrial& row : story_.trials) {
    if (!is_failure(row.trial)) continue;
    Reason& reason = statuses[row.trial.status][first_line(row.trial.detail)];
    if (reason.count++ == 0) reason.first = &row.trial;
  }
  if (statuses.empty()) {
    return page_section(
        "failures", "Failures",
        paragraph(story_.trials.empty() ? "Nothing was tried." : "No trial failed."));
  }
  std::string text;
  for (const auto& [status, reasons] : statuses) {
    std::size_t all = 0;
    std::vector<std::pair<std::string, Reason>> sorted(reasons.begin(), reasons.end());
    for (const auto& [line, reason] : sorted) all += reason.count;
    std::ranges::stable_sort(sorted, std::greater{},
                             [](const auto& one) { return one.second.count; });
    std::string content;
    for (std::size_t i = 0; i < std::min(sorted.size(), most_reasons); ++i) {
      const auto& [line, reason] = sorted[i];
      content += fmt::format(
          "<details><summary>{}: {}</summary>\n<p class=\"quiet\">trial {}, {}</p>\n<pre>{}</pre>"
          "</details>\n",
          reason.count, markup(line.empty() ? "no reason was recorded" : line),
          reason.first->sequence, markup(to_string(reason.first->settings)),
          markup_lines(shortened(reason.first->detail, most_of_log)));
    }
    if (sorted.size() > most_reasons) {
      content += paragraph(counted(sorted.size() - most_reasons, "other reason"));
    }
    text += card(fmt::format("{}: {}", status, counted(all, "trial")), content);
  }
  return page_section("failures", "Failures", "<div class=\"cards\">\n" + text + "</div>\n");
}

std::string RunPage::time() const {
  std::string text;
  if (!story_.time.sessions.empty()) {
    const TimeSpent spent = story_.time.spent();
    BarChart chart{"Seconds by activity", "seconds", {}, Scale::linear};
    std::string about;
    for (const ActivityRow& row : activity_rows) {
      const double seconds = spent.of(row.activity);
      chart.bars.push_back(
          {std::string(row.name), seconds,
           fmt::format("{:.3g} s, {:.1f} %", seconds, 100 * share_of(seconds, spent))});
      about += fmt::format("<dt>{}</dt><dd>{}</dd>\n", row.name, row.about);
    }
    text += paragraph(
        fmt::format("{:.3g} s in {}; the device took samples for {:.3g} s, {:.1f} % of the time.",
                    spent.wall_seconds, counted(story_.time.sessions.size(), "session"),
                    spent.measuring_seconds, 100 * share_of(spent.measuring_seconds, spent)));
    text += "<div class=\"cards\">\n" + card(chart.title, svg_of(chart, {"time"})) +
            card("What the activities are", "<dl>\n" + about + "</dl>\n") + "</div>\n";
  }
  if (!story_.time.unknown.empty()) text += paragraph("Not known: " + story_.time.unknown + ".");
  return page_section("time", "Where the time went", text);
}

std::string RunPage::conditions() const {
  std::string list;
  for (const auto& [what, text] : story_.conditions) {
    list += fmt::format("<dt>{}</dt><dd>{}</dd>\n", markup(what), markup(text));
  }
  if (story_.peak.gbps > 0) {
    list += fmt::format("<dt>Reading from {}</dt><dd>{:.4g} GB/s</dd>\n", markup(story_.peak.of),
                        story_.peak.gbps);
  }
  std::string text = list.empty() ? paragraph("No record of clocks, temperature or noise is here.")
                                  : "<dl class=\"facts\">\n" + list + "</dl>\n";
  for (const std::string& warning : story_.warnings) text += paragraph(warning, "warning");
  return page_section("conditions", "Clocks, temperature and noise", text);
}

std::string RunPage::trial_row(const cache::StoredTrial& row) const {
  const cache::Trial& trial = row.trial;
  std::string text = is_winner(trial.settings) ? "<tr class=\"winner\">" : "<tr>";
  const auto number = [&](const std::string& value) {
    text += "<td class=\"number\">" + value + "</td>";
  };
  number(std::to_string(trial.sequence));
  text += fmt::format("<td class=\"word\">{}</td><td class=\"word\">{}</td>", markup(trial.phase),
                      markup(trial.status));
  const auto time = [&](double Interval::*part) {
    number(trial.time_us ? figure_text((*trial.time_us).*part) : "");
  };
  time(&Interval::median);
  time(&Interval::low);
  time(&Interval::high);
  for (const std::string& name : varied_) {
    text += fmt::format("<td class=\"number\">{}</td>",
                        markup(shortened(setting_in(trial.settings, name), most_of_line)));
  }
  number(std::to_string(trial.samples));
  number(fmt::format("{:.0f}", trial.compile_ms));
  number(fmt::format("{:.0f}", trial.wall_ms));
  text += fmt::format("<td class=\"long\">{}</td></tr>\n", markup(first_line(trial.detail)));
  return text;
}

std::string RunPage::trials() const {
  if (story_.trials.empty()) {
    return page_section("all", "All trials", paragraph("There are none."));
  }
  std::string heads;
  const auto head = [&](std::string_view name, bool is_number) {
    heads += fmt::format("<th scope=\"col\"{}>{}</th>", is_number ? " class=\"number\"" : "",
                         markup(name));
  };
  head("trial", true);
  head("phase", false);
  head("status", false);
  for (const char* name : {"time µs", "low", "high"}) head(name, true);
  for (const std::string& name : varied_) head(name, true);
  for (const char* name : {"samples", "compile ms", "wall ms"}) head(name, true);
  head("detail", false);
  // The fastest first, then those given up, then what has no time.
  std::vector<const cache::StoredTrial*> sorted;
  for (const cache::StoredTrial& row : story_.trials) sorted.push_back(&row);
  std::ranges::stable_sort(sorted, {}, [](const cache::StoredTrial* row) {
    const cache::Trial& trial = row->trial;
    const int rank = is_ok(trial) ? 0 : trial.time_us ? 1 : 2;
    return std::pair(rank, trial.time_us ? trial.time_us->median : 0);
  });
  std::string rows;
  for (const cache::StoredTrial* row : sorted) rows += trial_row(*row);
  const std::string controls =
      "<div class=\"controls\" id=\"controls\" hidden>\n"
      "<label for=\"filter\">Show rows with all these words"
      "<input id=\"filter\" type=\"search\" placeholder=\"block_size=256 ok\"></label>\n"
      "<label for=\"status\">Status<select id=\"status\"><option value=\"\">all</option></select>"
      "</label>\n<p class=\"quiet\" id=\"shown\" role=\"status\"></p>\n</div>\n";
  const std::string table = fmt::format(
      "<table id=\"trials\">\n<caption>The fastest first. Tunables that are the same in all trials "
      "are left out.</caption>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n",
      heads, rows);
  return page_section("all", "All trials", controls + scrolling("All trials", table));
}

}  // namespace

std::string page_of(const RunStory& story) {
  const RunPage page(story);
  const std::string style = std::string(page_style()) + std::string(chart_style());
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {}; "
      "script-src {}; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"referrer\" content=\"no-referrer\">\n<title>{}</title>\n<style>{}</style>\n"
      "</head>\n<body>\n",
      policy_hash(style), policy_hash(page_script()), markup(page.title()), style);
  text += page.head() + "<main>\n" + page.finalists() + page.progress() + page.strips() +
          page.failures() + page.time() + page.conditions() + page.trials() + "</main>\n";
  text += fmt::format("<script>{}</script>\n</body>\n</html>\n", page_script());
  return text;
}

}  // namespace redtune::cli
