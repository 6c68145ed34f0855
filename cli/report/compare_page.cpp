// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cli/report/compare_page.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "cli/plot/speed_chart.hpp"
#include "cli/report/charts_of_run.hpp"
#include "cli/report/page_parts.hpp"
#include "cli/report/trial_rows.hpp"
#include "tuner/text/counted.hpp"

namespace redtune::cli {
namespace {

constexpr std::size_t most_shared = 500;  // configs, in the table of two runs

/// Cells of texts.
class PairTable {
 public:
  explicit PairTable(const std::vector<std::string>& heads) {
    for (const std::string& head : heads) {
      heads_ += fmt::format("<th scope=\"col\">{}</th>", markup(head));
    }
  }
  void add(const std::vector<std::string>& cells, bool is_marked = false) {
    rows_ += is_marked ? "<tr class=\"winner\">" : "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      rows_ += fmt::format("<td class=\"{}\">{}</td>", i == 0 ? "word" : "long", markup(cells[i]));
    }
    rows_ += "</tr>\n";
    ++count_;
  }
  /// A row of numbers behind a text that may be long.
  void add_numbers(const std::vector<std::string>& numbers, const std::string& text) {
    rows_ += "<tr>";
    for (const std::string& number : numbers) {
      rows_ += fmt::format("<td class=\"number\">{}</td>", markup(number));
    }
    rows_ += fmt::format("<td class=\"long\">{}</td></tr>\n", markup(text));
    ++count_;
  }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] std::string whole(const std::string& caption, const char* id = "") const {
    return fmt::format(
        "<table{}>\n<caption>{}</caption>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n"
        "</table>\n",
        *id == 0 ? "" : fmt::format(" id=\"{}\"", id), markup(caption), heads_, rows_);
  }

 private:
  std::string heads_;
  std::string rows_;
  std::size_t count_ = 0;
};

std::string letter_name(char letter, const RunStory& story) {
  return fmt::format("{}: run {}", letter, number_of_run(story.run.id));
}

/// What is the same once, what differs in two columns.
std::string facts_of_runs(const RunStory& a, const RunStory& b) {
  PairTable table({"", letter_name('A', a), letter_name('B', b)});
  FactList same;
  const auto add = [&](const char* what, const std::string& of_a, const std::string& of_b) {
    if (of_a == of_b) {
      same.add(what, of_a);
    } else {
      table.add({what, of_a, of_b});
    }
  };
  const auto of_both = [&](const char* what, auto text_of) { add(what, text_of(a), text_of(b)); };
  of_both("Problem", [](const RunStory& one) { return describe(one.run.start.problem); });
  of_both("Device", [](const RunStory& one) {
    const DeviceIdentity& device = one.run.start.device;
    return fmt::format("{}, {} {}", device.name, device.device_class.platform,
                       device.device_class.isa);
  });
  of_both("Driver", [](const RunStory& one) { return one.run.start.device.toolchain.driver; });
  of_both("Runtime", [](const RunStory& one) { return one.run.start.device.toolchain.runtime; });
  of_both("Compiler", [](const RunStory& one) { return one.run.start.device.toolchain.compiler; });
  of_both("Strategy", [](const RunStory& one) {
    return fmt::format("{}, seed {}, budget {}", one.run.start.strategy, one.run.start.seed,
                       one.run.start.budget);
  });
  of_both("Program", [](const RunStory& one) { return one.run.start.program_version; });
  of_both("Started", [](const RunStory& one) { return one.run.started_at; });
  of_both("State", [](const RunStory& one) { return std::string(to_string(one.run.state)); });
  of_both("Trials", [](const RunStory& one) { return std::to_string(one.trials.size()); });
  of_both("Winner", [](const RunStory& one) {
    return one.result ? to_string(one.result->stored.best.settings) : std::string("none");
  });
  return (same.is_empty() ? "" : "<h3>The same</h3>\n" + same.whole()) +
         scrolling("What differs", table.whole("What differs"));
}

