// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

// redtune query, redtune cache explain: the best known configuration, found exactly as the library
// finds it.
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/names.hpp"
#include "cli/own_kernel.hpp"
#include "cli/question.hpp"
#include "cli/say.hpp"
#include "redtune/match.hpp"
#include "runtime/resolve.hpp"
#include "tuner/text/json.hpp"

namespace redtune::cli {
namespace {

void print_text(const runtime::Resolution& resolution, const DeviceIdentity& device, bool explain) {
  const Answer& answer = resolution.answer;
  say("problem  {}\ndevice   {}\nmatch    {}: {}\n", describe(answer.problem), device.name,
      to_string(answer.match), answer.explanation);
  for (const Setting& setting : answer.settings) {
    say("  {:<18} {}\n", setting.name, setting.value);
  }
  if (answer.time_us) {
    say("time     {:.2f} us, {:.2f}x as fast as the default, when tuned ({}){}\n",
        answer.time_us->median, answer.gain->median, answer.tuned_at,
        answer.match == Match::near ? " for that other count" : "");
  }
  if (!explain) return;
  for (const cache::LayerReport& layer : resolution.details.layers) {
    say("looked   {} {}: {}\n", layer.layer.name, layer.layer.snapshot.string(),
        layer.skipped.empty() ? std::string(to_string(layer.match)) : layer.skipped);
  }
  for (const cache::Difference& difference : resolution.details.differences) {
    say("differs  {}: asked {}, stored {}\n", difference.name, difference.asked, difference.stored);
  }
}

Json document_of(const runtime::Resolution& resolution, const DeviceIdentity& device) {
  const Answer& answer = resolution.answer;
  Json document{{"problem", json_of(answer.problem)},
                {"device", json_of(device)},
                {"match", to_string(answer.match)},
                {"explanation", answer.explanation},
                {"family", answer.family},
                {"settings", json_of(answer.settings)},
                {"source", answer.source}};
  if (answer.time_us) {
    document["time_us"] = json_of(*answer.time_us);
    document["gain"] = json_of(*answer.gain);
    document["tuned_at"] = answer.tuned_at;
  }
  if (const auto& border = resolution.details.border; border && answer.match == Match::near) {
    document["border"] = {
        {"below", border->below}, {"above", border->above}, {"first", border->first}};
  }
  for (const cache::LayerReport& layer : resolution.details.layers) {
    document["layers"].push_back({{"name", layer.layer.name},
                                  {"file", layer.layer.snapshot.string()},
                                  {"match", to_string(layer.match)},
                                  {"skipped", layer.skipped}});
  }
  for (const cache::Difference& difference : resolution.details.differences) {
    document["differences"].push_back(
        {{"name", difference.name}, {"asked", difference.asked}, {"stored", difference.stored}});
  }
  return document;
}

enum class Account { short_one, whole };

int answer(const Options& options, Match minimum, Account account) {
  const bool is_kernel = !kernel_file(options).empty();
  Problem problem = is_kernel ? Problem{} : problem_of(options);
  const OpenDevice opened = open_device(options);
  if (is_kernel) {
    problem =
        kernel_problem_of(options, opened.selection.platform->name(), opened.device->limits());
  }
  const DeviceIdentity& device = opened.device->identity();
  const LookupOptions lookup = runtime::completed({options.text("cache"), minimum});
  const auto resolution = runtime::resolve_any(problem, device, opened.device->limits(), lookup);
  if (options.has("json"))
    print_json(document_of(resolution, device));
  else
    print_text(resolution, device, account == Account::whole);
  const bool is_missed = resolution.answer.match > lookup.minimum;
  return static_cast<int>(is_missed ? ExitCode::missed : ExitCode::done);
}

}  // namespace

int run_query(const Options& options) {
  return answer(options, parse_match(options.text("min-match")),
                options.has("explain") ? Account::whole : Account::short_one);
}

int run_cache_explain(const Options& options) {
  return answer(options, Match::fallback, Account::whole);
}

}  // namespace redtune::cli
