// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune cache show: all that is known of one result.
#include <algorithm>
#include <fmt/format.h>
#include <type_traits>

#include "cache/keys/described_best.hpp"
#include "cli/cache_common.hpp"
#include "cli/commands.hpp"
#include "cli/report/border_text.hpp"
#include "cli/say.hpp"
#include "redtune/error.hpp"
#include "tuner/measure/peak.hpp"

namespace redtune::cli {
namespace {

cache::PastResult find_result(const cache::Store& store, std::int64_t id) {
  const auto all = store.history();
  const auto found = std::ranges::find_if(
      all, [&](const cache::PastResult& one) { return one.stored.generation == id; });
  if (found != all.end()) return *found;
  show_warnings(store);
  throw UsageError(fmt::format("there is no result {}; see: redtune cache list --all", id));
}

/// What the tuner kept of the measurement; whatever an imported text is, it is shown.
Json measurement_of(const cache::Best& best) {
  if (best.measurement.empty()) return {};
  Json parsed = Json::parse(best.measurement, nullptr, false);
  return parsed.is_discarded() ? Json(best.measurement) : parsed;
}

Json document_of(const cache::PastResult& result, const std::optional<cache::RunSummary>& run) {
  const cache::Best& best = result.stored.best;
  Json document = json_of(result);
  for_each_member(best, [&]<class Value>(const auto& row, const Value& value) {
    if constexpr (std::is_arithmetic_v<Value>) document[std::string(row.name)] = value;
  });
  document["family"] = result.stored.question.family;
  document["space"] = result.stored.question.space_key;
  document["why_invalid"] = why_invalid(result.stored.question, best.settings);
  document["measurement"] = measurement_of(best);
  if (!run) return document;
  document["run"] = {{"run", static_cast<std::int64_t>(run->id)},
                     {"state", to_string(run->state)},
                     {"started_at", run->started_at},
                     {"finished_at", run->finished_at},
                     {"strategy", run->start.strategy},
                     {"seed", run->start.seed},
                     {"budget", run->start.budget},
                     {"program_version", run->start.program_version},
                     {"command_line", run->start.command_line},
                     {"trials", run->trial_count},
                     {"note", run->note}};
  return document;
}

void print_device(const cache::StoredBest& stored) {
  const DeviceClass& what = stored.question.device_class;
  const Toolchain& tools = stored.question.toolchain;
  say("device       {} ({} {}, {}{}{} units, wave {}, cache {} MiB, memory {} MiB)\n",
      stored.device_name, what.platform, what.isa, what.partition,
      what.partition.empty() ? "" : ", ", what.compute_units, what.wave_size,
      what.last_level_cache_bytes >> 20, what.memory_bytes >> 20);
  say("toolchain    driver {}, runtime {}, compiler {}\n", tools.driver, tools.runtime,
      tools.compiler);
}

void print_measured(const cache::Best& best) {
  say("time         {:.3f} us (95 %: {:.3f} to {:.3f}), {} GB/s\n", best.time_us.median,
      best.time_us.low, best.time_us.high, tuner::speed_text(best.gigabytes_per_second));
  say("gain         {:.3f}x the default's {:.3f} us ({:.3f}x to {:.3f}x): {}\n", best.gain.median,
      best.default_us, best.gain.low, best.gain.high, best.reason);
  say("measured     {} samples of {:.1f} us, noise floor {:.2f} %, protocol {}, {:.3f} us a launch "
      "in a stream\n",
      best.samples, best.batch_us, 100 * best.noise_floor, best.protocol, best.stream_us);
}

void print_text(const cache::PastResult& result, const std::optional<cache::RunSummary>& run,
                const std::vector<std::string>& borders) {
  const auto& [stored, origin, revoked, answers] = result;
  say("result       {}{}\nproblem      {}\n", stored.generation, answers ? ", which answers" : "",
      describe(stored.question.problem));
  for (const std::string& border : borders) say("answers      {}\n", border);
  print_device(stored);
  say("published    {}\n", stored.at);
  if (!origin.empty()) say("origin       {}\n", origin);
  if (revoked) {
    say("revoked      {}{}{}\n", revoked->at, revoked->reason.empty() ? "" : ": ", revoked->reason);
  }
  for (const Setting& setting : stored.best.settings) {
    say("  {:<18} {}\n", setting.name, setting.value);
  }
  if (const std::string why = why_invalid(stored.question, stored.best.settings); !why.empty()) {
    say("invalid      it is never used: {}\n", why);
  }
  print_measured(stored.best);
  if (run) {
    say("run          {} {} ({} to {}), {} with seed {}, budget {}, {} trials, redtune {}\n",
        static_cast<std::int64_t>(run->id), to_string(run->state), run->started_at,
        run->finished_at, run->start.strategy, run->start.seed, run->start.budget, run->trial_count,
        run->start.program_version);
    if (!run->start.command_line.empty()) {
      say("             {}\n", run->start.command_line);
    }
  }
  if (!stored.best.measurement.empty()) {
    // As JSON, for people: its escapes leave DEL and C1.
    fmt::print(
        "measurement  {}\n",
        printable_lines(
            measurement_of(stored.best).dump(2, ' ', false, Json::error_handler_t::replace)));
  }
}

}  // namespace

int run_cache_show(const Options& options) {
  const std::int64_t id = id_of(options, "result");
  const cache::Store store = copy_store(options);
  const cache::PastResult result = find_result(store, id);
  const auto run = store.run(result.stored.run);
  const cache::Snapshot answers = store.results();
  if (options.has("json")) {
    Json document = document_of(result, run);
    document["borders"] = borders_json(answers, result.stored);
    print_json(document);
  } else {
    print_text(result, run, border_lines(answers, result.stored));
  }
  return 0;
}

}  // namespace redtune::cli
