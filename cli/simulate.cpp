// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune simulate: strategies on search spaces that others measured, without a device.
#include "search/replay/simulate.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <memory>
#include <spdlog/spdlog.h>

#include "cli/commands.hpp"
#include "cli/say.hpp"
#include "cli/simulate/report.hpp"
#include "cli/simulate/start.hpp"
#include "cli/terminal.hpp"
#include "redtune/error.hpp"
#include "runtime/adopt_kernel.hpp"
#include "runtime/resolve.hpp"
#include "search/registry.hpp"
#include "search/replay/read_space.hpp"
#include "tuner/text/counted.hpp"

namespace redtune::cli {
namespace {

/// --space takes one file, and what follows it without a dash are more: so shells write patterns.
std::vector<std::string> space_files(const Options& options) {
  std::vector<std::string> files = options.all("space");
  files.insert(files.end(), options.words().begin(), options.words().end());
  if (!files.empty()) return files;
  throw UsageError("which space? Write: redtune simulate --space FILE; see its --help");
}

std::vector<search::RecordedSpace> read_spaces(const std::vector<std::string>& files) {
  std::vector<search::RecordedSpace> spaces;
  for (const std::string& file : files) {
    spaces.push_back(search::read_space_file(file));
    if (spaces.back().repeated > 0) {
      spdlog::warn("{}: {} of its configurations repeat others; the first of each counts", file,
                   spaces.back().repeated);
    }
  }
  return spaces;
}

std::vector<std::string> chosen_strategies(const Options& options) {
  std::vector<std::string> names = options.all("strategy");
  if (names.empty()) {
    for (const search::StrategyRow& row : search::strategies()) names.emplace_back(row.name);
  }
  // Unknown ones are refused before files are read.
  const search::Space any(std::vector<search::Axis>{});
  for (const std::string& name : names) (void)search::make_strategy(name, any, {});
  return names;
}

std::size_t count_of(const Options& options, std::string_view name, std::uint64_t most,
                     std::uint64_t least = 1) {
  const std::uint64_t count = options.number(name);
  if (least <= count && count <= most) return count;
  throw UsageError(fmt::format("--{} is {}; it must be from {} to {}", name, count, least, most));
}

double percentile_of(const Options& options) {
  const std::string text = options.text("until-percentile");
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size() && 0.01 < value && value < 1) {
    return value;
  }
  throw UsageError(
      fmt::format("--until-percentile is '{}'; it must be between 0.01 and 1, such as 0.95", text));
}

/// One of few words.
std::string chosen(const Options& options, std::string_view name,
                   const std::vector<std::string>& known) {
  std::string text = options.text(name);
  if (std::ranges::find(known, text) != known.end()) return text;
  throw UsageError(
      fmt::format("unknown value '{}' of --{}; known: {}", text, name, fmt::join(known, ", ")));
}

search::SimulationTerms terms_of(const Options& options) {
  constexpr std::uint64_t most = 1 << 24;  // what a space can hold
  search::SimulationTerms terms{.strategies = chosen_strategies(options),
                                .runs = count_of(options, "runs", 100000),
                                .percentile = percentile_of(options),
                                .seed = options.number("seed"),
                                .asks = {.batch = count_of(options, "batch", most),
                                         .ahead = count_of(options, "ahead", 1000, 0)}};
  if (options.has("first")) terms.asks.first = count_of(options, "first", most);
  if (options.has("budget")) terms.budget = count_of(options, "budget", most);
  if (chosen(options, "noise", {"none", "replay"}) == "replay") terms.noise = search::Noise::replay;
  if (chosen(options, "cost", {"evaluations", "seconds"}) == "seconds") {
    terms.unit = search::CostUnit::seconds;
  }
  terms.start = chosen(options, "start", {"none", "shapes", "shipped", "winners"});
  return terms;
}

/// Before minutes are spent: whether a file can be written, and is none of the spaces.
void require_writable(const Options& options, std::string_view name,
                      const std::vector<std::string>& spaces) {
  if (!options.has(name)) return;
  const std::string file = options.text(name);
  std::error_code missing;
  for (const std::string& space : spaces) {
    if (!std::filesystem::equivalent(file, space, missing)) continue;
    throw UsageError(fmt::format("--{} would overwrite the space {}", name, space));
  }
  if (std::ofstream(file, std::ios::app)) return;
  throw IoError(fmt::format("cannot write {}; does its folder exist, and is it writable?", file));
}

/// What tunes of users' kernels begin with is known where their files are.
void adopt_kernels(const Options& options, const std::vector<cache::SharedRun>& runs) {
  for (const std::string& file : options.all("kernel")) {
    for (const cache::SharedRun& run : runs) {
      if (run.start.problem.op != Op::kernel) continue;
      const DeviceIdentity& device = run.start.device;
      runtime::adopt_kernel(file, device.device_class.platform, runtime::limits_of(device));
    }
  }
}

/// For spaces of redtune's own: what a tune would begin with.
search::KnownBefore set_start(std::vector<search::RecordedSpace>& spaces, const Options& options,
                              const search::SimulationTerms& terms) {
  if (terms.start == "none") {
    if (!options.has("kernel")) return {};
    throw UsageError("--kernel says what a tune begins with; name that by --start as well");
  }
  std::vector<cache::SharedRun> runs;
  for (const std::string& file : space_files(options)) runs.push_back(read_own_run(file));
  adopt_kernels(options, runs);
  for (std::size_t i = 0; i < spaces.size(); ++i) {
    spaces[i] = in_family_axes(spaces[i], runs[i]);
    spaces[i].start = start_points(spaces[i], runs[i], {});
  }
  if (terms.start == "shapes") return {};
  if (terms.start == "shipped") {
    std::vector<search::StrategyOptions> begins;
    for (std::size_t i = 0; i < spaces.size(); ++i) {
      begins.push_back(shipped_start(spaces[i], runs[i]));
    }
    return [begins = std::move(begins)](std::size_t space, std::size_t) { return begins[space]; };
  }
  const auto tuned = std::make_shared<TunedBefore>(spaces, std::move(runs), terms.seed);
  return [tuned](std::size_t space, std::size_t run) { return (*tuned)(space, run); };
}

}  // namespace

int run_simulate(const Options& options) {
  const search::SimulationTerms terms = terms_of(options);
  const std::vector<std::string> files = space_files(options);
  std::vector<search::RecordedSpace> spaces = read_spaces(files);
  const search::KnownBefore known_before = set_start(spaces, options, terms);
  for (const std::string_view file : {"out", "plot"}) require_writable(options, file, files);
  ProgressLine line;
  const search::Simulation simulation = search::simulate(
      std::move(spaces), terms, known_before, [&](std::size_t done, std::size_t of) {
        line.show(static_cast<double>(done) / static_cast<double>(of),
                  fmt::format("{} of {}", done, counted(of, "run")));
      });
  line.clear();
  // On one line: with a line for each number it would be ten times as long.
  const auto document = [&] {
    return json_of(simulation).dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  };
  if (options.has("out")) write_file(options.text("out"), document());
  if (options.has("plot")) write_file(options.text("plot"), svg_of(chart_of(simulation)));
  if (options.has("json") && !options.has("out"))
    fmt::print("{}", document());
  else
    fmt::print("{}", table_of(simulation));
  return 0;
}

}  // namespace redtune::cli
