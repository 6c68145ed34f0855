// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/run_page.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "cli/plot/charts.hpp"
#include "cli/report/charts_of_run.hpp"
#include "cli/report/page_parts.hpp"
#include "cli/report/pair_maps.hpp"
#include "cli/report/trial_rows.hpp"
#include "tuner/measure/peak.hpp"
#include "tuner/session/tune.hpp"
#include "tuner/text/counted.hpp"

namespace redtune::cli {
namespace {

// What of a long text is shown.
constexpr std::size_t most_of_line = 160;
constexpr std::size_t most_of_log = 4000;
constexpr std::size_t most_reasons = 5;  // of a status
constexpr std::size_t most_of_maps = 400'000;
/// Trials whose settings have a column each: a browser is done with so many in a second.
constexpr std::size_t most_rows_in_full = 2000;

/// One page of one run.
class RunPage {
 public:
  explicit RunPage(const RunStory& story) : story_(story), tunables_(tried_tunables(story)) {
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
  [[nodiscard]] std::string maps() const;
  [[nodiscard]] std::string failures() const;
  [[nodiscard]] std::string time() const;
  [[nodiscard]] std::string conditions() const;
  [[nodiscard]] std::string trials() const;

 private:
  [[nodiscard]] std::string facts() const;
  [[nodiscard]] std::string statuses() const;
  [[nodiscard]] std::string brief_row(const cache::StoredTrial& row) const;
  [[nodiscard]] std::string trial_row(const cache::StoredTrial& row) const;
  [[nodiscard]] bool is_winner(const Settings& settings) const {
    return winner_ && *winner_ == settings;
  }

  const RunStory& story_;
  TriedTunables tunables_;
  std::optional<Settings> winner_;
};

std::string RunPage::facts() const {
  const cache::RunSummary& run = story_.run;
  FactList facts;
  const auto add = [&](std::string_view what, std::string_view text) { facts.add(what, text); };
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
  return facts.whole();
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

std::string RunPage::finalists() const {
  if (story_.finalists.empty()) {
    return page_section(
        "finalists", "Finalists",
        paragraph("The run had no final: nothing was compared with the default, or no "
                  "record of it is here."));
  }
  const IntervalChart chart = finalists_chart(story_);
  const bool has_ties = std::ranges::any_of(chart.rows, &IntervalRow::is_shaded);
  const std::string choice = choice_of(story_);
  std::string text = choice.empty() ? "" : paragraph(choice, "choice");
  text += paragraph(
      fmt::format("Points are medians, lines 95 % intervals. Names are what "
                  "tells them from each other.{}",
                  has_ties ? " Those that are shaded cannot be told from the fastest." : ""));
  std::string rows;
  for (const Finalist* finalist : sorted_finalists(story_)) {
    rows += fmt::format("<li>{} µs ({} to {}): {}</li>\n", figure_text(finalist->time_us.median),
                        figure_text(finalist->time_us.low), figure_text(finalist->time_us.high),
                        markup(to_string(finalist->settings)));
  }
  text +=
      cards(card(chart.title, svg_of(chart, {"finalists"})) +
            card("In full", "<details><summary>All settings of the finalists</summary>\n<ol>\n" +
                                rows + "</ol></details>\n"));
  return page_section("finalists", "Finalists", text);
}

std::string RunPage::progress() const {
  std::string charts;
  for (const Over over : {Over::evaluations, Over::seconds}) {
    const ProgressChart chart = progress_chart(story_, over);
    if (chart.points.empty()) continue;
    charts += card(chart.title, svg_of(chart, {over == Over::seconds ? "seconds" : "evaluations"}));
  }
  if (charts.empty()) {
    return page_section("progress", "How the search went on", paragraph("No trial was measured."));
  }
  std::string text = paragraph(
      "Each dot is a trial, the line the best so far. Trials that were given up as slow are dots "
      "at "
      "the time they had by then; they do not count for the line.");
  text += paragraph(
      "The dotted line is what the same trials would be expected to have found in random order: "
      "how "
      "much faster a line falls than that is what the search knew. It says nothing of "
      "configurations "
      "that were not tried.");
  if (story_.run.resumed > 0) {
    text += paragraph("The run was gone on with: seconds include the pauses between sessions.");
  }
  return page_section("progress", "How the search went on", text + cards(charts));
}

std::string RunPage::strips() const {
  const char* const heading = "What it costs to set this wrong";
  if (std::ranges::none_of(story_.trials, is_timed, &cache::StoredTrial::trial)) {
    return page_section("strips", heading, paragraph("No trial was measured."));
  }
  const std::vector<CostStrip> strips = cost_strips(story_, tunables_.varied);
  std::string shown;
  for (std::size_t i = 0; i < strips.size(); ++i) {
    const CostStrip& strip = strips[i];
    std::string content = svg_of(strip.chart, {fmt::format("strip-{}", i)});
    content += paragraph(
        fmt::format("With the worst value the best trial took {} the time of that with the best{}.",
                    ratio_text(strip.cost),
                    strip.left_out == 0
                        ? ""
                        : fmt::format("; not shown: {}", counted(strip.left_out, "slower value"))));
    shown += card(strip.chart.title, content);
  }
  std::string text = paragraph(
      "For each value of a tunable the best time with it, as a multiple of the fastest trial's; "
      "short strokes are all trials that had it: where there are few, little is known. A hollow "
      "ring is the default's value, a large dot and bold print the winner's; grey is the best of "
      "trials that were given up. Tunables that matter most come first.");
  if (!shown.empty()) text += cards(shown);
  if (!tunables_.constant.empty()) {
    std::string same;
    for (const std::string& name : tunables_.constant) {
      same += fmt::format("{}{}={}", same.empty() ? "" : ", ", name,
                          setting_in(story_.trials.front().trial.settings, name));
    }
    text += paragraph("The same in all trials: " + same + ".");
  }
  return page_section("strips", heading, text);
}

std::string RunPage::maps() const {
  const char* const heading = "Two tunables at once";
  std::vector<std::string> names;
  for (const CostStrip& strip : cost_strips(story_, tunables_.varied)) {
    names.push_back(strip.chart.title);
  }
  const PairMaps maps(story_, names);
  const auto pairs = maps.pairs();
  if (pairs.empty()) {
    return page_section("pairs", heading,
                        paragraph("No two tunables were tried with several values each."));
  }
  std::string shown;
  std::string choices;
  std::size_t drawn = 0;
  for (const auto& [first, second] : pairs) {
    if (drawn > 0 && shown.size() > most_of_maps) break;
    const PairMap made = maps.map_of(first, second);
    std::string content = svg_of(made.map, {fmt::format("pair-{}", drawn)});
    if (made.left_out > 0) {
      content += paragraph(fmt::format("Not shown: {}.", counted(made.left_out, "slower value")));
    }
    shown += fmt::format("<div class=\"pair\" id=\"map-{}\"{}>\n{}</div>\n", drawn,
                         drawn == 0 ? "" : " hidden", card(made.map.title, content));
    choices += fmt::format("<option value=\"map-{}\">{}</option>\n", drawn,
                           markup(shortened(made.map.title, most_of_line)));
    ++drawn;
  }
  std::string text = paragraph(
      "In each cell the best time with these two values, whatever the others were, as a multiple "
      "of "
      "the fastest trial's; ~ is a trial that was given up, a cross stands where none could be "
      "measured. Hatched: not tried, so nothing is known. A line around a cell: the winner's; a "
      "broken one: the default's. The two tunables that matter most come first.");
  if (drawn < pairs.size()) {
    text += paragraph(
        fmt::format("{} of {} pairs are drawn, those that matter most.", drawn, pairs.size()));
  }
  text += fmt::format(
      "<div class=\"controls\" id=\"pair-controls\" hidden>\n<label for=\"pair\">Tunables<select "
      "id=\"pair\">\n{}</select></label>\n</div>\n<div id=\"pairs\">\n{}</div>\n",
      choices, shown);
  return page_section("pairs", heading, text);
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
  return page_section("failures", "Failures", cards(text));
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
    text += cards(card(chart.title, svg_of(chart, {"time"})) +
                  card("What the activities are", "<dl>\n" + about + "</dl>\n"));
  }
  if (!story_.time.unknown.empty()) text += paragraph("Not known: " + story_.time.unknown + ".");
  return page_section("time", "Where the time went", text);
}

std::string RunPage::conditions() const {
  FactList facts;
  for (const auto& [what, text] : story_.conditions) facts.add(what, text);
  if (story_.peak.gbps > 0) {
    facts.add("Reading from " + story_.peak.of, fmt::format("{:.4g} GB/s", story_.peak.gbps));
  }
  std::string text = facts.is_empty()
                         ? paragraph("No record of clocks, temperature or noise is here.")
                         : facts.whole();
  const ProgressChart noise = noise_chart(story_);
  if (!noise.points.empty()) text += cards(card(noise.title, svg_of(noise, {"noise"})));
  for (const std::string& warning : story_.warnings) text += paragraph(warning, "warning");
  return page_section("conditions", "Clocks, temperature and noise", text);
}

/// Without what a browser takes seconds for where there are thousands.
std::string RunPage::brief_row(const cache::StoredTrial& row) const {
  const cache::Trial& trial = row.trial;
  std::string settings;
  for (const std::string& name : tunables_.varied) {
    settings +=
        fmt::format("{}{}={}", settings.empty() ? "" : " ", name, setting_in(trial.settings, name));
  }
  const auto usual_phase = tuner::to_string(tuner::TrialPhase::search);
  const std::string phase = trial.phase == usual_phase ? std::string() : trial.phase + ": ";
  return fmt::format(
      "<tr{} data-trial=\"{}\"><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
      is_winner(trial.settings) ? " class=\"winner\"" : "", &row - story_.trials.data(),
      trial.sequence, markup(trial.status), trial.time_us ? figure_text(trial.time_us->median) : "",
      markup(settings), markup(phase + first_line(trial.detail)));
}

std::string RunPage::trial_row(const cache::StoredTrial& row) const {
  const cache::Trial& trial = row.trial;
  std::string text =
      fmt::format("<tr{} data-trial=\"{}\">", is_winner(trial.settings) ? " class=\"winner\"" : "",
                  &row - story_.trials.data());
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
  for (const std::string& name : tunables_.varied) {
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
  const bool are_brief = story_.trials.size() > most_rows_in_full;
  head("trial", !are_brief);
  if (!are_brief) head("phase", false);
  head("status", false);
  head("time µs", !are_brief);
  if (are_brief) {
    head("settings", false);
  } else {
    for (const char* name : {"low", "high"}) head(name, true);
    for (const std::string& name : tunables_.varied) head(name, true);
    for (const char* name : {"samples", "compile ms", "wall ms"}) head(name, true);
  }
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
  for (const cache::StoredTrial* row : sorted)
    rows += are_brief ? brief_row(*row) : trial_row(*row);
  const std::string table = fmt::format(
      "<table id=\"rows\">\n<caption>The fastest first. Tunables that are the same in all trials "
      "are left out. Dots and ticks of the charts above are those of the rows that are "
      "shown.{}</caption>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table>\n",
      are_brief ? " So many trials have their settings in one column; redtune report --csv has "
                  "all of each in columns of their own."
                : "",
      heads, rows);
  return page_section("all", "All trials", filtered_table("All trials", "status", table));
}

}  // namespace

std::string page_of(const RunStory& story) {
  const RunPage page(story);
  return document_of(page.title(), page.head() + "<main>\n" + page.finalists() + page.progress() +
                                       page.strips() + page.maps() + page.failures() + page.time() +
                                       page.conditions() + page.trials() + "</main>\n");
}

}  // namespace redtune::cli