std::string times_of_runs(const RunStory& a, const RunStory& b) {
  IntervalChart chart{"Winners and defaults", "µs", {}};
  const auto add = [&](char letter, const RunStory& story) {
    for (const Finalist& finalist : story.finalists) {
      if (!finalist.is_winner && !finalist.is_default) continue;
      chart.rows.push_back(
          {.mark = fmt::format("{} {}", letter, finalist.is_winner ? "winner" : "default"),
           .name = finalist.is_winner ? differences(finalist.settings, story.default_settings) : "",
           .label = figure_text(finalist.time_us.median) + " µs",
           .interval = finalist.time_us,
           .is_default = finalist.is_default && !finalist.is_winner});
    }
  };
  add('A', a);
  add('B', b);
  if (chart.rows.empty()) return paragraph("Neither run had a final.");
  return cards(card(chart.title, svg_of(chart, {"winners"})));
}

std::string progress_of_runs(const RunStory& a, const RunStory& b) {
  std::string shown;
  for (const Over over : {Over::evaluations, Over::seconds}) {
    for (const auto& [letter, story] : {std::pair('A', &a), std::pair('B', &b)}) {
      const ProgressChart chart = progress_chart(*story, over);
      if (chart.points.empty()) continue;
      const std::string id = fmt::format("progress-{}-{}", letter, static_cast<int>(over));
      shown += card(fmt::format("{}: {}", letter, chart.title), svg_of(chart, {id}));
    }
  }
  return shown.empty() ? paragraph("Nothing was measured.") : cards(shown);
}

/// For each tunable what the winners have, and how much it mattered.
std::string tunables_of_runs(const RunStory& a, const RunStory& b) {
  const auto costs_of = [](const RunStory& story) {
    std::map<std::string, double> costs;
    for (const CostStrip& strip : cost_strips(story, tried_tunables(story).varied)) {
      costs[strip.chart.title] = strip.cost;
    }
    return costs;
  };
  const auto costs_a = costs_of(a);
  const auto costs_b = costs_of(b);
  std::vector<std::string> names = tunables_of(a.trials);
  for (const std::string& name : tunables_of(b.trials)) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  const auto winner_value = [](const RunStory& story, const std::string& name) {
    return story.result ? std::string(setting_in(story.result->stored.best.settings, name))
                        : std::string();
  };
  const auto cost_text = [](const std::map<std::string, double>& costs, const std::string& name) {
    const auto found = costs.find(name);
    return found == costs.end() ? std::string("one value") : ratio_text(found->second);
  };
  PairTable table(
      {"tunable", "A's winner", "B's winner", "worst / best in A", "worst / best in B"});
  for (const std::string& name : names) {
    const std::string of_a = winner_value(a, name);
    const std::string of_b = winner_value(b, name);
    table.add({name, of_a, of_b, cost_text(costs_a, name), cost_text(costs_b, name)}, of_a != of_b);
  }
  return scrolling(
      "Tunables",
      table.whole("Bold: the winners differ. Worst / best: the best time with the worst "
                  "value over that with the best value."));
}

std::map<Settings, double> measured_in(const RunStory& story) {
  std::map<Settings, double> times;
  for (const cache::StoredTrial& row : story.trials) {
    if (!is_ok(row.trial) || !is_timed(row.trial)) continue;
    const auto [place, is_new] = times.emplace(row.trial.settings, row.trial.time_us->median);
    if (!is_new) place->second = std::min(place->second, row.trial.time_us->median);
  }
  return times;
}

