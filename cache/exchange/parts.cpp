// SPDX-License-Identifier: MIT
// Copyright (c) 2026 the redtune authors

#include "cache/exchange/parts.hpp"

#include <charconv>
#include <limits>

namespace redtune::cache {
namespace {

std::optional<RunState> state_from(std::string_view name) {
  for (const RunState state :
       {RunState::running, RunState::done, RunState::interrupted, RunState::failed}) {
    if (to_string(state) == name) return state;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> seed_told(const std::string& text) {
  std::uint64_t seed = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, seed);
  return error == std::errc{} && end == last ? std::optional(seed) : std::nullopt;
}

template <class Thing>
std::optional<Thing> member(MemberReader& reader, std::string_view name,
                            std::optional<Thing> (*from)(const Fields&)) {
  const auto fields = fields_from(reader.any(name));
  return fields ? from(*fields) : std::nullopt;
}

}  // namespace

Json question_json(const RunStart& start) {
  return {{"family", start.family},
          {"space", start.space_key},
          {"problem", to_json(fields_of(start.problem))},
          {"device", start.device.name},
          {"device_class", to_json(fields_of(start.device.device_class))},
          {"toolchain", to_json(fields_of(start.device.toolchain))}};
}

Json run_json(const SharedRun& run) {
  return {{"strategy", run.start.strategy},
          {"seed", std::to_string(run.start.seed)},  // 64 bits: more than readers of JSON keep
          {"budget", run.start.budget},
          {"program_version", run.start.program_version},
          {"state", to_string(run.state)},
          {"note", run.note},
          {"started_at", run.started_at},
          {"finished_at", run.finished_at}};
}

std::optional<SharedRun> run_from(const JsonValue& question, const JsonValue& run) {
  MemberReader asked(question);
  MemberReader told(run);
  const auto problem = member(asked, "problem", problem_from);
  const auto device_class = member(asked, "device_class", device_class_from);
  const auto toolchain = member(asked, "toolchain", toolchain_from);
  const auto state = state_from(told.text("state"));
  const auto seed = seed_told(told.text("seed"));
  if (!problem || !device_class || !toolchain || !state || !seed) return std::nullopt;
  SharedRun found{.start = {.family = asked.text("family"),
                            .space_key = asked.text("space"),
                            .problem = *problem,
                            .device = {.device_class = *device_class,
                                       .toolchain = *toolchain,
                                       .name = asked.text("device")},
                            .strategy = told.text("strategy"),
                            .seed = *seed,
                            .budget = told.text("budget"),
                            .program_version = told.text("program_version")},
                  .state = *state,
                  .started_at = told.text("started_at"),
                  .finished_at = told.text("finished_at"),
                  .note = told.text("note")};
  if (!asked.good() || !told.good()) return std::nullopt;
  return found;
}

Interval interval_from(const JsonValue& json) {
  const auto* list = json.array();
  if (list == nullptr || list->size() != 3) return {0, 0, 0};
  const auto at = [&](std::size_t i) { return number_of((*list)[i]).value_or(0); };
  return {at(0), at(1), at(2)};
}

int count_from(const JsonValue& json) {
  const auto* integer = std::get_if<std::int64_t>(&json.value);
  const bool fits =
      integer != nullptr && 0 <= *integer && *integer <= std::numeric_limits<int>::max();
  return fits ? static_cast<int>(*integer) : -1;
}

std::string document_text(const Json& document) {
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace redtune::cache
