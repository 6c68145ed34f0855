// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "fleet/documents.hpp"

#include <algorithm>
#include <limits>

#include "cache/exchange/exchange.hpp"
#include "cache/exchange/results.hpp"
#include "cache/exchange/t4.hpp"
#include "cache/keys/key.hpp"
#include "redtune/error.hpp"

namespace redtune::fleet {
namespace {

/// A store refuses larger ones.
constexpr std::size_t most_document_bytes = std::size_t{16} << 20;

bool is_over(const cache::RunSummary& run) {
  return run.state != cache::RunState::running;
}

cache::SharedRun alone(const cache::RunSummary& run, const cache::StoredBest& stored) {
  return {.start = run.start,
          .state = run.state,
          .started_at = run.started_at,
          .finished_at = run.finished_at,
          .note = run.note,
          .results = {{stored.at, stored.best}}};
}

Entry entry_of(std::string_view kind, const cache::Question& question, std::string document) {
  const QuestionKeys keys = keys_of(question);
  return {.kind = std::string(kind),
          .device_class = keys.device_class,
          .question = keys.question,
          .subject = keys.subject,
          .document = std::move(document)};
}

std::string key_of_result(const cache::Question& question, const std::string& at,
                          const Settings& settings) {
  return cache::make_key("result of a fleet", {{"question", keys_of(question).question},
                                               {"at", at},
                                               {"settings", cache::key_of(settings).hash}})
      .hash;
}

}  // namespace

QuestionKeys keys_of(const cache::Question& question) {
  const std::string problem = cache::key_of(question.problem).hash;
  const std::string device_class = cache::key_of(question.device_class).hash;
  const std::string toolchain = cache::key_of(question.toolchain).hash;
  cache::Fields fields{{"family", question.family},
                       {"space", question.space_key},
                       {"problem", problem},
                       {"device_class", device_class}};
  const std::string subject = cache::make_key("subject of a fleet", fields).hash;
  fields.push_back({"toolchain", toolchain});
  return {cache::make_key("question of a fleet", fields).hash, subject, device_class, toolchain};
}

std::string result_key(const cache::StoredBest& result) {
  return key_of_result(result.question, result.at, result.best.settings);
}

std::optional<std::string> result_key(const std::string& document) {
  try {
    const cache::Incoming incoming = cache::read_exchange(document);
    if (incoming.runs.size() != 1 || incoming.runs[0].results.size() != 1) return std::nullopt;
    const cache::SharedRun& run = incoming.runs[0];
    const cache::SharedResult& result = run.results[0];
    return key_of_result(question_of(run.start), result.at, result.best.settings);
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::vector<Entry> documents_in(const cache::Store& store) {
  std::vector<Entry> entries;
  std::vector<cache::StoredBest> found;
  for (const cache::PastResult& past : store.history()) {
    if (!past.answers || !past.origin.empty() || past.revoked) continue;
    const auto run = store.run(past.stored.run);
    if (!run || !is_over(*run)) continue;
    found.push_back(past.stored);
    entries.push_back(entry_of(result_kind, past.stored.question,
                               cache::results_text({alone(*run, past.stored)})));
  }
  for (const cache::StoredBorder& border : cache::borders_among(found, store.borders())) {
    entries.push_back(entry_of(border_kind, border.question, cache::results_text({}, {{border}})));
  }
  for (const cache::RunSummary& run : store.runs()) {
    if (!run.origin.empty() || !is_over(run) || run.trial_count == 0) continue;
    const auto shared = store.share(run.id);
    if (!shared) continue;
    entries.push_back(entry_of(trials_kind, question_of(run.start), cache::t4_text(*shared)));
  }
  std::erase_if(entries,
                [](const Entry& entry) { return entry.document.size() > most_document_bytes; });
  return entries;
}

bool may_be_shared(const cache::Question& question) {
  return question.problem.op != Op::custom && question.problem.op != Op::kernel;
}

Wish wish_of(const cache::Wanted& wanted, double usefulness) {
  const QuestionKeys keys = keys_of(wanted.question);
  const cache::Asked one{wanted.question, wanted.device, wanted.match, wanted.launches};
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return {.key = keys.question,
          .subject = keys.subject,
          .device_class = keys.device_class,
          .toolchain = keys.toolchain,
          .document = cache::wanted_text({&one, 1}),
          .launches = static_cast<std::int64_t>(std::min(wanted.launches, most)),
          .usefulness = usefulness};
}

}  // namespace redtune::fleet