std::string shared_configs(const RunStory& a, const RunStory& b) {
  struct Shared {
    const Settings* settings;
    double of_a;
    double of_b;
  };
  const auto times_a = measured_in(a);
  const auto times_b = measured_in(b);
  std::vector<Shared> shared;
  for (const auto& [settings, time] : times_a) {
    const auto other = times_b.find(settings);
    if (other != times_b.end()) shared.push_back({&settings, time, other->second});
  }
  if (shared.empty()) {
    return paragraph("No configuration was measured in full in both runs.");
  }
  std::vector<double> ratios;
  for (const Shared& one : shared) ratios.push_back(one.of_b / one.of_a);
  std::ranges::sort(ratios);
  const std::string text = paragraph(fmt::format(
      "{} measured in full in both runs. B took {} the time of A in the median, from {} to {}.",
      counted(shared.size(), "configuration"), ratio_text(ratios[ratios.size() / 2]),
      ratio_text(ratios.front()), ratio_text(ratios.back())));
  std::ranges::sort(shared, {}, &Shared::of_a);
  PairTable table({"A µs", "B µs", "B / A", "configuration"});
  for (std::size_t i = 0; i < std::min(shared.size(), most_shared); ++i) {
    const Shared& one = shared[i];
    table.add_numbers(
        {figure_text(one.of_a), figure_text(one.of_b), fmt::format("{:.3g}", one.of_b / one.of_a)},
        differences(*one.settings, a.default_settings));
  }
  const std::string caption = fmt::format(
      "The fastest in A first{}; configurations by what differs from A's default.",
      shared.size() > most_shared ? fmt::format(", {} of {}", most_shared, shared.size()) : "");
  return text + filtered_table("Shared configurations", "", table.whole(caption, "rows"));
}

/// Problems that both devices have a result of.
struct SharedProblem {
  const KnownResult* a;
  const KnownResult* b;
  [[nodiscard]] double ratio() const {
    return a->stored.best.time_us.median / b->stored.best.time_us.median;
  }
};

std::vector<SharedProblem> shared_problems(const DeviceStory& a, const DeviceStory& b) {
  std::map<Problem, const KnownResult*> of_b;
  // Of several toolchains the newest result.
  for (const KnownResult& result : b.results) {
    const KnownResult*& known = of_b[result.stored.question.problem];
    if (known == nullptr || known->stored.generation < result.stored.generation) known = &result;
  }
  std::map<Problem, const KnownResult*> of_a;
  for (const KnownResult& result : a.results) {
    const KnownResult*& known = of_a[result.stored.question.problem];
    if (known == nullptr || known->stored.generation < result.stored.generation) known = &result;
  }
  std::vector<SharedProblem> shared;
  for (const KnownResult& result : a.results) {
    const Problem& problem = result.stored.question.problem;
    const auto other = of_b.find(problem);
    if (other != of_b.end() && of_a.at(problem) == &result)
      shared.push_back({&result, other->second});
  }
  return shared;
}

std::string ratio_charts(const std::vector<SharedProblem>& shared) {
  std::vector<std::pair<std::string, SpeedChart>> charts;
  for (const SharedProblem& one : shared) {
    const Problem& problem = one.a->stored.question.problem;
    if (problem.op == Op::kernel) continue;
    const std::string title =
        fmt::format("{} of {}", operator_name(problem), kind_of_shape(problem));
    if (charts.empty() || charts.back().first != title) {
      charts.push_back(
          {title,
           {.title = title,
            .x_axis = is_whole_array(problem) ? "bytes of the input" : "elements of a result",
            .y_axis = "B is so many times as fast as A",
            .series = {},
            .roof = 1}});
    }
    SpeedChart& chart = charts.back().second;
    const std::string name = variant_of(problem);
    auto series = std::ranges::find(chart.series, name, &SpeedSeries::name);
    if (series == chart.series.end()) {
      chart.series.push_back({.name = name, .points = {}});
      series = std::prev(chart.series.end());
    }
    series->points.push_back({std::max(1.0, size_for_chart(*one.a)), one.ratio()});
  }
  std::string text;
  for (std::size_t i = 0; i < charts.size(); ++i) {
    SpeedChart& chart = charts[i].second;
    for (SpeedSeries& series : chart.series) {
      std::ranges::stable_sort(series.points, {}, &SpeedPoint::x);
      series.is_joined =
          series.points.size() > 1 &&
          std::ranges::adjacent_find(series.points, {}, &SpeedPoint::x) == series.points.end();
    }
    text += card(chart.title, svg_of(chart, {fmt::format("ratio-{}", i)}));
  }
  return text;
}

