// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune cache export: results for other stores, other tools, and builds that cannot compile at
// run time.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

#include "cache/exchange/results.hpp"
#include "cache/exchange/t4.hpp"
#include "cli/cache_common.hpp"
#include "cli/commands.hpp"
#include "cli/report/config_header.hpp"
#include "cli/say.hpp"
#include "fleet/signing.hpp"
#include "redtune/error.hpp"
#include "redtune/suggest.hpp"
#include "tuner/text/counted.hpp"

namespace redtune::cli {
namespace {

/// What is in a file, for the line that says that it was written.
struct Exported {
  std::string text;
  std::string content;
};

/// What answers, as far as the filter takes it.
std::vector<cache::PastResult> answers_in(const cache::Store& store, const Options& options) {
  const ResultFilter filter(options);
  auto results = store.history();
  std::erase_if(results, [&](const cache::PastResult& result) {
    return !result.answers || !filter.takes(result.stored);
  });
  return results;
}

Exported export_json(const cache::Store& store, const Options& options) {
  std::vector<cache::SharedRun> runs;
  std::vector<cache::StoredBest> exported;
  for (const cache::PastResult& past : answers_in(store, options)) {
    const auto run = store.run(past.stored.run);
    if (!run) continue;
    exported.push_back(past.stored);
    runs.push_back({.start = run->start,
                    .state = run->state,
                    .started_at = run->started_at,
                    .finished_at = run->finished_at,
                    .note = run->note,
                    .results = {{past.stored.at, past.stored.best}}});
  }
  const auto borders = cache::borders_among(exported, store.borders());
  std::string content = fmt::format("{} results", runs.size());
  if (!borders.empty()) content += fmt::format(", {}", counted(borders.size(), "border"));
  return {cache::results_text(runs, borders), std::move(content)};
}

cache::RunSummary chosen_run(const cache::Store& store, const Options& options) {
  if (options.has("run")) {
    const auto run = store.run(cache::RunId{parse_id(options.text("run"), "run", "log")});
    if (run) return *run;
    throw UsageError(fmt::format("there is no run {}; see: redtune log", options.text("run")));
  }
  const auto runs = store.runs();
  if (!runs.empty()) return runs.front();
  throw UsageError("there are no runs yet; run: redtune tune");
}

Exported export_t4(const cache::Store& store, const Options& options) {
  for (const char* other : {"op", "type", "device"}) {
    if (options.has(other)) {
      throw UsageError(
          fmt::format("--{} does not go with t4, which is one run; name it: --run", other));
    }
  }
  const cache::RunId chosen = chosen_run(store, options).id;
  const auto run = store.share(chosen);
  if (!run) throw UsageError("the run is damaged; see: redtune cache verify");
  return {cache::t4_text(*run), fmt::format("{} trials of run {}", run->trials.size(),
                                            static_cast<std::int64_t>(chosen))};
}

Exported export_header(const cache::Store& store, const Options& options) {
  std::vector<cache::StoredBest> usable;
  for (cache::PastResult& past : answers_in(store, options)) {
    const auto& [question, settings] = std::tie(past.stored.question, past.stored.best.settings);
    // What may run of a user's kernel its file says, and that is not here.
    const bool is_usable =
        question.problem.op == Op::kernel || why_invalid(question, settings).empty();
    if (is_usable) usable.push_back(std::move(past.stored));
  }
  return {header_text(usable, cache::borders_among(usable, store.borders())),
          fmt::format("{} configs", usable.size())};
}

struct Format {
  std::string_view name;
  Exported (*make)(const cache::Store&, const Options&);
};

constexpr std::array formats{Format{"json", export_json}, Format{"t4", export_t4},
                             Format{"c++", export_header}};

const Format& find_format(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Format& format : formats) {
    if (format.name == name) return format;
    names.push_back(format.name);
  }
  throw UsageError(
      fmt::format("unknown format '{}'{}; known: {}", name, suggest(name, names), join(names)));
}

}  // namespace

int run_cache_export(const Options& options) {
  const std::string name = options.text("format");
  const Format& format = find_format(name);
  if (options.has("run") && format.name != "t4") {
    throw UsageError(fmt::format("--run goes with --format t4; {} is about results", format.name));
  }
  if (options.has("json") && !options.has("out") && format.name != "json") {
    throw UsageError(fmt::format(
        "--format {} and --json ask for two formats of one output; name a file with --out, of "
        "which --json tells, or leave one of them out",
        format.name));
  }
  if (options.has("sign") && !options.has("out")) {
    throw UsageError("a signature is a file beside what it signs; name that with --out");
  }
  std::optional<fleet::SigningKey> key;
  if (options.has("sign")) key.emplace(options.text("sign"));
  const cache::Store store = copy_store(options);
  const Exported exported = format.make(store, options);
  show_warnings(store);
  if (!options.has("out")) {
    fmt::print("{}", exported.text);
    return 0;
  }
  const std::string file = options.text("out");
  write_file(file, exported.text);
  if (key) write_file(file + ".sig", fleet::signature_text(key->sign(exported.text)));
  if (options.has("json"))
    print_json({{"file", file}, {"format", format.name}, {"bytes", exported.text.size()}});
  else
    say("{}: {}\n", file, exported.content);
  return 0;
}

}  // namespace redtune::cli