std::string share_cell(const KnownResult& result) {
  return result.share() > 0 ? fmt::format("{:.1f}", 100 * result.share()) : "";
}

std::string identity_text(const DeviceStory& device) {
  const DeviceClass& what = device.device.device_class;
  std::string text =
      fmt::format("{}, {} {}, {} compute units; {}", device.device.name, what.platform, what.isa,
                  what.compute_units, device.device.toolchain.compiler);
  if (device.peaks) text += fmt::format("; reads {:.4g} GB/s", device.peaks->memory_gbps);
  return text;
}

}  // namespace

std::string page_of(const RunStory& a, const RunStory& b) {
  const std::string title =
      fmt::format("Run {} (A) and run {} (B)", number_of_run(a.run.id), number_of_run(b.run.id));
  const std::string head = fmt::format(
      "<header>\n<h1>{}</h1>\n<p class=\"verdict\">A: {}</p>\n<p class=\"verdict\">B: {}</p>\n"
      "</header>\n",
      markup(title), markup(verdict_of(a)), markup(verdict_of(b)));
  return document_of(
      title, head + "<main>\n" + page_section("facts", "What was asked", facts_of_runs(a, b)) +
                 page_section("winners", "Winners and defaults", times_of_runs(a, b)) +
                 page_section("progress", "How the searches went on", progress_of_runs(a, b)) +
                 page_section("tunables", "What mattered", tunables_of_runs(a, b)) +
                 page_section("all", "Measured in both", shared_configs(a, b)) + "</main>\n");
}

std::string page_of(const DeviceStory& a, const DeviceStory& b) {
  const auto shared = shared_problems(a, b);
  double logs = 0;
  std::size_t same_config = 0;
  PairTable table({"A µs", "B µs", "A / B", "A % of peak", "B % of peak", "A gain", "B gain",
                   "config", "problem"});
  for (const SharedProblem& one : shared) {
    logs += std::log(one.ratio());
    const cache::Best& of_a = one.a->stored.best;
    const cache::Best& of_b = one.b->stored.best;
    const bool is_same = of_a.settings == of_b.settings;
    same_config += is_same ? 1U : 0U;
    table.add_numbers({figure_text(of_a.time_us.median), figure_text(of_b.time_us.median),
                       fmt::format("{:.3g}", one.ratio()), share_cell(*one.a), share_cell(*one.b),
                       fmt::format("{:.3g}", of_a.gain.median),
                       fmt::format("{:.3g}", of_b.gain.median), is_same ? "same" : "other"},
                      one.a->name);
  }
  const std::string title = fmt::format("{} (A) and {} (B)", a.device.name, b.device.name);
  const std::string verdict =
      shared.empty()
          ? std::string("No problem was tuned on both.")
          : fmt::format(
                "B is {} as fast as A in the geometric mean of {} tuned on both; {} have the "
                "same configuration.",
                ratio_text(std::exp(logs / static_cast<double>(shared.size()))),
                counted(shared.size(), "problem"), same_config);
  FactList facts;
  facts.add("A", identity_text(a));
  facts.add("B", identity_text(b));
  facts.add("Only on A", counted(a.results.size() - shared.size(), "result"));
  facts.add("Only on B", counted(b.results.size() - shared.size(), "result"));
  std::string body =
      fmt::format("<header>\n<h1>{}</h1>\n<p class=\"verdict\">{}</p>\n{}</header>\n<main>\n",
                  markup(title), markup(verdict), facts.whole());
  if (!shared.empty()) {
    const std::string charts = ratio_charts(shared);
    if (!charts.empty()) {
      body += page_section("ratios", "How many times as fast",
                           paragraph("Above the broken line B is faster.") + cards(charts));
    }
    body +=
        page_section("all", "Problems tuned on both",
                     filtered_table("Shared problems", "",
                                    table.whole("Times are medians; A / B: how many times as fast "
                                                "B is; gain: over the default of the same device.",
                                                "rows")));
  }
  return document_of(title, body + "</main>\n");
}

}  // namespace redtune::cli
